import Cryptography
import Synchronization

/// Whether the box of a login was told that it is signed in.
package enum Handover: Hashable, Sendable {
    /// The login is unknown: it ended long ago, or before this process began.
    case unknown
    case waiting
    case told
}

/// The logins confirmed lately, and which of their boxes were told, so that the viewer's page can say so at once.
///
/// It is a courtesy and lives in memory. If nodes share a store, any of them may tell the box, and none knows of the
/// others' pages: there the page does not ask.
final class Handovers: Sendable {
    /// Its browser is the keyed hash of the session. Confirmations that came together have a sign-in each; one is kept.
    private typealias Login = (browser: [UInt8], signIns: [AuthNID], isTold: Bool)

    private struct State {
        var logins: [AttemptID: Login] = [:]
        /// Of logins whose boxes were not told.
        var attempts: [AuthNID: AttemptID] = [:]
        /// In the order they came, the oldest first.
        var order: [AttemptID] = []
    }

    private let bound: Int
    private let room: WaitingRoom
    private let state = Mutex(State())
    /// How many boxes were not told yet. Polls of boxes that were look at this and at nothing else.
    private let pending = Atomic<Int>(0)

    /// - Parameter bound: the most logins remembered; none if it is 0.
    init(bound: Int, room: WaitingRoom) {
        self.bound = bound
        self.room = room
    }

    /// Notes a login that is about to sign its box in with `signIn`. The oldest is forgotten for it.
    func expect(_ attempt: AttemptID, browser: [UInt8], _ signIn: AuthNID) {
        guard self.bound > 0 else { return }
        self.state.withLock { state in
            if state.logins[attempt] == nil {
                if let oldest = state.order.first, state.order.count >= self.bound { Self.forget(oldest, in: &state) }
                state.logins[attempt] = (browser, [], false)
                state.order.append(attempt)
            }
            state.logins[attempt]?.signIns.append(signIn)
            state.attempts[signIn] = attempt
            self.pending.store(state.attempts.count, ordering: .releasing)
        }
    }

    /// Takes back a sign-in that was not kept after all.
    func takeBack(_ signIn: AuthNID) {
        self.state.withLock { state in
            guard let attempt = state.attempts.removeValue(forKey: signIn) else { return }
            state.logins[attempt]?.signIns.removeAll { $0 == signIn }
            if state.logins[attempt]?.signIns.isEmpty == true { Self.forget(attempt, in: &state) }
            self.pending.store(state.attempts.count, ordering: .releasing)
        }
    }

    /// Notes that the box of `signIn` was told of it, and wakes the page that waits for that.
    func noteTold(_ signIn: AuthNID) {
        guard self.pending.load(ordering: .acquiring) > 0 else { return }
        let attempt = self.state.withLock { state -> AttemptID? in
            guard let attempt = state.attempts.removeValue(forKey: signIn) else { return nil }
            state.logins[attempt]?.isTold = true
            self.pending.store(state.attempts.count, ordering: .releasing)
            return attempt
        }
        if let attempt { self.room.wake(.login(attempt)) }
    }

    /// - Parameter browser: the keyed hash of the session of the browser that asks; another's login is unknown to it.
    func handover(of attempt: AttemptID, browser: [UInt8]) -> Handover {
        self.state.withLock { state in
            guard let login = state.logins[attempt], constantTimeEqual(login.browser, browser) else { return .unknown }
            return login.isTold ? .told : .waiting
        }
    }

    private static func forget(_ attempt: AttemptID, in state: inout State) {
        guard let login = state.logins.removeValue(forKey: attempt) else { return }
        for signIn in login.signIns { state.attempts[signIn] = nil }
        if let place = state.order.firstIndex(of: attempt) { state.order.remove(at: place) }
    }
}
