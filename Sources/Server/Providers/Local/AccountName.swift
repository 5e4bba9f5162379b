/// The rule for the names viewers of local providers sign in with.
package enum AccountName {
    /// Bytes of UTF-8 a name may have.
    package static let length = 1...64

    /// The form a name is stored and looked up in: ASCII letters in lower case, everything else as it is.
    ///
    /// White space is not trimmed: the same account would then have many spellings, and limits on guessing count
    /// spellings.
    /// - Returns: `nil` when `text` is not 1 to 64 bytes, or has a control character or white space.
    package static func canonical(_ text: some StringProtocol) -> String? {
        guard self.length.contains(text.utf8.count) else { return nil }
        for scalar in text.unicodeScalars {
            guard scalar.properties.generalCategory != .control, !scalar.properties.isWhitespace else { return nil }
        }
        let bytes = text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}
