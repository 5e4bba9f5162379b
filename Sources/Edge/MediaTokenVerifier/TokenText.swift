import Clientless
import Cryptography

/// Finds the document in the text of a token, whatever the way it came did to it.
enum TokenText {
    /// - Returns: `nil` when there is none.
    static func document(from token: String) -> SignedTokenDocument? {
        guard (1...MediaTokenVerifier.maximumTokenLength).contains(token.utf8.count) else { return nil }
        guard let first = token.utf8.first(where: { !Self.isSpace($0) }) else { return nil }
        if first == UInt8(ascii: "<") { return try? SignedTokenDocument(parsing: token) }

        guard let base64 = Self.withoutPercentCodes(token) else { return nil }
        // A space came with a line break, or is a plus sign that a form decoder took for one. Only one of the readings
        // gives a document.
        let withoutSpaces = base64.filter { $0 != 0x20 }
        let withPluses = Self.trimmed(base64).map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }
        return [withoutSpaces, withPluses].lazy.compactMap(Self.decode).first
    }

    private static func decode(_ base64: [UInt8]) -> SignedTokenDocument? {
        guard let bytes = Base64.decodeTolerantly(String(decoding: base64, as: UTF8.self)),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        return try? SignedTokenDocument(parsing: text)
    }

    /// `%2B`, `%2F` and `%3D` that were left over from a form or a URL.
    private static func withoutPercentCodes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(Hex.value), let low = rest.next().flatMap(Hex.value) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        guard let first = bytes.firstIndex(where: { !Self.isSpace($0) }),
            let last = bytes.lastIndex(where: { !Self.isSpace($0) })
        else { return [] }
        return bytes[first...last]
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}
