import Clientless

/// The person who uses a promotional trial, as the programmer names them: a JSON object with one configured key
/// (rest-v1 20.3).
struct GenericData {
    /// The longest text read, in bytes.
    static let maximumLength = 4096
    /// The longest value taken, in bytes; a SHA-512 in hexadecimal has 128.
    static let maximumValue = 512

    private let object: FlatJSONObject

    /// - Returns: `nil` if it is no JSON object. Parentheses do for its braces: examples in documentation print them.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        var bytes = Array(text.utf8.drop { $0 <= 0x20 })
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        if bytes.first == UInt8(ascii: "("), bytes.last == UInt8(ascii: ")") {
            bytes[0] = UInt8(ascii: "{")
            bytes[bytes.count - 1] = UInt8(ascii: "}")
        }
        guard let object = FlatJSONObject(bytes) else { return nil }
        self.object = object
    }

    /// The value of `key`, when it is a text of 1 to ``maximumValue`` bytes.
    subscript(key: String) -> String? {
        guard let text = self.object.text(key), (1...Self.maximumValue).contains(text.utf8.count) else { return nil }
        return text
    }
}
