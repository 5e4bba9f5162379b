import TextCoding

/// The box's own ID: 1 to 512 bytes of UTF-8 without control characters, compared byte for byte (rest-v1 6.1).
///
/// Together with a key it opens the box's sign-in, so its textual form is hidden; `text` opens it.
package struct DeviceID: Hashable, Sendable, CustomStringConvertible {
    private let exact: ExactText

    package var text: String { self.exact.text }

    /// - Returns: `nil` when `text` is empty, longer than 512 bytes, or holds a control character.
    package init?(_ text: String) { self.init(text, without: nil) }

    /// An ID as a call or an operator wrote it.
    ///
    /// Bytes that are not UTF-8 have become U+FFFD by then; such an ID is refused, or two broken ones would be one device.
    package init?(fromWire text: String) { self.init(text, without: "\u{FFFD}") }

    private init?(_ text: String, without refused: Unicode.Scalar?) {
        guard (1...512).contains(text.utf8.count) else { return nil }
        // Nearly every device ID is printable ASCII, for which nothing has to be looked up.
        let bytes = text.utf8
        if !bytes.span.isPrintable {
            for scalar in text.unicodeScalars
            where scalar == refused || scalar.properties.generalCategory == .control { return nil }
        }
        self.exact = ExactText(text)
    }

    package var description: String { "<device>" }
}
