import Synchronization

/// Finds the server that takes writes, for all connections of a store.
///
/// It asks the server that it found last, and the others as soon as that one fails or is silent for a moment: one that
/// is gone without a word then costs that moment, and not the time that a caller has.
///
/// A server that was replaced and comes back may not know of it. Each promotion begins a timeline with a higher number
/// (PostgreSQL, 26.3.5), so no connection to one with a lower number than was seen is used.
final class PrimaryFinder: Sendable {
    /// Which finding a connection belongs to. One of an older finding may lead to a server that was replaced.
    struct Finding: Hashable, Sendable {
        fileprivate var number: UInt64 = 0
    }

    private struct State {
        var finding = Finding()
        /// The place in the list of hosts.
        var last: Int?
        var timeline: UInt32 = 0
        /// Whether a connection was silent, and no new one was answered since.
        var isSuspected = false
    }

    /// How long a server may be silent before the next one is asked, too.
    private static let headStart: Duration = .milliseconds(100)

    private let settings: ConnectionSettings
    private let state = Mutex(State())

    init(_ settings: ConnectionSettings) {
        self.settings = settings
    }

    /// The finding that connections count of now.
    var finding: Finding { self.state.withLock { $0.finding } }

    /// Whether connections of `finding` lead to the server that takes writes, as far as is known.
    func trusts(_ finding: Finding) -> Bool {
        self.state.withLock { $0.finding == finding && !$0.isSuspected }
    }

    /// A connection of `finding` was silent: a slow statement, or a server that is gone. The next that is asked for is a
    /// new one, and what comes of it decides.
    func suspect(_ finding: Finding) {
        self.state.withLock { state in
            if state.finding == finding { state.isSuspected = true }
        }
    }

    /// Makes the connections of `finding` count no more: new ones are silent, too, or the server refused a write.
    func doubt(_ finding: Finding) {
        self.state.withLock { state in
            if state.finding == finding { state.finding.number += 1 }
        }
    }

    /// Connects to a server that takes writes, and blocks the thread meanwhile. ``accept(_:timeline:)`` says whether it
    /// may be used.
    /// - Returns: the place of its host, too.
    /// - Throws: why there is none, when all have failed; and when `deadline` is reached.
    func connect(by deadline: ContinuousClock.Instant) throws(PostgresFailure) -> (ConnectionAttempt, place: Int) {
        var search = PrimarySearch(order: self.order)
        while true {
            let now = ContinuousClock.now
            guard now < deadline else {
                self.state.withLock { if $0.isSuspected { $0.finding.number += 1 } }
                throw search.failure ?? .lost("no server that takes writes answered in time")
            }
            if let next = search.next(at: now, headStart: Self.headStart) {
                search.attempts.append((next, ConnectionAttempt(self.settings, to: self.settings.hosts[next])))
            } else if search.attempts.isEmpty {
                throw search.failure ?? .lost("there is no server")
            }
            let end = min(deadline, search.nextStart ?? deadline)
            if let (place, attempt) = search.proceed(until: end, pause: Self.headStart) { return (attempt, place) }
        }
    }

    /// The places of the hosts, the last one found first.
    private var order: [Int] {
        let last = self.state.withLock { $0.last }
        let others = self.settings.hosts.indices.filter { $0 != last }
        return last.map { [$0] + others } ?? others
    }

    /// Takes the server of a connection for the one to use.
    /// - Throws: when it was replaced by another one.
    func accept(_ place: Int, timeline: UInt32) throws(PostgresFailure) -> Finding {
        let finding: Finding? = self.state.withLock { state in
            guard timeline >= state.timeline else { return nil }
            // Connections to the one before count no more, though they may seem well: it was replaced.
            if state.last != place || timeline > state.timeline { state.finding.number += 1 }
            state.last = place
            state.timeline = timeline
            state.isSuspected = false
            return state.finding
        }
        guard let finding else { throw .lost("a server that was replaced by another one takes writes again") }
        return finding
    }
}
