/// Names by which their owner's values are found: by their bytes, as they came, so that a look allocates nothing.
///
/// Names of callers are looked for and never added. So the hash needs no secret key, which would take four times as long.
package struct NameTable: Sendable {
    /// All names, one behind the other: an array of each would be counted at every look.
    private var text: [UInt8] = []
    /// The part of the text that is a name, and its index, at the first free place from its hash on. The number of places is
    /// a power of two, and at least half of them are free: those have no part.
    private var places: [(name: Range<Int>, index: Int)]

    /// - Parameter names: of two that are the same the later counts; an empty one is never found.
    package init(_ names: [[UInt8]]) {
        var size = 2
        while size < 2 * names.count { size *= 2 }
        self.places = Array(repeating: (0..<0, 0), count: size)
        for (index, name) in names.enumerated() {
            let place = self.place(of: name.span)
            self.places[place] = (self.text.count..<self.text.count + name.count, index)
            self.text += name
        }
    }

    /// The index of a name among those that the table was made of.
    package func index(of name: Span<UInt8>) -> Int? {
        let (known, index) = self.places[self.place(of: name)]
        return known.isEmpty ? nil : index
    }

    /// The place of this name, or the free one that it would get.
    private func place(of name: Span<UInt8>) -> Int {
        let (text, places) = (self.text.span, self.places.span)
        var place = Int(name.hash) & (places.count - 1)
        while !places[place].name.isEmpty, !text.extracting(places[place].name).elementsEqual(name) {
            place = (place + 1) & (places.count - 1)
        }
        return place
    }
}
