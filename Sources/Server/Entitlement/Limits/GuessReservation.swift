import Clientless
import Synchronization

package enum GuessAdmission: ~Copyable {
    case lookUp(Reservation<GuessOutcome>)
    /// Answer that there is no such code, without a look: the caller was told so a moment ago. A look would let a guesser
    /// watch dead codes until one of them is issued.
    case knownWrong
    case refused(GuessRefusal)
}

package struct GuessRefusal: Error, Hashable, Sendable {
    package let scope: GuessScope
    package let wait: Duration
}

/// The budget that ended; a closed set, fit for the label of a counter.
package enum GuessScope: String, Hashable, Sendable, CaseIterable {
    case address
    case subscriber
    case network
    case provider
    case session
    case relay
    /// Guesses are scarce everywhere, and the caller has had its share.
    case service
    /// Passwords: one account from one network.
    case account
    /// Passwords: one login.
    case attempt
    /// Passwords: all logins of one code.
    case code

    init(_ tier: NetworkTier) {
        switch tier {
        case .address: self = .address
        case .subscriber: self = .subscriber
        case .network: self = .network
        case .provider: self = .provider
        }
    }
}

/// A budget that ended just now: worth one line in a log.
package struct GuessClosing: Hashable, Sendable {
    package let scope: GuessScope
    /// The network it happened to, or came from; never a single host's address.
    package let network: NetworkPrefix
    /// The account of the last wrong password, by ``ServerKeys/loginName(_:of:)``.
    package var viewer: String?
    /// The box that the last wrong password was for.
    package var box: BoxHandle?
}

package enum GuessOutcome: Hashable, Sendable {
    /// An open code, or a sign-in.
    case right
    /// A code that was, and is over: as wrong as any, but it may be asked for again at no cost.
    case ended
    case unknown

    var isWrong: Bool { self != .right }
}

/// A place among the tries of a stranger, taken before the look and settled after it.
///
/// A reservation that goes out of scope unsettled, as when the store or the provider did not answer, is given back.
package struct Reservation<Outcome: Sendable>: ~Copyable, Sendable {
    private let end: @Sendable (Outcome?, Duration) -> Void
    private var outcome: Outcome?
    private var time: Duration

    /// - Parameter end: settles the place with the outcome, or gives it back if there is none.
    init(at now: Duration, _ end: @escaping @Sendable (_ outcome: Outcome?, _ time: Duration) -> Void = { _, _ in }) {
        self.end = end
        self.time = now
    }

    package consuming func settle(_ outcome: Outcome, at now: Duration) {
        self.outcome = outcome
        self.time = now
    }

    deinit { self.end(self.outcome, self.time) }
}

/// It takes no place of the address when the session or box is known.
typealias Guess = (guesser: Guesser, mark: Int, takesAddress: Bool)

package typealias GuessCounts = (wrong: Int, refused: Int)

/// Counts as they come, on any thread.
final class GuessTally: Sendable {
    let wrong = Atomic<Int>(0)
    let refused = Atomic<Int>(0)

    var counts: GuessCounts { (self.wrong.load(ordering: .relaxed), self.refused.load(ordering: .relaxed)) }
}

/// A count that falls by itself, evenly, as a value.
///
/// Times are durations since a start that only a monotonic clock gives; one that lies before the last changes nothing.
struct LeakyCount: Hashable, Sendable {
    private var count: Double = 0
    private var time: Duration = .zero

    /// The count at `now`, when it falls by `leak` an hour.
    func value(at now: Duration, leak: Double) -> Double {
        guard now > self.time else { return self.count }
        return max(0, self.count - leak * Double((now - self.time).wholeMilliseconds) / 3_600_000)
    }

    /// Adds `amount`, which may be negative, and never falls below zero or rises above `most`.
    mutating func add(_ amount: Double, at now: Duration, leak: Double, most: Double) {
        self.count = min(most, max(0, self.value(at: now, leak: leak) + amount))
        self.time = max(self.time, now)
    }
}

/// The sender of a guess, as far as the server can tell.
package struct Guesser: Hashable, Sendable {
    /// The viewer's address; of a call that a programmer's server makes for a viewer, the address it forwards.
    package var address: NetworkAddress
    /// The keyed hash of the browser session or access token.
    package var session: [UInt8]?
    /// The keyed hash of the device that asks by itself.
    package var box: [UInt8]?
    package var relay: Relay?

    package init(_ address: NetworkAddress, session: [UInt8]? = nil, box: [UInt8]? = nil, relay: Relay? = nil) {
        self.address = address
        self.session = session
        self.box = box
        self.relay = relay
    }

    /// A caller that speaks for others, known by its credential and its network: the credential alone may be in every
    /// box, and must not be closed for all of them.
    package struct Relay: Hashable, Sendable {
        let credential: String
        let network: NetworkPrefix

        /// - Parameters:
        ///   - credential: the public key or client ID that proved the call.
        ///   - address: the address that the connection comes from.
        package init(credential: String, at address: NetworkAddress) {
            self.credential = credential
            self.network = address.prefix(address == .local ? .address : .network)
        }
    }

    /// The keys under which a success is remembered.
    var trustKeys: [TrustMemory.Key] {
        var keys: [TrustMemory.Key] = []
        if self.address != .local { keys.append(.address(self.address)) }
        if let session { keys.append(.session(session)) }
        if let box { keys.append(.box(box)) }
        return keys
    }
}
