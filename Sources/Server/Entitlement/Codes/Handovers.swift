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
/// It is a courtesy and lives in memory. Of several nodes the page asks whichever has its turn: one that knows nothing of
/// the login reads it from the store, with the code's version when it was completed (``LoginAttempt/Progress``). The node
/// that tells the box swaps the completed code once more, unchanged, and the later version says so to all
/// (``SignIns/tellOtherNodes(of:now:)``). That is one change for a pairing and each node that its box asks within ten
/// minutes, and none where there is one node.
final class Handovers: Sendable {
    /// A browser's login, by the hashes the store knows it by.
    struct Login: Hashable, Sendable {
        let attempt: AttemptID
        /// The keyed hash of the browser's session.
        let browser: [UInt8]
        let code: RegistrationCodeText
        /// The code's version once it is completed. A later one says that a node told the box.
        let version: Int
    }

    private struct State {
        var logins: [AttemptID: Login] = [:]
        var attempts: [AuthNID: AttemptID] = [:]
        /// The sign-in that each code led to.
        var signIns: [RegistrationCodeText: AuthNID] = [:]
        var told: Set<AttemptID> = []
        /// In the order they came, the oldest first.
        var order: [(attempt: AttemptID, signIn: AuthNID)] = []
        var pending: Int { self.logins.count - self.told.count }
    }

    /// How long after its confirmation a page waits for its box (`handover.js`).
    static let patience: Duration = .seconds(600)

    private let bound: Int
    private let room: WaitingRoom
    /// Whether the page may ask other nodes.
    private let isShared: Bool
    private let state = Mutex(State())
    /// The sign-ins of which the code says that the box was told, as far as this node knows. Of a forgotten one it is said
    /// once more, which does no harm.
    private let passedOn = BoundedMemory<AuthNID, Bool>(bound: 65_536)
    /// How many boxes were not told yet. Polls of boxes that were look at this and at nothing else.
    private let pending = Atomic<Int>(0)

    init(bound: Int, room: WaitingRoom, isShared: Bool) {
        self.bound = bound
        self.room = room
        self.isShared = isShared
    }

    /// Notes a login that is about to sign its box in with `signIn`. The oldest is forgotten for it.
    func expect(_ login: Login, _ signIn: AuthNID) {
        guard self.bound > 0 else { return }
        self.state.withLock { state in
            if state.logins[login.attempt] != nil { Self.forget(login.attempt, in: &state) }
            if state.order.count >= self.bound { Self.forget(state.order[0].attempt, in: &state) }
            state.logins[login.attempt] = login
            state.attempts[signIn] = login.attempt
            state.signIns[login.code] = signIn
            state.order.append((login.attempt, signIn))
            self.pending.store(state.pending, ordering: .releasing)
        }
    }

    /// Notes that the box of `signIn` was told of it, and wakes the page that waits for that.
    func noteTold(_ signIn: AuthNID) {
        guard self.pending.load(ordering: .acquiring) > 0 else { return }
        let attempt = self.state.withLock { state -> AttemptID? in
            guard let attempt = state.attempts[signIn], state.told.insert(attempt).inserted else { return nil }
            self.pending.store(state.pending, ordering: .releasing)
            return attempt
        }
        if let attempt { self.room.wake(.login(attempt)) }
    }

    /// - Parameter browser: the keyed hash of the session of the browser that asks; another's login is unknown to it.
    /// - Returns: `nil` for a login of which nothing is remembered.
    func handover(of attempt: AttemptID, browser: [UInt8]) -> Handover? {
        self.state.withLock { state in
            guard let login = state.logins[attempt] else { return nil }
            guard constantTimeEqual(login.browser, browser) else { return .unknown }
            return state.told.contains(attempt) ? .told : .waiting
        }
    }

    private static func forget(_ attempt: AttemptID, in state: inout State) {
        guard let place = state.order.firstIndex(where: { $0.attempt == attempt }) else { return }
        let signIn = state.order[place].signIn
        state.attempts[signIn] = nil
        if let code = state.logins[attempt]?.code, state.signIns[code] == signIn { state.signIns[code] = nil }
        state.logins[attempt] = nil
        state.told.remove(attempt)
        state.order.remove(at: place)
    }
}

// Boxes and pages at two nodes.
extension Handovers {
    /// The sign-in of a code whose box was not told of it here, and the code's version before another node told it.
    func awaited(by code: RegistrationCodeText) -> (signIn: AuthNID, version: Int)? {
        guard self.pending.load(ordering: .acquiring) > 0 else { return nil }
        return self.state.withLock { state in
            guard let signIn = state.signIns[code], let attempt = state.attempts[signIn],
                !state.told.contains(attempt), let login = state.logins[attempt]
            else { return nil }
            return (signIn, login.version)
        }
    }

    /// Notes that the code of `signIn` says that the box was told.
    func noteToldElsewhere(_ signIn: AuthNID) {
        _ = self.takePassingOn(signIn)
        self.noteTold(signIn)
    }

    /// Whether a page may wait at another node until the box of `record` is told, and the code does not say so yet.
    func isNews(_ record: AuthNRecord, now: Timestamp) -> Bool {
        self.isYoung(record, now: now) && self.hasPageElsewhere(record.id) && self.passedOn[record.id] == nil
    }

    /// Takes it upon the caller to pass on that the box of `record` was told.
    /// - Returns: false when there is nothing to pass on, or another caller does.
    func takeNews(of record: AuthNRecord, now: Timestamp) -> Bool {
        self.isYoung(record, now: now) && self.hasPageElsewhere(record.id) && self.takePassingOn(record.id)
    }

    /// - Returns: false where it was taken before.
    private func takePassingOn(_ signIn: AuthNID) -> Bool {
        self.passedOn.update(signIn, initial: false) { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    /// Only a sign-in by a code has a page, and only for so long.
    private func isYoung(_ record: AuthNRecord, now: Timestamp) -> Bool {
        self.bound > 0 && record.code != nil && now - record.created < Self.patience
    }

    /// Where the store is this process's alone, a login that is remembered here has its page here.
    private func hasPageElsewhere(_ signIn: AuthNID) -> Bool {
        self.isShared || self.state.withLock { $0.attempts[signIn] == nil }
    }
}
