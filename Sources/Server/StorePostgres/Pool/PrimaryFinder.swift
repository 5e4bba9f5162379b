import Synchronization

/// Finds the server that takes writes, for all connections of a store.
///
/// It asks the server that it found last, and the others as soon as that one fails or is silent for a moment: one that
/// is gone without a word then costs that moment, and not the time that a caller has. Each address of a host's name counts
/// as one of them.
///
/// A server that was replaced and comes back may not know of it. Each promotion begins a timeline with a higher number
/// (PostgreSQL, 26.3.5), so no connection to one with a lower number than was seen is used.
final class PrimaryFinder: Sendable {
    /// Which finding a connection belongs to. One of an older finding may lead to a server that was replaced.
    struct Finding: Hashable, Sendable {
        fileprivate var number: UInt64 = 0
    }

    /// What tells a server from one that took its place.
    struct Server: Hashable, Sendable {
        let timeline: UInt32
        /// When it was started, in microseconds since 1970 by its own clock.
        let start: Int64
    }

    private struct State {
        var finding = Finding()
        /// Where it was found last.
        var last: PrimarySearch.Candidate?
        /// The server that was found there.
        var server: Server?
        /// Whether a connection was silent, and no new one was answered since.
        var isSuspected = false
    }

    /// How long a server may be silent before the next one is asked, too.
    private static let headStart: Duration = .milliseconds(100)

    private let settings: ConnectionSettings
    private let addresses: AddressBook
    private let state = Mutex(State())

    init(_ settings: ConnectionSettings, _ addresses: AddressBook = AddressBook()) {
        self.settings = settings
        self.addresses = addresses
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

    /// Connects to a server that takes writes, and blocks the thread meanwhile. ``accept(_:_:)`` says whether it may be
    /// used.
    /// - Returns: which of the candidates it is, too.
    /// - Throws: why there is none, when all have failed; and when `deadline` is reached.
    func connect(
        by deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> (ConnectionAttempt, PrimarySearch.Candidate) {
        var search = PrimarySearch(
            self.settings, self.addresses, last: self.state.withLock { $0.last }, headStart: Self.headStart)
        defer { search.end() }
        while true {
            let now = ContinuousClock.now
            guard now < deadline else {
                self.state.withLock { if $0.isSuspected { $0.finding.number += 1 } }
                throw search.failureInTime
            }
            search.learn(at: now)
            let hasBegun = search.beginNext(at: now)
            if !hasBegun, search.isOver { throw search.failure ?? .lost("there is no server") }
            if let (candidate, attempt) = search.proceed(until: deadline) { return (attempt, candidate) }
        }
    }

    /// Takes the server of a connection for the one to use.
    /// - Throws: when it was replaced by another one.
    func accept(_ candidate: PrimarySearch.Candidate, _ server: Server) throws(PostgresFailure) -> Finding {
        let finding: Finding? = self.state.withLock { state in
            guard server.timeline >= state.server?.timeline ?? 0 else { return nil }
            // Connections to the one before count no more, though they may seem well: it was replaced. One server may
            // have several addresses.
            if state.server != server { state.finding.number += 1 }
            state.last = candidate
            state.server = server
            state.isSuspected = false
            return state.finding
        }
        guard let finding else { throw .lost("a server that was replaced by another one takes writes again") }
        return finding
    }
}
