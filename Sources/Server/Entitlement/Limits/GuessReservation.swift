/// The admission of a code that a stranger named.
package enum GuessAdmission: ~Copyable {
    /// Look it up, and settle the reservation with what was found.
    case lookUp(GuessReservation)
    /// Answer that there is no such code, without a look: the caller was told so a moment ago. A look would let a guesser
    /// watch dead codes until one of them is issued.
    case knownWrong
    /// Answer that there were too many attempts, without a look.
    case refused(GuessRefusal)
}

/// Why a stranger may not try now.
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

/// The outcome of a guess.
package enum GuessOutcome: Hashable, Sendable {
    /// An open code, or a sign-in.
    case right
    /// A code that was, and is over: as wrong as any, but it may be asked for again at no cost.
    case ended
    /// No such code.
    case unknown
}

/// A place among the guesses of a stranger, taken before the look and settled after it.
///
/// A reservation that goes out of scope unsettled, as when the store did not answer, is given back.
package struct GuessReservation: ~Copyable, Sendable {
    let guessing: Guessing?
    let guess: Guess?
    private var outcome: GuessOutcome?
    private var time: Duration

    /// - Parameter guess: `nil` for a look that costs nothing.
    init(_ guessing: Guessing, _ guess: Guess?, at now: Duration) {
        self.guessing = guessing
        self.guess = guess
        self.time = now
    }

    package consuming func settle(_ outcome: GuessOutcome, at now: Duration) {
        self.outcome = outcome
        self.time = now
    }

    deinit {
        guard let guessing, let guess else { return }
        guessing.settle(guess, self.outcome, at: self.time)
    }
}

/// A guess that a reservation holds.
struct Guess: Sendable {
    let guesser: Guesser
    let mark: Int
    /// Whether it takes a place of the address; not when the session or box is known.
    let takesAddress: Bool
}
