import Clientless

/// Nonces that could not be stored, held by this node until they end or the store is back.
///
/// A full disk or a lock held for too long must not turn signed reads away, and their nonces are still good for one
/// call on this node, which has the store for itself.
struct HeldNonces: Sendable {
    /// The most that are held; beyond it calls are refused, since a forgotten nonce could be used again.
    private let bound: Int
    /// When each ends, by nonce and key.
    private var ends: [String: Timestamp] = [:]
    /// When the last of them ends.
    private var lastEnd = Timestamp(milliseconds: .min)

    init(bound: Int = 200_000) {
        self.bound = bound
    }

    /// How many are held, ended ones included until room is needed.
    var count: Int { self.ends.count }

    /// Whether a nonce is held and has not ended. Forgets all when all have.
    mutating func holds(_ nonce: String, of key: String, at now: Timestamp) -> Bool {
        guard now < self.lastEnd else {
            if !self.ends.isEmpty { self.ends = [:] }
            return false
        }
        guard let end = self.ends[Self.name(nonce, key)] else { return false }
        return now < end
    }

    /// Holds a nonce until `end`.
    /// - Returns: `nil` when there is no room; else whether it was fresh.
    mutating func take(_ nonce: String, of key: String, until end: Timestamp, now: Timestamp) -> Bool? {
        if self.holds(nonce, of: key, at: now) { return false }
        if self.ends.count >= self.bound { self.ends = self.ends.filter { now < $0.value } }
        guard self.ends.count < self.bound else { return nil }
        self.ends[Self.name(nonce, key)] = end
        self.lastEnd = max(self.lastEnd, end)
        return true
    }

    /// A key has no line end.
    private static func name(_ nonce: String, _ key: String) -> String { "\(key)\n\(nonce)" }
}
