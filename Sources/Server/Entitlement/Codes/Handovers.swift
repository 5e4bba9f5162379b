import Clientless
import Cryptography
import Synchronization

/// Whether the box of a login was told that it is signed in.
package enum Handover: Hashable, Sendable {
    /// Nothing is known of such a login: it ended long ago, or before this process began.
    case unknown
    case waiting
    case told
}

/// The logins confirmed lately, and which of their boxes were told, so that the viewer's page can say so at once.
///
/// It is a courtesy and lives in this process alone: a page that waits at another node learns nothing, and says what to
/// do when a box stays silent.
final class Handovers: Sendable {
    /// A browser's login, by the hashes the store knows it by.
    struct Login: Hashable, Sendable {
        let attempt: AttemptID
        /// The keyed hash of the browser's session.
        let browser: [UInt8]
        let code: RegistrationCodeText
    }

    private struct State {
        var logins: [AttemptID: Login] = [:]
        var attempts: [AuthNID: AttemptID] = [:]
        var told: Set<AttemptID> = []
        /// In the order they came, the oldest first.
        var order: [(attempt: AttemptID, signIn: AuthNID)] = []
        var pending: Int { self.logins.count - self.told.count }
    }

    private let bound: Int
    private let room: WaitingRoom
    private let state = Mutex(State())
    /// How many boxes were not told yet. Polls of boxes that were look at this and at nothing else.
    private let pending = Atomic<Int>(0)

    init(bound: Int, room: WaitingRoom) {
        self.bound = bound
        self.room = room
    }

    /// Notes a login that is about to sign its box in with `signIn`. The oldest is forgotten for it.
    func expect(_ login: Login, _ signIn: AuthNID) {
        guard self.bound > 0 else { return }
        self.state.withLock { state in
            if state.logins[login.attempt] != nil { Self.forget(login.attempt, in: &state) }
            if state.order.count >= self.bound { Self.forget(state.order[0].attempt, in: &state) }
            state.logins[login.attempt] = login
            state.attempts[signIn] = login.attempt
            state.order.append((login.attempt, signIn))
            self.pending.store(state.pending, ordering: .releasing)
        }
    }

    /// Notes that the box of `signIn` was told of it, and wakes the page that waits for that.
    func noteTold(_ signIn: AuthNID) {
        guard self.pending.load(ordering: .acquiring) > 0 else { return }
        let code = self.state.withLock { state -> RegistrationCodeText? in
            guard let attempt = state.attempts[signIn], state.told.insert(attempt).inserted else { return nil }
            self.pending.store(state.pending, ordering: .releasing)
            return state.logins[attempt]?.code
        }
        if let code { self.room.wake(.code(code)) }
    }

    /// - Parameter browser: the keyed hash of the session of the browser that asks; another's login is unknown to it.
    func handover(of attempt: AttemptID, browser: [UInt8]) -> (code: RegistrationCodeText, standing: Handover)? {
        self.state.withLock { state in
            guard let login = state.logins[attempt], constantTimeEqual(login.browser, browser) else { return nil }
            return (login.code, state.told.contains(attempt) ? .told : .waiting)
        }
    }

    private static func forget(_ attempt: AttemptID, in state: inout State) {
        guard let place = state.order.firstIndex(where: { $0.attempt == attempt }) else { return }
        state.attempts[state.order[place].signIn] = nil
        state.logins[attempt] = nil
        state.told.remove(attempt)
        state.order.remove(at: place)
    }
}
