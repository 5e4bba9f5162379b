package import Clientless
import Cryptography

/// A JSON Web Token in compact form, read and not yet verified. Its claims come out by ``claims(verifiedBy:)`` alone.
package struct SignedToken: Sendable {
    /// The longest token read, in bytes. ID tokens with the groups of a household reach some 10 KiB.
    package static let maximumSize = 32 << 10
    /// The most keys a token without a key ID is tried with: each costs a verification.
    static let maximumTries = 8

    package let algorithm: SignatureAlgorithm
    package let keyID: String?
    /// The type that the token names, such as `logout+jwt`.
    package let type: String?
    private let text: String

    /// - Parameter algorithms: those agreed with the provider; the token may only choose among them (RFC 8725 3.1).
    /// - Throws: `malformed`, `encrypted`, `algorithm`.
    package init(_ text: String, algorithms: Set<SignatureAlgorithm>) throws(TokenFault) {
        guard (1...Self.maximumSize).contains(text.utf8.count) else { throw .malformed }
        let bytes = Array(text.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
            .map(\.indices)
        // RFC 7516 9: five parts are an encrypted token.
        if parts.count == 5 { throw .encrypted }
        guard parts.count == 3, let header = Base64.decodeURL(bytes.span.extracting(parts[0])),
            Base64.decodeURL(bytes.span.extracting(parts[1])) != nil,
            let signature = Base64.decodeURL(bytes.span.extracting(parts[2])),
            let header = ForeignJSON.object(header, limit: 8 << 10)
        else { throw .malformed }
        guard let name = header["alg"]?.string else { throw .malformed }
        guard let algorithm = SignatureAlgorithm(rawValue: name), algorithms.contains(algorithm)
        else { throw .algorithm }
        guard signature.count == algorithm.signatureSize ?? signature.count else { throw .malformed }
        // An extension that its writer declared critical, or an unencoded payload (RFC 7515 4.1.11, RFC 7797).
        guard header["crit"] == nil, header["b64"] == nil else { throw .malformed }
        if let id = header["kid"] {
            guard let id = id.string, (1...256).contains(id.utf8.count) else { throw .malformed }
            self.keyID = id
        } else {
            self.keyID = nil
        }
        self.algorithm = algorithm
        self.type = header["typ"]?.string
        self.text = text
    }

    /// The claims of a token that was verified when it came, and kept since.
    static func claims(kept text: String) -> JSONValue? {
        let parts = text.split(separator: ".")
        guard parts.count == 3 else { return nil }
        return Base64.decodeURL(parts[1]).flatMap { ForeignJSON.object($0, limit: Self.maximumSize) }
    }

    /// - Throws: `unknownKey` when no key of the set can be the token's; `signature`; `malformed` when what was signed is
    ///   no object.
    package func claims(verifiedBy keys: KeySet) throws(TokenFault) -> JSONValue {
        let candidates = keys.candidates(keyID: self.keyID, algorithm: self.algorithm)
        guard !candidates.isEmpty else { throw .unknownKey }
        for key in candidates.prefix(Self.maximumTries) {
            guard let payload = key.verified(self.text, self.algorithm) else { continue }
            guard let claims = ForeignJSON.object(payload, limit: Self.maximumSize) else { throw .malformed }
            return claims
        }
        throw .signature
    }
}
