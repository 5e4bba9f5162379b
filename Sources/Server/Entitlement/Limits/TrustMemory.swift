/// A bounded memory of the addresses, browser sessions and boxes that paired or signed in lately.
///
/// An account vouches for a limited number of them, or one account of a guesser would make a thousand addresses known.
final class TrustMemory: Sendable {
    enum Key: Hashable, Sendable {
        case address(NetworkAddress)
        case session([UInt8])
        case box([UInt8])
        case account(String, NetworkPrefix)
        /// An account's sign-ins in one browser session.
        case accountSession(String, [UInt8])
    }

    /// How long a success counts.
    private static let term: Duration = .seconds(30 * 86_400)
    /// How many sources an account makes known in a term.
    private static let vouchesPerAccount = 32

    /// By a hash under a key of this process: there are many, and keys are large.
    private let successes: BoundedMemory<Int, Duration>
    private let vouchers: BoundedMemory<String, (start: Duration, count: Int)>

    init(bound: Int) {
        self.successes = BoundedMemory(bound: bound)
        self.vouchers = BoundedMemory(bound: bound)
    }

    func isKnown(_ key: Key, at now: Duration) -> Bool {
        self.successes[key.hashValue].map { now < $0 + Self.term } ?? false
    }

    /// Remembers a success of `keys`, as far as `account` may still vouch for new ones.
    func remember(_ keys: [Key], account: String, at now: Duration) {
        for key in keys {
            if !self.isKnown(key, at: now), !self.vouches(account, at: now) { continue }
            self.successes.update(key.hashValue, initial: now) { $0 = max($0, now) }
        }
    }

    private func vouches(_ account: String, at now: Duration) -> Bool {
        self.vouchers.update(account, initial: (now, 0)) { vouching in
            if now >= vouching.start + Self.term { vouching = (now, 0) }
            guard vouching.count < Self.vouchesPerAccount else { return false }
            vouching.count += 1
            return true
        }
    }
}
