package import Clientless
package import Cryptography
import Entitlement
import Synchronization

/// Issues and reads the bearer tokens of registered clients (rest-v1 10.4), signed with ES256.
package final class AccessTokens: Sendable {
    /// Seconds from issue to expiry.
    package static let lifetime: Int64 = 21_600
    /// By how much clocks may differ when a token begins and ends (rest-v1 7.6).
    static let leeway: Duration = .seconds(60)

    /// The keys of the moment: the one that signs new tokens, and all whose signatures count.
    package typealias Keys = (signing: ECPrivateKey, accepted: [ECPublicKey])

    private let keys: @Sendable () -> Keys
    private let generation: @Sendable () -> Int
    let issuer: String
    private let bound: Int
    private let memory: Mutex<(generation: Int, tokens: VerifiedTokens)>

    /// Tokens whose signature was checked. They are forgotten whenever a key is withdrawn.
    private var verified: VerifiedTokens {
        let generation = self.generation()
        return self.memory.withLock { memory in
            if memory.generation != generation {
                memory = (generation, VerifiedTokens(bound: self.bound))
            }
            return memory.tokens
        }
    }

    /// - Parameters:
    ///   - issuer: the claim `iss`, also of software statements; those of another are refused.
    ///   - bound: the most verified tokens remembered.
    ///   - generation: asked with every call, so it must cost nothing; another number whenever a key was taken away.
    ///   - keys: asked with every token that is issued or not remembered.
    package init(
        issuer: String, bound: Int = 100_000, generation: @escaping @Sendable () -> Int = { 0 },
        keys: @escaping @Sendable () -> Keys
    ) {
        self.keys = keys
        self.generation = generation
        self.issuer = issuer
        self.bound = bound
        self.memory = Mutex((generation(), VerifiedTokens(bound: bound)))
    }

    /// Tokens under a key that stays.
    package convenience init(signingKey: ECPrivateKey, issuer: String) {
        self.init(issuer: issuer) { (signingKey, [signingKey.publicKey]) }
    }

    /// A token for `clientID`.
    /// - Throws: `signingFailed`.
    package func issue(
        to clientID: String, scopes: Set<Scope>, id: String, now: Timestamp
    ) throws(CryptographyError) -> String {
        try AccessTokenClaims(
            clientID: clientID, issuer: self.issuer, issuedAt: now, notBefore: now,
            expiresAt: now + .seconds(Self.lifetime), scopes: scopes, id: id
        ).signed(by: self.keys().signing)
    }

    /// The claims of a token that is ours and current.
    /// - Returns: `nil` for anything else.
    package func claims(of token: String, now: Timestamp) -> AccessTokenClaims? {
        try? self.checked(token, now: now)
    }

    /// The same, for a caller that wants to know what is wrong.
    /// - Throws: what reading a token throws; `expired` and `notYetValid` of genuine ones alone.
    func checked(_ token: String, now: Timestamp) throws(JSONWebTokenError) -> AccessTokenClaims {
        // Taken once, before the keys: what is checked while keys change is remembered with those that go.
        let verified = self.verified
        if let known = verified[token] {
            guard known.notBefore <= now + Self.leeway else { throw .notYetValid }
            guard now < known.expiresAt + Self.leeway else { throw .expired }
            return known
        }
        let claims = try AccessTokenClaims(
            reading: token, trusting: self.keys().accepted, issuer: self.issuer, at: now, leeway: Self.leeway)
        verified.remember(claims, of: token)
        return claims
    }
}

/// Access tokens whose signature was checked: a box shows the same token thousands of times.
///
/// Asked with one hash of the token in place of a digest, which took a quarter of a poll. A hash proves nothing, so the
/// token is kept and compared whole.
typealias VerifiedTokens = BoundedMemory<Int, (token: String, claims: AccessTokenClaims)>

extension VerifiedTokens {
    /// The claims of a token that was remembered.
    ///
    /// Strings are equal that are spelt differently; but what is kept is ASCII, since it is ours, and anything else that
    /// equals an ASCII text has more bytes. The comparison takes no constant time: a guesser who measured it would have
    /// to know tokens of one hash, which is keyed.
    subscript(token: String) -> AccessTokenClaims? {
        guard let entry = self[token.hashValue], entry.token == token,
            entry.token.utf8.count == token.utf8.count
        else { return nil }
        return entry.claims
    }

    /// Keeps a token that is genuine, in place of another of its hash.
    func remember(_ claims: AccessTokenClaims, of token: String) {
        let hash = token.hashValue
        self.remember((token, claims), for: hash, since: self.ticket(for: hash))
    }
}
