/// How much work goes into making a text small: 1 is the least, 9 the most (zlib's own numbers).
package struct CompressionLevel: Hashable, Sendable {
    /// The least work.
    package static let quick = CompressionLevel(unchecked: 1)
    /// For a text of some kilobytes that is sent once: nearly as small as it gets, in a fraction of the time.
    package static let even = CompressionLevel(unchecked: 5)
    /// The smallest, for a text that is compressed once and sent again and again.
    package static let small = CompressionLevel(unchecked: 9)

    let number: Int32

    private init(unchecked number: Int32) {
        self.number = number
    }
}
