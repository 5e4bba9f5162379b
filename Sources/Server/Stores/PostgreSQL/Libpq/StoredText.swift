/// A text as the server keeps it. PostgreSQL has no U+0000 in a text, and callers may send one: it becomes U+0001 twice,
/// and U+0001 becomes U+0001 and U+0002. Other texts stay as they are; two that differ stay different.
enum StoredText {
    static func append(_ text: String, to bytes: inout [UInt8]) {
        guard text.utf8.contains(where: { $0 < 2 }) else { return bytes += text.utf8 }
        for byte in text.utf8 {
            switch byte {
            case 0, 1: bytes += [1, byte + 1]
            default: bytes.append(byte)
            }
        }
    }

    /// - Returns: `nil` for what is neither UTF-8 nor was written by ``append(_:to:)``.
    static func decode(_ stored: [UInt8]) -> String? {
        guard stored.contains(1) else { return String(validating: stored, as: UTF8.self) }
        var bytes: [UInt8] = []
        var rest = stored[...]
        while let byte = rest.popFirst() {
            guard byte == 1 else {
                bytes.append(byte)
                continue
            }
            guard let second = rest.popFirst(), second == 1 || second == 2 else { return nil }
            bytes.append(second - 1)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
