package import Cryptography

/// A token document: a signature element and the token element it signs, side by side (rest-v1 22.1).
///
/// The signature covers the bytes of the token element exactly as they stand, so the element is kept as text and read
/// apart from it.
package struct SignedTokenDocument: Hashable, Sendable, CustomStringConvertible {
    /// The longest document read, in bytes: a resource of 8192 bytes may take six times as many when escaped.
    package static let maximumLength = 65_536

    /// PKCS#1 v1.5 or DER, over the SHA-256 digest of ``element``.
    package let signature: [UInt8]
    /// From `<` of the token element's start to `>` of its end.
    package let element: String

    /// Signs a token element.
    /// - Throws: `signingFailed`.
    package init(element: String, signedBy key: some SigningKey) throws(CryptographyError) {
        self.element = element
        self.signature = try key.signature(for: element.utf8.span)
    }

    /// Reads a document. The signature element may end in `</signatureInfo>` or in a second `<signatureInfo>`, as
    /// documentation prints it, and white space may stand around both elements.
    /// - Throws: `malformed`. Whether the token element is well formed shows when it is read.
    package init(parsing text: some StringProtocol) throws(TokenDocumentError) {
        guard text.utf8.count <= Self.maximumLength else { throw TokenDocumentError(code: .malformed) }
        var rest = XMLText.trimmed(Substring(text))
        guard Self.take("<signatureInfo>", from: &rest), let end = rest.utf8.firstIndex(of: UInt8(ascii: "<")),
            let signature = Base64.decodeTolerantly(rest[..<end]), !signature.isEmpty
        else { throw TokenDocumentError(code: .malformed) }
        rest = rest[end...]
        guard Self.take("</signatureInfo>", from: &rest) || Self.take("<signatureInfo>", from: &rest) else {
            throw TokenDocumentError(code: .malformed)
        }
        rest = XMLText.trimmed(rest)
        guard rest.utf8.first == UInt8(ascii: "<"), rest.utf8.last == UInt8(ascii: ">") else {
            throw TokenDocumentError(code: .malformed)
        }
        self.signature = signature
        self.element = String(rest)
    }

    /// The document, on one line.
    package var text: String { String(decoding: self.bytes, as: UTF8.self) }

    /// The same in UTF-8.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * self.signature.count + self.element.utf8.count + 64)
        bytes += "<signatureInfo>".utf8
        Base64.append(self.signature.span, to: &bytes)
        bytes += "</signatureInfo>".utf8
        bytes += self.element.utf8
        return bytes
    }

    package func isSigned(byOneOf keys: [VerificationKey]) -> Bool {
        keys.contains { $0.isValidSignature(self.signature, for: self.element.utf8) }
    }

    // Every holder of a document can use it.
    package var description: String { "<token document>" }

    private static func take(_ token: String, from text: inout Substring) -> Bool {
        guard text.utf8.starts(with: token.utf8) else { return false }
        text = text[text.utf8.index(text.startIndex, offsetBy: token.utf8.count)...]
        return true
    }
}
