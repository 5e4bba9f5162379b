/// The bytes of a SAML document, found safe to parse.
struct SAMLText {
    /// The largest metadata document read, in bytes.
    static let maximumMetadataSize = 1024 * 1024

    let bytes: [UInt8]

    /// - Throws: `tooLarge`; `notXML` if it is not UTF-8, or declares another encoding; `documentType`.
    init(_ bytes: [UInt8], maximumSize: Int) throws(AssertionFault) {
        guard bytes.count <= maximumSize else { throw .tooLarge }
        // In other encodings the words looked for below could hide: the parser must read what is searched here.
        guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0), Self.isDeclaredUTF8(bytes)
        else { throw .notXML }
        // A text without a document type has no entities, neither growing ones nor files or addresses to fetch.
        for name in ["<!DOCTYPE", "<!ENTITY"] where Self.contains(name, in: bytes) { throw .documentType }
        self.bytes = bytes
    }

    /// Whether the XML declaration, if there is one, names UTF-8 or no encoding.
    private static func isDeclaredUTF8(_ bytes: [UInt8]) -> Bool {
        // Behind a byte order mark the declaration would be looked for in the wrong place; behind white space there is
        // none.
        guard let first = bytes.first, "< \t\r\n".utf8.contains(first) else { return false }
        guard bytes.starts(with: "<?xml".utf8) else { return true }
        guard let end = bytes.prefix(256).firstIndex(of: UInt8(ascii: ">")) else { return false }
        let declaration = Array(bytes[..<end])
        guard Self.contains("ENCODING", in: declaration) else { return true }
        return Self.contains("\"UTF-8\"", in: declaration) || Self.contains("'UTF-8'", in: declaration)
    }

    /// - Parameter word: in upper case; found in any case.
    private static func contains(_ word: String, in bytes: [UInt8]) -> Bool {
        let word = Array(word.utf8)
        guard bytes.count >= word.count else { return false }
        for start in 0...(bytes.count - word.count) where Self.upperCase(bytes[start]) == word[0] {
            if word.indices.allSatisfy({ Self.upperCase(bytes[start + $0]) == word[$0] }) { return true }
        }
        return false
    }

    private static func upperCase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
    }
}
