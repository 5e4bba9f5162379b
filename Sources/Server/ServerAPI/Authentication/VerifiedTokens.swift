import Clientless
import Entitlement

/// Access tokens whose signature was checked: a box shows the same token thousands of times.
///
/// Asked with one hash of the token in place of a digest, which took a quarter of a poll. A hash proves nothing, so the
/// token is kept and compared whole.
struct VerifiedTokens: Sendable {
    private struct Entry: Sendable {
        let token: String
        let claims: AccessTokenClaims
    }

    private let memory: BoundedMemory<Int, Entry>

    /// - Parameter bound: the most tokens kept, rounded up to a multiple of twice the number of shards.
    init(bound: Int) {
        self.memory = BoundedMemory(bound: bound)
    }

    /// The claims of a token that was remembered.
    ///
    /// Strings are equal that are spelt differently; but what is kept is ASCII, since it is ours, and anything else that
    /// equals an ASCII text has more bytes. The comparison takes no constant time: a guesser who measured it would have
    /// to know tokens of one hash, which is keyed.
    subscript(token: String) -> AccessTokenClaims? {
        guard let entry = self.memory[token.hashValue], entry.token == token,
            entry.token.utf8.count == token.utf8.count
        else { return nil }
        return entry.claims
    }

    /// Keeps a token that is genuine, in place of another of its hash.
    func remember(_ claims: AccessTokenClaims, of token: String) {
        let hash = token.hashValue
        self.memory.remember(
            Entry(token: token, claims: claims), for: hash, since: self.memory.ticket(for: hash))
    }
}
