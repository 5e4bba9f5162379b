import Cryptography

/// `at_hash` and `c_hash` of an ID token (OpenID Connect Core 3.1.3.6, 3.3.2.11).
enum TokenHash {
    /// The left half of the token's digest.
    static func text(of token: String, _ digest: SignatureAlgorithm.Digest) -> String {
        let bytes =
            switch digest {
            case .sha256: Digest.sha256(token.utf8)
            case .sha384: Digest.sha384(token.utf8)
            case .sha512: Digest.sha512(token.utf8)
            }
        return Base64.encodeURL(bytes[..<(bytes.count / 2)])
    }
}
