package import Entitlement

/// The place of a statement's answer among those of its session.
typealias Ticket = Int

/// A connection with its prepared statements, and what was sent and not yet answered. For one thread.
///
/// Statements are queued by ``send(_:)`` and travel together; the first answer that is asked for makes them go. When
/// one fails, those behind it up to the end of the pipeline are skipped, and throw the failure of the first.
package final class Session: RecordSession {
    private enum Expected {
        case preparation(of: String)
        case answer(Ticket)
        case end
    }

    /// The latest moment to wait for an answer.
    private var deadline: ContinuousClock.Instant
    private let connection: Connection
    /// The names of the prepared statements by their texts, which are constants of this target.
    private var prepared: [String: String] = [:]
    private var expected: [Expected] = []
    /// The place in `expected` of the next answer; those before it are complete.
    private var next = 0
    private var answers: [Ticket: Result<QueryResult, PostgresFailure>] = [:]
    private var tickets = 0
    private var names = 0
    /// Why statements are skipped up to the end of the pipeline.
    private var cause: PostgresFailure?
    private var isRequested = true
    /// The notes of the transaction under way for the feed.
    var notes = ChangeNotes()
    /// The server as the connection string names it.
    private let name: String
    /// `nil` for a connection whose server need not take writes.
    private let finder: PrimaryFinder?
    private var finding: PrimaryFinder.Finding?
    /// Whether the server has answered at all.
    private var isNew = true

    /// Connects to the server that takes writes, and blocks the thread meanwhile.
    convenience init(_ finder: PrimaryFinder, by deadline: ContinuousClock.Instant) throws(PostgresFailure) {
        let (attempt, candidate) = try finder.connect(by: deadline)
        try self.init(attempt, to: finder.settings.name(of: candidate), of: finder, by: deadline)
        self.finding = try finder.accept(candidate, try self.server(of: try self.askServer()))
        self.isNew = false
    }

    /// - Parameter finder: `nil` if the server need not take writes.
    init(
        _ attempt: ConnectionAttempt, to name: String, of finder: PrimaryFinder?, by deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) {
        self.connection = try Connection(attempt)
        self.name = name
        self.finder = finder
        self.finding = finder?.finding
        self.deadline = deadline
    }

    func askServer() throws(PostgresFailure) -> Ticket {
        let ticket = try self.send(
            """
            SELECT CASE WHEN pg_is_in_recovery() THEN '0' ELSE \(raw: Self.timeline) END,
                (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint,
                (SELECT system_identifier FROM pg_control_system())
            """)
        try self.synchronize()
        return ticket
    }

    func server(of ticket: Ticket) throws(PostgresFailure) -> PrimaryFinder.Server {
        let server = try self.rows(of: ticket) { (row) throws(PostgresFailure) in
            PrimaryFinder.Server(
                timeline: UInt32(try row.text(), radix: 16) ?? 0, start: try row.integer(), system: try row.integer())
        }.first
        try self.receiveAll()
        guard let server else { throw .nonsense("the server \(self.name) does not say which it is") }
        return server
    }

    /// The number of the server's timeline in SQL, as eight hexadecimal digits.
    static let timeline = "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)"

    /// Whether the server is still taken for the one that takes writes.
    var isCurrent: Bool { self.finding == self.finder?.finding }

    /// Whether it may be used for something new: no connection to its server was silent since one was last made.
    var isTrusted: Bool { self.finding.flatMap { self.finder?.trusts($0) } ?? false }

    /// Says that the server is silent to new connections or refuses writes: no connection to it counts any more.
    func doubt(because reason: PrimaryChange.Reason) {
        if let finding = self.finding { self.finder?.doubt(finding, because: reason) }
    }

    /// Lets every wait end at `deadline`: then the connection counts as lost.
    func answer(by deadline: ContinuousClock.Instant) { self.deadline = deadline }

    func send(_ statement: SQL) throws(PostgresFailure) -> Ticket {
        let sql = statement.text
        let name: String
        if let known = self.prepared[sql] {
            name = known
        } else {
            self.names += 1
            name = "s\(self.names)"
            try self.connection.prepare(sql, as: name)
            self.expected.append(.preparation(of: sql))
            self.prepared[sql] = name
        }
        try self.connection.send(name, EncodedValues(statement.values))
        self.tickets += 1
        self.expected.append(.answer(self.tickets))
        self.isRequested = false
        return self.tickets
    }

    func send(_ statements: [SQL]) throws(PostgresFailure) -> [Ticket] {
        var tickets: [Ticket] = []
        for statement in statements { tickets.append(try self.send(statement)) }
        return tickets
    }

    /// Ends the pipeline: what is sent from now on does not depend on what was sent before.
    func synchronize() throws(PostgresFailure) {
        try self.connection.synchronize()
        self.expected.append(.end)
        self.isRequested = true
    }

    /// The answer to a statement, taken once.
    func answer(to ticket: Ticket) throws(PostgresFailure) -> QueryResult {
        while true {
            if let answer = self.answers.removeValue(forKey: ticket) { return try answer.get() }
            guard self.next < self.expected.count else { throw .nonsense("an answer was asked for twice") }
            try self.receive()
        }
    }

    func counts(of tickets: [Ticket]) throws(PostgresFailure) -> [Int] {
        var counts: [Int] = []
        for ticket in tickets { counts.append(try self.answer(to: ticket).changedCount()) }
        return counts
    }

    func rows<Value>(
        of ticket: Ticket, _ read: (inout Row) throws(PostgresFailure) -> Value
    ) throws(PostgresFailure) -> [Value] {
        let answer = try self.answer(to: ticket)
        var values: [Value] = []
        for number in 0..<answer.rowCount() {
            var row = Row(number, of: answer)
            values.append(try read(&row))
        }
        return values
    }

    @discardableResult
    package func run(_ statements: [SQL]) throws(PostgresFailure) -> [Int] {
        try self.counts(of: self.send(statements))
    }

    package func all<Value>(
        _ statements: [SQL], _ read: (inout Row) throws(PostgresFailure) -> Value
    ) throws(PostgresFailure) -> [Value] {
        var values: [Value] = []
        for ticket in try self.send(statements) { values += try self.rows(of: ticket, read) }
        return values
    }

    package func note(_ change: StoreChange) { self.notes.add(change) }

    /// Lets every read of `body` see the same moment.
    func snapshot<Value>(_ body: (Session) throws(PostgresFailure) -> Value) throws(PostgresFailure) -> Value {
        _ = try self.send("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        let value = try body(self)
        let end = try self.send("COMMIT")
        try self.synchronize()
        _ = try self.answer(to: end)
        return value
    }

    /// Makes the session good for a new transaction after a failure: ends the pipeline, and a transaction that is under
    /// way.
    /// - Throws: when the connection is of no use any more.
    func recover() throws(PostgresFailure) {
        try self.synchronize()
        try self.receiveAll()
        self.notes.removeAll()
        guard self.connection.isInTransaction() else { return }
        let end = try self.send("ROLLBACK")
        try self.synchronize()
        _ = try self.answer(to: end)
        try self.receiveAll()
    }

    /// Takes in all answers that are due, and forgets those that were not asked for.
    func receiveAll() throws(PostgresFailure) {
        while self.next < self.expected.count { try self.receive() }
        self.expected.removeAll(keepingCapacity: true)
        self.next = 0
        self.answers.removeAll(keepingCapacity: true)
    }

    /// How many warnings the server sent so far, each in front of the answer that it belongs to.
    var warningCount: UInt32 { self.connection.warningCount() }

    /// Waits until the server notifies of something or the bell rings.
    /// - Returns: whether it was notified.
    func waitForNotification(bell: Int32, atMost limit: Duration) throws(PostgresFailure) -> Bool {
        let isLeft = try self.connection.flush()
        _ = try self.connection.wait(isWriting: isLeft, bell: bell, atMost: limit)
        try self.connection.consume()
        var isNotified = false
        while self.connection.takeNotification() { isNotified = true }
        return isNotified
    }

    /// Takes in the next answer, and waits for it where it has not come.
    private func receive() throws(PostgresFailure) {
        if !self.isRequested {
            try self.connection.requestAnswers()
            self.isRequested = true
        }
        while true {
            let isLeft = try self.connection.flush()
            try self.connection.consume()
            if !self.connection.isBusy() { break }
            let left = ContinuousClock.now.duration(to: self.deadline)
            guard left > .zero else {
                if self.isNew {
                    self.doubt(because: .silent)
                } else if let finding = self.finding {
                    self.finder?.suspect(finding)
                }
                throw .lost("the server \(self.name) did not answer in time")
            }
            _ = try self.connection.wait(isWriting: isLeft, atMost: left)
        }
        guard let answer = self.connection.nextAnswer() else { throw .lost("an answer is missing") }
        if self.take(answer) {
            // "A null pointer is returned when the command is complete." It is taken at once: behind a failure libpq passes
            // over it as soon as something else is sent.
            guard self.connection.nextAnswer() == nil else { throw .lost("a statement has two answers") }
        }
        self.next += 1
    }

    /// - Returns: whether it belongs to a statement, and not to the end of a pipeline.
    private func take(_ answer: QueryResult) -> Bool {
        let outcome: Result<QueryResult, PostgresFailure>
        switch answer.kind() {
        case .done:
            outcome = .success(answer)
        case .synchronized:
            // The one answer that no null pointer follows.
            self.cause = nil
            return false
        case .skipped:
            outcome = .failure(self.cause ?? .lost("a statement was skipped"))
        case .failed:
            let failure = answer.failure()
            if failure.isOfReadOnlyServer { self.doubt(because: .readOnly) }
            self.cause = failure
            outcome = .failure(failure)
        }
        switch self.expected[self.next] {
        case .answer(let ticket):
            self.answers[ticket] = outcome
        case .preparation(let sql):
            if case .failure = outcome { self.prepared[sql] = nil }
        case .end:
            break
        }
        return true
    }
}
