import Clientless
import Synchronization

/// Access tokens whose signature was checked: a box shows the same token thousands of times.
///
/// Bounded in the way of `BoundedMemory`, but asked with one hash of the token in place of a digest and two hashes of
/// that, which took a quarter of a poll. A hash proves nothing, so the token is kept and compared whole.
final class VerifiedTokens: Sendable {
    private struct Entry: Sendable {
        let token: String
        let claims: AccessTokenClaims
    }

    private struct Generations: Sendable {
        var young: [Int: Entry] = [:]
        var old: [Int: Entry] = [:]
    }

    private final class Shard: Sendable {
        let generations = Mutex(Generations())
    }

    private static let shardCount = 16

    private let shards = (0..<VerifiedTokens.shardCount).map { _ in Shard() }
    private let youngLimit: Int

    /// - Parameter bound: the most tokens kept, rounded up to a multiple of twice the number of shards.
    init(bound: Int) {
        precondition(bound > 0, "a memory of tokens holds at least one")
        self.youngLimit = max(1, (bound + 2 * Self.shardCount - 1) / (2 * Self.shardCount))
    }

    /// The claims of a token that was remembered.
    subscript(token: String) -> AccessTokenClaims? {
        let (hash, limit) = (token.hashValue, self.youngLimit)
        return self.shard(hash).generations.withLock { generations in
            if let entry = generations.young[hash] { return Self.claims(entry, of: token) }
            guard let entry = generations.old[hash], let claims = Self.claims(entry, of: token) else { return nil }
            Self.keep(entry, hash, in: &generations, limit: limit)
            return claims
        }
    }

    /// Keeps a token that is genuine, in place of another of its hash.
    func remember(_ claims: AccessTokenClaims, of token: String) {
        let (hash, limit) = (token.hashValue, self.youngLimit)
        self.shard(hash).generations.withLock {
            Self.keep(Entry(token: token, claims: claims), hash, in: &$0, limit: limit)
        }
    }

    private func shard(_ hash: Int) -> Shard { self.shards[hash & (Self.shardCount - 1)] }

    /// Strings are equal that are spelt differently; but what is kept is ASCII, since it is ours, and anything else that
    /// equals an ASCII text has more bytes. In no constant time, as whoever measured it would have to know tokens of
    /// one hash, which is keyed.
    private static func claims(_ entry: Entry, of token: String) -> AccessTokenClaims? {
        entry.token == token && entry.token.utf8.count == token.utf8.count ? entry.claims : nil
    }

    private static func keep(_ entry: Entry, _ hash: Int, in generations: inout Generations, limit: Int) {
        generations.old[hash] = nil
        generations.young[hash] = entry
        guard generations.young.count > limit else { return }
        generations.old = generations.young
        generations.young = [:]
    }
}
