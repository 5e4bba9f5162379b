import Clientless
package import Cryptography
import TextCoding

/// How this server proves to a provider which client it is (OpenID Connect Core 9).
package enum ClientAuthentication: Sendable {
    /// A public client: PKCE alone.
    case none
    case secretBasic(Secret)
    case secretPost(Secret)
    case privateKey(ClientKey)

    package enum Method: String, Sendable, Hashable, CaseIterable {
        case none
        case secretBasic = "client_secret_basic"
        case secretPost = "client_secret_post"
        case privateKey = "private_key_jwt"
    }

    package var method: Method {
        switch self {
        case .none: .none
        case .secretBasic: .secretBasic
        case .secretPost: .secretPost
        case .privateKey: .privateKey
        }
    }

    /// The form's parameters with those that prove the client, and the header that does.
    func apply(
        to parameters: [(String, String)], clientID: String, audience: String, now: Timestamp
    ) throws(CryptographyError) -> (parameters: [(String, String)], authorization: String?) {
        switch self {
        case .none: return (parameters + [("client_id", clientID)], nil)
        case .secretBasic(let secret):
            // RFC 6749 2.3.1: both are encoded as a form's values first, so that a colon stays what it is.
            let name = PercentCoding.encoded(clientID)
            let word = secret.withBytes { PercentCoding.encoded(String(decoding: $0, as: UTF8.self)) }
            return (parameters, "Basic \(Base64.encode("\(name):\(word)".utf8))")
        case .secretPost(let secret):
            let word = secret.withBytes { String(decoding: $0, as: UTF8.self) }
            return (parameters + [("client_id", clientID), ("client_secret", word)], nil)
        case .privateKey(let key):
            let assertion = try key.assertion(clientID: clientID, audience: audience, now: now)
            return (
                parameters + [
                    ("client_id", clientID),
                    ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
                    ("client_assertion", assertion),
                ], nil
            )
        }
    }
}

/// The private key of a client, whose public half the provider knows (RFC 7523).
package struct ClientKey: Sendable {
    package enum Key: Sendable {
        case rsa(RSAPrivateKey)
        case ec(ECPrivateKey)
    }

    /// How long an assertion counts; its clock may be off by as much.
    static let lifetime: Duration = .seconds(60)

    package let key: Key
    /// The provider's ID of the key.
    package let id: String?

    package init(_ key: Key, id: String?) {
        self.key = key
        self.id = id
    }

    /// - Throws: `signingFailed`.
    func assertion(clientID: String, audience: String, now: Timestamp) throws(CryptographyError) -> String {
        let algorithm =
            switch self.key {
            case .rsa: "RS256"
            case .ec: "ES256"
            }
        var header: [JSONValue.Member] = [.init("alg", .string(algorithm)), .init("typ", .string("JWT"))]
        if let id = self.id { header.append(.init("kid", .string(id))) }
        let claims: [JSONValue.Member] = [
            .init("iss", .string(clientID)), .init("sub", .string(clientID)), .init("aud", .string(audience)),
            .init("jti", .string(Hex.encode(SecureRandom.bytes(16)))), .init("iat", .integer(now.seconds)),
            .init("exp", .integer((now + Self.lifetime).seconds)),
        ]
        return try CompactToken.write(header: .object(header), claims: .object(claims)) {
            text throws(CryptographyError) in
            switch self.key {
            case .rsa(let key): try key.signature(for: text)
            case .ec(let key): try key.joseSignature(for: text)
            }
        }
    }
}
