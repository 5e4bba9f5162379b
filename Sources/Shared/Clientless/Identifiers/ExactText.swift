import TextCoding

/// Text from the wire, compared byte for byte, as stores do, too. Swift compares strings by canonical equivalence.
package struct ExactText: Sendable {
    package let text: String

    package init(_ text: some StringProtocol) { self.init(String(text)) }

    /// The same for a string.
    package init(_ text: String) { self.text = text }
}

extension ExactText: Hashable {
    package static func == (left: ExactText, right: ExactText) -> Bool {
        let (left, right) = (left.text.utf8, right.text.utf8)
        return left.span.elementsEqual(right.span)
    }

    package func hash(into hasher: inout Hasher) {
        // What is equal byte for byte is equal as a string too, and a string hashes at once what bytes hash one by one.
        hasher.combine(self.text)
    }
}
