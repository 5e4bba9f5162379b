package import Cryptography

/// The claims of a bearer token (rest-v1 10.4): which registered client may call which APIs, and until when.
package struct AccessTokenClaims: Hashable, Sendable {
    /// `sub`, 1 to 256 bytes.
    package let clientID: String
    /// 1 to 256 bytes.
    package let issuer: String
    /// To the second.
    package let issuedAt: Timestamp
    /// To the second.
    package let notBefore: Timestamp
    /// To the second; the token is good before this moment, not at it.
    package let expiresAt: Timestamp
    package let scopes: Set<Scope>
    /// The opaque tracking value of the token answer, 1 to 64 bytes.
    package let id: String

    package init(
        clientID: String, issuer: String, issuedAt: Timestamp, notBefore: Timestamp, expiresAt: Timestamp,
        scopes: Set<Scope>, id: String
    ) {
        self.clientID = clientID
        self.issuer = issuer
        self.issuedAt = issuedAt
        self.notBefore = notBefore
        self.expiresAt = expiresAt
        self.scopes = scopes
        self.id = id
    }

    /// The claims as a token, ES256: small enough for a header, and quick to make.
    /// - Throws: `signingFailed`.
    package func signed(by key: ECPrivateKey) throws(CryptographyError) -> String {
        try CompactToken.write(
            header: .object([
                .init("alg", .string(CompactToken.Algorithm.es256.rawValue)), .init("typ", .string("JWT")),
            ]),
            claims: .object([
                .init("sub", .string(self.clientID)), .init("iss", .string(self.issuer)),
                .init("iat", .integer(self.issuedAt.seconds)), .init("nbf", .integer(self.notBefore.seconds)),
                .init("exp", .integer(self.expiresAt.seconds)), .init("scopes", .string(Scope.text(for: self.scopes))),
                .init("id", .string(self.id)),
            ]),
            sign: { text throws(CryptographyError) in try key.joseSignature(for: text) })
    }

    /// Reads a token and checks that it is current. Scopes this version does not know are left out.
    /// - Parameter leeway: by how much the clocks of our nodes may differ (rest-v1 7.6).
    /// - Throws: `malformed`, `wrongAlgorithm`, `badSignature`, `badClaims`, `notYetValid`, `expired`.
    package init(
        reading text: String, trusting keys: [ECPublicKey], issuer: String, at now: Timestamp,
        leeway: Duration = .seconds(60)
    ) throws(JSONWebTokenError) {
        let claims = try CompactToken(text, algorithm: .es256).claims { signature, text in
            keys.contains { $0.isValidJOSESignature(signature, for: text) }
        }
        guard let clientID = claims["sub"]?.string, (1...256).contains(clientID.utf8.count),
            let id = claims["id"]?.string, (1...64).contains(id.utf8.count), claims["iss"]?.string == issuer,
            let issuedAt = claims["iat"]?.moment, let notBefore = claims["nbf"]?.moment,
            let expiresAt = claims["exp"]?.moment, let scopes = claims["scopes"]?.string
        else { throw .badClaims }
        guard notBefore <= now + leeway else { throw .notYetValid }
        guard now < expiresAt + leeway else { throw .expired }
        self.init(
            clientID: clientID, issuer: issuer, issuedAt: issuedAt, notBefore: notBefore, expiresAt: expiresAt,
            scopes: Scope.set(from: scopes), id: id)
    }
}
