import TextCoding

/// Text from the wire, compared byte for byte, as stores do, too. Swift compares strings by canonical equivalence.
package struct ExactText: Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }
}

extension ExactText: Hashable {
    package static func == (left: ExactText, right: ExactText) -> Bool {
        let (left, right) = (left.text.utf8, right.text.utf8)
        return left.span.elementsEqual(right.span)
    }

    package func hash(into hasher: inout Hasher) {
        // Two texts that are equal byte for byte are equal as strings too, and a string hashes at once what bytes hash
        // one by one.
        hasher.combine(self.text)
    }
}

extension String {
    /// The longest beginning of at most `count` bytes of UTF-8 that splits no character.
    ///
    /// `prefix(_:)` counts characters, and one character has any number of bytes.
    package func prefix(bytes count: Int) -> String {
        guard self.utf8.count > count else { return self }
        guard count > 0 else { return "" }
        var end = self.utf8.index(self.startIndex, offsetBy: count)
        while end > self.startIndex {
            if let whole = end.samePosition(in: self) { return String(self[..<whole]) }
            end = self.utf8.index(before: end)
        }
        return ""
    }
}
