import Cryptography

/// The signature algorithms that are verified here (RFC 7518 3.1). `none` and those with a shared secret are not among
/// them, so no token can ask for them.
package enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable, Codable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"

    /// The one kind of key that the algorithm is used with. An elliptic curve is part of it (RFC 7518 3.4).
    package enum KeyKind: Hashable, Sendable {
        case rsa
        case ec(curve: String)
    }

    package var keyKind: KeyKind {
        switch self {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa
        case .es256: .ec(curve: "P-256")
        case .es384: .ec(curve: "P-384")
        case .es512: .ec(curve: "P-521")
        }
    }

    /// The one size of a signature on an elliptic curve (RFC 7518 3.4); that of RSA follows from the key.
    ///
    /// cjose halves whatever it is given, and drops a byte that is left over.
    var signatureSize: Int? {
        switch self {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: nil
        case .es256: 64
        case .es384: 96
        case .es512: 132
        }
    }

    /// The left half of the digest of a token or a code, which stands for it in an ID token (OpenID Connect Core 3.1.3.6).
    func hash(of text: String) -> String {
        let bytes =
            switch self {
            case .rs256, .ps256, .es256: Digest.sha256(text.utf8)
            case .rs384, .ps384, .es384: Digest.sha384(text.utf8)
            case .rs512, .ps512, .es512: Digest.sha512(text.utf8)
            }
        return Base64.encodeURL(bytes[..<(bytes.count / 2)])
    }
}
