/// The ID of a requestor or a TV provider on the wire: 1 to 64 ASCII letters, digits, `_` and `-`, compared
/// case-sensitively (rest-v1 3.2, 12).
package protocol WireIdentifier: Hashable, Sendable, Codable, CustomStringConvertible {
    var text: String { get }

    /// - Parameter text: of the grammar above; ``init(_:)`` checks.
    init(unchecked text: String)
}

extension WireIdentifier {
    /// - Returns: `nil` when `text` is not of the grammar above.
    package init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(isIdentifierByte) else { return nil }
        self.init(unchecked: text)
    }

    package var description: String { self.text }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "an identifier is 1 to 64 letters, digits, '_' or '-'"))
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.text)
    }
}

/// Whether it is an ASCII letter or digit, `_` or `-`.
package func isIdentifierByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
    default: false
    }
}

/// The identifier of a TV provider; the value of `mvpd` and `mso_id` (rest-v1 12).
package struct MVPDID: WireIdentifier {
    package let text: String

    package init(unchecked text: String) { self.text = text }
}

/// The identifier of a channel brand (rest-v1 3.2).
package struct RequestorID: WireIdentifier {
    package let text: String

    package init(unchecked text: String) { self.text = text }
}
