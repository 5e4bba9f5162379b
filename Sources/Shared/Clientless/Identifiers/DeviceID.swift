/// What a box calls itself: 1 to 512 bytes of UTF-8 without control characters, compared byte for byte (rest-v1 6.1).
///
/// Together with a key it opens the box's sign-in, so its textual form is hidden; `text` opens it.
package struct DeviceID: Sendable, CustomStringConvertible {
    package let text: String

    /// - Returns: `nil` when `text` is empty, longer than 512 bytes, or holds a control character.
    package init?(_ text: some StringProtocol) {
        guard (1...512).contains(text.utf8.count) else { return nil }
        for scalar in text.unicodeScalars where scalar.properties.generalCategory == .control { return nil }
        self.text = String(text)
    }

    package var description: String { "<device>" }
}

extension DeviceID: Hashable {
    // Swift compares strings by canonical equivalence; the wire compares bytes.
    package static func == (left: DeviceID, right: DeviceID) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in self.text.utf8 { hasher.combine(byte) }
    }
}
