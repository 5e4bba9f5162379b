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

    /// The identity of a server, as opposed to one that took its place.
    struct Server: Hashable, Sendable {
        /// 0 while it follows another one.
        let timeline: UInt32
        /// When it was started, in microseconds since 1970 by its own clock.
        let start: Int64
        /// The number of the system, which a server has in common with its standbys alone.
        let system: Int64
    }

    private struct State {
        var finding = Finding()
        /// The server that it was found at last.
        var last: PrimarySearch.Candidate?
        var server: Server?
        /// Whether a connection was silent, and no new one was answered since.
        var isSuspected = false
        /// Why connections of the finding before do not count.
        var reason = PrimaryChange.Reason.ended
        /// The answer of each since a server was found, and when.
        var answers: [PrimarySearch.Candidate: (text: String, time: ContinuousClock.Instant)] = [:]
        /// Those that took writes though they were replaced, and when they were asked.
        var replaced: [PrimarySearch.Candidate: ContinuousClock.Instant] = [:]
    }

    /// How long a server may be silent before the next one is asked, too.
    private static let headStart: Duration = .milliseconds(100)
    /// How long a server that was replaced is left alone where another one is to be had: it would answer first.
    private static let replacedRest: Duration = .seconds(1)
    /// How long what a server said stands for one that had no time to answer.
    private static let answerAge: Duration = .seconds(10)

    let settings: ConnectionSettings
    private let addresses: AddressBook
    private let report: @Sendable (PrimaryChange) -> Void
    private let state = Mutex(State())

    /// - Parameter report: hears of each other server that is found.
    init(
        _ settings: ConnectionSettings, _ addresses: AddressBook = AddressBook(),
        report: @escaping @Sendable (PrimaryChange) -> Void = { _ in }
    ) {
        self.settings = settings
        self.addresses = addresses
        self.report = report
    }

    /// The finding that connections count of now.
    var finding: Finding { self.state.withLock { $0.finding } }

    /// Whether connections of `finding` lead to the server that takes writes, as far as is known.
    func trusts(_ finding: Finding) -> Bool { self.state.withLock { $0.finding == finding && !$0.isSuspected } }

    /// A connection of `finding` was silent: a slow statement, or a server that is gone. The next that is asked for is a
    /// new one, and what comes of it decides.
    func suspect(_ finding: Finding) {
        self.state.withLock { state in
            if state.finding == finding { state.isSuspected = true }
        }
    }

    /// Makes the connections of `finding` count no more: new ones are silent, too, or the server refused a write.
    func doubt(_ finding: Finding, because reason: PrimaryChange.Reason) {
        self.state.withLock { state in
            guard state.finding == finding else { return }
            state.finding.number += 1
            state.reason = reason
        }
    }

    /// Connects to a server that takes writes, and blocks the thread meanwhile. ``accept(_:_:because:)`` says whether it may
    /// be used.
    /// - Returns: which of the candidates it is, too.
    /// - Throws: what each server said, when all have failed; and when `deadline` is reached.
    func connect(
        by deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> (ConnectionAttempt, PrimarySearch.Candidate) {
        var search = self.state.withLock { state in
            let now = ContinuousClock.now
            state.replaced = state.replaced.filter { now - $0.value < Self.replacedRest }
            return PrimarySearch(
                self.settings, self.addresses, last: state.last, headStart: Self.headStart,
                without: Set(state.replaced.keys))
        }
        defer { search.end() }
        while true {
            let now = ContinuousClock.now
            guard now < deadline else {
                self.state.withLock { state in
                    guard state.isSuspected else { return }
                    state.finding.number += 1
                    state.reason = .silent
                }
                throw self.failure(of: search, isOver: false)
            }
            search.learn(at: now)
            let hasBegun = search.beginNext(at: now)
            if !hasBegun, search.isOver { throw self.failure(of: search, isOver: true) }
            if let (candidate, attempt) = search.proceed(until: deadline) { return (attempt, candidate) }
        }
    }

    /// The answers of all servers. One that had no time to answer may have said why a moment ago.
    private func failure(of search: PrimarySearch, isOver: Bool) -> PostgresFailure {
        let now = ContinuousClock.now
        let texts = self.state.withLock { state in
            state.answers = state.answers.filter { now - $0.value.time < Self.answerAge }
            state.answers.merge(search.answers.mapValues { ($0, now) }) { $1 }
            let late = isOver ? [:] : search.lateAnswers
            return late.merging(state.answers.mapValues(\.text)) { $1 }
        }
        let all = texts.sorted { ($0.key.place, $0.key.address ?? "") < ($1.key.place, $1.key.address ?? "") }
        return .lost(all.isEmpty ? "there is no server" : all.map(\.value).joined(separator: "; "))
    }

    /// Takes the server of a connection for the one to use.
    /// - Parameter reason: why the one before is not used any more; `nil` if its connections met it.
    /// - Throws: when it was replaced by another one.
    @discardableResult
    func accept(
        _ candidate: PrimarySearch.Candidate, _ server: Server, because reason: PrimaryChange.Reason? = nil
    ) throws(PostgresFailure) -> Finding {
        let (finding, change, refusal): (Finding, PrimaryChange?, String?) = self.state.withLock { state in
            if let newest = state.server?.timeline, server.timeline < newest {
                let refusal =
                    "the server \(self.settings.name(of: candidate)) takes writes in timeline \(server.timeline), "
                    + "and was replaced by one of timeline \(newest)"
                state.replaced[candidate] = .now
                state.answers[candidate] = (refusal, .now)
                return (state.finding, nil, refusal)
            }
            let change = self.change(to: candidate, server, state, because: reason)
            // Connections to the one before count no more, though they may seem well: it was replaced. One server may
            // have several addresses.
            if state.server != server { state.finding.number += 1 }
            state.last = candidate
            state.server = server
            state.isSuspected = false
            state.reason = .ended
            state.answers = [:]
            return (state.finding, change, nil)
        }
        if let refusal { throw .lost(refusal) }
        if let change { self.report(change) }
        return finding
    }

    /// - Returns: `nil` for the first server, and for one that was only started again or reached in another way.
    private func change(
        to candidate: PrimarySearch.Candidate, _ server: Server, _ state: State, because reason: PrimaryChange.Reason?
    ) -> PrimaryChange? {
        guard let (last, before) = state.last.flatMap({ last in state.server.map { (last, $0) } }), before != server,
            before.timeline != server.timeline || last != candidate
        else { return nil }
        return PrimaryChange(
            from: PrimaryChange.Side(name: self.settings.name(of: last), timeline: before.timeline),
            to: PrimaryChange.Side(name: self.settings.name(of: candidate), timeline: server.timeline),
            reason: reason ?? (state.isSuspected ? .silent : state.reason))
    }

    /// The servers that are not used, if there are several; their names are looked up for the next time.
    func others(for reader: AddressBook.Reader) -> [PrimarySearch.Candidate] {
        guard let last = self.state.withLock({ $0.last }) else { return [] }
        var candidates: [PrimarySearch.Candidate] = []
        for (place, host) in self.settings.hosts.enumerated() {
            guard let name = host.unresolvedName else {
                candidates.append(PrimarySearch.Candidate(place: place))
                continue
            }
            let addresses = self.addresses.addresses(of: name)
            candidates += addresses.map { PrimarySearch.Candidate(place: place, address: $0) }
            if self.settings.hosts.count > 1 || addresses.count > 1 {
                self.addresses.ask(name, for: reader, at: .now)
            }
        }
        return candidates.filter { $0 != last }
    }

    /// Moves to a server that is not used, if it replaced the one that is.
    func note(_ server: Server, at candidate: PrimarySearch.Candidate) {
        let isNewer = self.state.withLock { state in
            state.server.map { $0.system == server.system && $0.timeline < server.timeline } ?? false
        }
        // Another thread may have found one that is newer still.
        if isNewer { _ = try? self.accept(candidate, server, because: .superseded) }
    }
}
