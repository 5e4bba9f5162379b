import Clientless
import Cryptography
import TextCoding

/// Finds what document the text of a token stands for, whatever the way it came did to it.
enum TokenText {
    /// - Returns: an empty list for other texts; two when the text holds spaces that can be understood in two ways.
    static func documents(from token: String) -> [SignedTokenDocument] {
        guard (1...MediaTokenVerifier.maximumTokenLength).contains(token.utf8.count),
            let first = token.utf8.first(where: { !Self.isSpace($0) })
        else { return [] }
        if first == UInt8(ascii: "<") { return [try? SignedTokenDocument(parsing: token)].compactMap(\.self) }

        // `%2B`, `%2F` and `%3D` may be left over from a form or a URL.
        guard let bytes = PercentCoding.strictlyDecoded(token) else { return [] }
        // A space came with a line break, or is a plus sign that a form decoder took for one.
        let base64 = bytes.filter { $0 == 0x20 || !Self.isSpace($0) }
        let withoutSpaces = base64.filter { $0 != 0x20 }
        let readings = withoutSpaces.count == base64.count ? [base64] : [withoutSpaces, Self.withPluses(base64)]
        return readings.compactMap(Self.decode)
    }

    /// Turns spaces into plus signs, but for those around the text. The length tells where a text ends, four symbols at
    /// a time: one document in three ends in a plus sign.
    private static func withPluses(_ base64: [UInt8]) -> [UInt8] {
        var text = base64.drop { $0 == 0x20 }
        while text.count % 4 != 0, text.last == 0x20 { text.removeLast() }
        return text.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }
    }

    private static func decode(_ base64: [UInt8]) -> SignedTokenDocument? {
        guard let bytes = Base64.decodeTolerantly(String(decoding: base64, as: UTF8.self)),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        return try? SignedTokenDocument(parsing: text)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
