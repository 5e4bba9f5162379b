package import Clientless

/// The life of one registration code as a value: it takes an event at a time, or refuses it.
///
/// It knows nothing of stores and sockets. Its owner swaps the changed value into the store.
package struct RegistrationCode: Hashable, Sendable {
    /// A login that comes back this long after expiry still signs the device in (rest-v1 9).
    package static let grace: Duration = .seconds(120)

    package enum State: Hashable, Sendable {
        /// No viewer is signing in, or the last provider refused for the reason kept here, which is empty if it gave none.
        case waiting(refusal: String?)
        /// A viewer entered the code, and picks a provider.
        case opened
        /// At least one viewer was sent to a provider.
        case loggingIn
        /// A provider said yes and the viewer is asked whether this is their box.
        case confirming
        /// Signed in; the AuthN record it created is named.
        case completed(AuthNID)
        /// The viewer said that this is not their box. Final.
        case declined
        /// The box withdrew the code, or newer codes of the same box took its place. Final.
        case cancelled
        /// Its time is over. Final.
        case expired
    }

    package enum Event: Hashable, Sendable {
        case opened
        case providerChosen
        /// A provider vouched for the viewer, who still has to look at the box.
        case providerAccepted
        /// A provider said no; the sentence is the provider's own.
        case providerRefused(reason: String?)
        /// The viewer, whom a provider vouched for, confirmed the box, or need not. Its owner keeps this sign-in.
        case confirmed(AuthNID)
        case declined
        case cancelled
    }

    package enum Refusal: Error, Hashable, Sendable {
        case alreadyCompleted, declined, cancelled, expired
    }

    /// Whether a viewer signed the box in with it, at whatever time.
    package var isCompleted: Bool { if case .completed = self.storedState { true } else { false } }

    package let generated: Timestamp
    package let expires: Timestamp
    /// The state as last stored; time may have moved on, see ``state(at:)``.
    package private(set) var storedState: State

    package init(generated: Timestamp, expires: Timestamp, state: State = .waiting(refusal: nil)) {
        self.generated = generated
        self.expires = expires
        self.storedState = state
    }

    /// The state of the code at `now`; the end of its life needs no write to come true.
    package func state(at now: Timestamp) -> State {
        switch self.storedState {
        case .declined, .cancelled, .expired: self.storedState
        case .waiting, .opened, .loggingIn, .confirming, .completed: now < self.expires ? self.storedState : .expired
        }
    }

    /// Whether a provider's yes, or that of the viewer it vouched for, is taken at `now`.
    package func takesLogin(at now: Timestamp) -> Bool {
        switch self.storedState {
        case .waiting, .opened, .loggingIn, .confirming: now < self.expires + Self.grace
        case .completed, .declined, .cancelled, .expired: false
        }
    }

    /// Takes `event` at `now`.
    /// - Throws: ``Refusal``, and leaves the value as it was, when the code's state does not allow the event.
    package mutating func apply(_ event: Event, at now: Timestamp) throws(Refusal) {
        switch self.state(at: now) {
        case .waiting, .opened, .loggingIn, .confirming:
            self.applyWhileOpen(event)
        case .completed:
            // First success wins: a second one overwrites nothing, and a box that is signed in stays so.
            throw .alreadyCompleted
        case .declined:
            throw .declined
        case .cancelled:
            throw .cancelled
        case .expired:
            try self.applyAfterExpiry(event, at: now)
        }
    }

    private mutating func applyWhileOpen(_ event: Event) {
        switch event {
        case .opened:
            // A refusal is still to be told, and a viewer who got further counts more.
            if case .waiting(let refusal) = self.storedState, refusal?.isEmpty != false { self.storedState = .opened }
        case .providerChosen:
            // Another viewer may already be looking at the confirmation; a new attempt must not hide that.
            if self.storedState != .confirming { self.storedState = .loggingIn }
        case .providerAccepted:
            self.storedState = .confirming
        case .confirmed(let authentication):
            self.storedState = .completed(authentication)
        case .providerRefused(let reason):
            if self.storedState != .confirming { self.storedState = .waiting(refusal: reason ?? "") }
        case .declined:
            self.storedState = .declined
        case .cancelled:
            self.storedState = .cancelled
        }
    }

    private mutating func applyAfterExpiry(_ event: Event, at now: Timestamp) throws(Refusal) {
        guard now < self.expires + Self.grace else { throw .expired }
        if case .expired = self.storedState { throw .expired }
        if case .completed = self.storedState { throw .alreadyCompleted }
        switch event {
        case .providerAccepted, .providerRefused:
            break
        case .confirmed:
            // The box finds the record through its device; the code itself is over, once and for all.
            self.storedState = .expired
        case .declined:
            self.storedState = .declined
        case .opened, .providerChosen, .cancelled:
            throw .expired
        }
    }
}

/// The standing of a code with the box that polls it.
package enum CodeStanding: Hashable, Sendable {
    /// There is no such code, or it is another requestor's.
    case unknown
    case open(CodePhase, refusal: String?)
    /// Completed, and the sign-in it led to holds.
    indirect case signedIn(AuthNRecord)
    /// Completed, and the sign-in it led to is over.
    indirect case signInExpired(AuthNRecord)
    /// Completed, and the sign-in was replaced or logged out.
    case signInGone
    case declined
    case cancelled
    case expired
}

package enum CodePhase: String, Hashable, Sendable {
    case waiting
    /// A viewer entered it, and picks a provider.
    case opened
    case loggingIn, confirming
}
