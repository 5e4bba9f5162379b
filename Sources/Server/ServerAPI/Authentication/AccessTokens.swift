package import Clientless
package import Cryptography
import Entitlement

/// Issues and reads the bearer tokens of registered clients (rest-v1 10.4), signed with ES256.
package final class AccessTokens: Sendable {
    /// Seconds from issue to expiry.
    package static let lifetime: Int64 = 21_600
    /// By how much clocks may differ when a token begins and ends (rest-v1 7.6).
    static let leeway: Duration = .seconds(60)

    private let signingKey: ECPrivateKey
    private let trustedKeys: [ECPublicKey]
    private let issuer: String
    /// Tokens whose signature was checked, by digest: a box shows the same token thousands of times.
    private let verified: BoundedMemory<[UInt8], AccessTokenClaims>

    /// - Parameters:
    ///   - signingKey: signs new tokens.
    ///   - olderKeys: still accepted after a rotation.
    ///   - issuer: the claim `iss`; tokens of another are refused.
    ///   - bound: the most verified tokens remembered.
    package init(
        signingKey: ECPrivateKey, olderKeys: [ECPublicKey] = [], issuer: String, bound: Int = 100_000
    ) {
        self.signingKey = signingKey
        self.trustedKeys = [signingKey.publicKey] + olderKeys
        self.issuer = issuer
        self.verified = BoundedMemory(bound: bound)
    }

    /// A token for `clientID`.
    /// - Throws: `signingFailed`.
    package func issue(
        to clientID: String, scopes: Set<Scope>, id: String, now: Timestamp
    ) throws(CryptographyError) -> String {
        try AccessTokenClaims(
            clientID: clientID, issuer: self.issuer, issuedAt: now, notBefore: now,
            expiresAt: now + .seconds(Self.lifetime), scopes: scopes, id: id
        ).signed(by: self.signingKey)
    }

    /// The claims of a token that is ours and current.
    /// - Returns: `nil` for anything else.
    package func claims(of token: String, now: Timestamp) -> AccessTokenClaims? {
        try? self.checked(token, now: now)
    }

    /// The same, for who wants to know what is wrong.
    /// - Throws: what reading a token throws; `expired` and `notYetValid` of genuine ones alone.
    func checked(_ token: String, now: Timestamp) throws(JSONWebTokenError) -> AccessTokenClaims {
        let digest = Digest.sha256(token.utf8)
        if let known = self.verified[digest] {
            guard known.notBefore <= now + Self.leeway else { throw .notYetValid }
            guard now < known.expiresAt + Self.leeway else { throw .expired }
            return known
        }
        let ticket = self.verified.ticket(for: digest)
        let claims = try AccessTokenClaims(
            reading: token, trusting: self.trustedKeys, issuer: self.issuer, at: now, leeway: Self.leeway)
        self.verified.remember(claims, for: digest, since: ticket)
        return claims
    }
}
