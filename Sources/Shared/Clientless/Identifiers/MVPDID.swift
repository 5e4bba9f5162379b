/// The identifier of a TV provider, 1 to 64 letters, digits, `_`, `-`; the value of `mvpd` and `mso_id` (rest-v1 12).
package struct MVPDID: Hashable, Sendable, Codable, CustomStringConvertible {
    package let text: String

    /// - Returns: `nil` when `text` is not of the grammar above.
    package init?(_ text: some StringProtocol) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(isIdentifierByte) else { return nil }
        self.text = String(text)
    }

    package var description: String { self.text }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = MVPDID(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "a provider ID is 1 to 64 letters, digits, '_' or '-'"))
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.text)
    }
}
