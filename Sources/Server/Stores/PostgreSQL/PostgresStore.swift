package import Clientless
package import Entitlement

/// The store of many nodes: tables of a PostgreSQL server, reached over a few connections.
///
/// An operation that changes something returns when its commit is durable, as the server understands it: with synchronous
/// replication on a standby, too.
package final class PostgresStore: RecordStore {
    package static let dialect = Dialect(
        prefix: "latchkey.", text: "text COLLATE \"C\"", integer: "bigint", blob: "bytea",
        sequence: "sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY", includesColumns: true,
        keyShare: " FOR KEY SHARE", skipLocked: " FOR UPDATE SKIP LOCKED", hexOfDevice: "encode(device, 'hex')")

    package struct Options: Hashable, Sendable {
        /// A connection string of libpq, also of several hosts; the one that takes writes is found among them. Without an
        /// `sslmode` in it a server is believed only with a certificate that is right (`verify-full`).
        package var connection: String
        /// Connections to the server, 3 to 16: one hears of changes, from 5 on one writes what need not be durable, of
        /// the others half write and half read.
        package var connections = 8
        /// How long a caller waits at most, also while the server that takes writes is looked for; then it is refused with
        /// `.unavailable`. A purge may take longer.
        package var answerTime: Duration = .seconds(2)
        /// The same for what only reads; `nil` for the same time.
        package var readingTime: Duration?
        /// Operations of each kind that may wait for their turn; further ones are refused with `.unavailable`.
        package var maximumWaiting = 16_384
        package var maximumBatch = 128
        /// Open codes are counted one by one up to so many; more are estimated.
        package var mostCounted = 200_000

        package init(connection: String) { self.connection = connection }

        /// Why `connection` is of no use in a configuration, which others than the server may read; `nil` when it is.
        package var connectionFault: String? {
            switch ConnectionSettings.form(of: self.connection) {
            case .connection: nil
            case .nothing: "must be a connection string of libpq, such as 'host=db1,db2 dbname=latchkey'"
            case .connectionWithSecret: "must not hold a password: name a passfile, or a client certificate"
            }
        }
    }

    let delay = FeedDelay()
    /// Wakes callers of this process that wait for a change.
    let signal: ChangeSignal
    private let writers: JobLine
    private let readers: JobLine
    /// Writes what may be lost with the server; the same as `writers` where connections are few.
    private let notes: JobLine
    private let listener: ChangeListener
    private let watch: PrimaryWatch
    let mostCounted: Int

    private init(_ finder: PrimaryFinder, _ options: Options) {
        let (signal, watch) = (ChangeSignal(), PrimaryWatch(finder))
        let all = min(max(options.connections, 3), 16) - 1
        let noting = all >= 4 ? 1 : 0
        let others = all - noting
        func line(_ kind: Worker.Kind, _ workers: Int) -> JobLine {
            let time = (kind == .reading ? options.readingTime : nil) ?? options.answerTime
            return JobLine(
                Worker(
                    kind: kind, finder: finder, watch: watch, patience: Patience(total: time), signal: signal),
                workers: workers, maximumPending: max(options.maximumWaiting, 1),
                maximumBatch: max(options.maximumBatch, 1))
        }
        self.writers = line(.writing, others / 2)
        self.readers = line(.reading, others - others / 2)
        self.notes = noting > 0 ? line(.noting, noting) : self.writers
        self.listener = ChangeListener(finder, signal: signal)
        (self.watch, self.signal) = (watch, signal)
        self.mostCounted = max(options.mostCounted, 1)
    }

    /// Opens a store whose tables are there.
    /// - Parameter report: hears of each other server that is used from then on.
    /// - Throws: `.newerSchema`, `.olderSchema` also if there are no tables, `.readOnly`, `.unavailable`.
    package static func open(
        _ options: Options, report: @escaping @Sendable (PrimaryChange) -> Void = { _ in }
    ) async throws(StoreError) -> PostgresStore {
        let finder = try self.finder(options, report)
        try await onOwnThread { () throws(PostgresFailure) -> Void in
            let session = try Session(finder, by: ContinuousClock.now + .seconds(10))
            try Migrator.check(session)
            try session.leaveFormerServer()
        }
        let store = PostgresStore(finder, options)
        let lines = [store.writers, store.readers] + (store.notes === store.writers ? [] : [store.notes])
        guard lines.allSatisfy({ $0.start() }), store.listener.start(),
            store.watch.start(whenMoved: { for line in lines { line.endOldConnections() } })
        else {
            await store.close()
            throw StoreError(.unavailable, detail: "no threads or pipes are to be had")
        }
        return store
    }

    /// Makes the tables or brings them up to date, in the role that owns them. Servers may run meanwhile.
    /// - Returns: the number of the schema that was there; `nil` when it is the present one, 0 when there was none.
    package static func migrate(_ options: Options) async throws(StoreError) -> Int? {
        try await self.migrate(options, by: Migration.all)
    }

    static func migrate(_ options: Options, by steps: [Migration], tries: Int = 5) async throws(StoreError) -> Int? {
        let finder = try self.finder(options)
        return try await onOwnThread { () throws(PostgresFailure) -> Int? in
            let session = try Session(finder, by: ContinuousClock.now + .seconds(10))
            session.answer(by: ContinuousClock.now + .seconds(3600))
            return try Migrator.migrate(session, by: steps, tries: tries)
        }
    }

    private static func finder(
        _ options: Options, _ report: @escaping @Sendable (PrimaryChange) -> Void = { _ in }
    ) throws(StoreError) -> PrimaryFinder {
        try PostgresFailure.told { () throws(PostgresFailure) in
            PrimaryFinder(try ConnectionSettings(connection: options.connection, name: "latchkeyd"), report: report)
        }
    }

    package func close() async {
        await self.watch.close()
        await self.listener.close()
        await self.readers.close()
        await self.notes.close()
        await self.writers.close()
        // Callers that wait for a change look once more, and find the store closed.
        self.signal.give()
    }

    package func write<Value: Sendable>(
        _ subjects: [SubjectKey], isLong: Bool, _ body: @escaping @Sendable (Session) throws(PostgresFailure) -> Value
    ) async throws(StoreError) -> Value {
        try await self.submit(to: self.writers, subjects, isLong: isLong, []) {
            (session, _) throws(PostgresFailure) in try body(session)
        }
    }

    package func write<Found, Value: Sendable>(
        _ subjects: [SubjectKey], _ statements: [SQL],
        reading read: @escaping @Sendable (inout Row) throws(PostgresFailure) -> Found,
        _ finish: @escaping @Sendable (Session, [Found]) throws(PostgresFailure) -> Value
    ) async throws(StoreError) -> Value {
        try await self.submit(to: self.writers, subjects, statements) { (session, tickets) throws(PostgresFailure) in
            var found: [Found] = []
            for ticket in tickets { found += try session.rows(of: ticket, read) }
            return try finish(session, found)
        }
    }

    package func write(
        _ subjects: [SubjectKey], _ statements: [SQL], isPassing: Bool
    ) async throws(StoreError) -> [Int] {
        try await self.submit(to: isPassing ? self.notes : self.writers, subjects, statements) {
            (session, tickets) throws(PostgresFailure) in try session.counts(of: tickets)
        }
    }

    package func read<Value: Sendable>(
        _ statement: SQL, _ read: @escaping @Sendable (inout Row) throws(PostgresFailure) -> Value
    ) async throws(StoreError) -> [Value] {
        try await self.submit(to: self.readers, [], [statement]) { (session, tickets) throws(PostgresFailure) in
            try session.rows(of: tickets[0], read)
        }
    }

    package func snapshot<Value: Sendable>(
        _ body: @escaping @Sendable (Session) throws(PostgresFailure) -> Value
    ) async throws(StoreError) -> Value {
        try await self.submit(to: self.readers, [], []) { (session, _) throws(PostgresFailure) in
            try session.snapshot(body)
        }
    }

    private func submit<Value: Sendable>(
        to line: JobLine, _ subjects: [SubjectKey], isLong: Bool = false, _ statements: [SQL],
        _ finish: @escaping @Sendable (Session, [Ticket]) throws(PostgresFailure) -> Value
    ) async throws(StoreError) -> Value {
        try await self.submit(to: line, subjects, isLong: isLong) { answer in
            .statements(
                statements,
                finish: { (session, tickets) throws(PostgresFailure) in
                    let value = try finish(session, tickets)
                    return { answer(value) }
                })
        }
    }

    /// In one statement with those of other callers.
    package func insert(
        _ record: RegistrationRecord, limitPerDevice: Int, now: Timestamp
    ) async throws(StoreError) -> CodeInsertion {
        let creation = CodeCreation(record: record, limit: max(limitPerDevice, 1), now: now)
        return try await self.submit(to: self.writers, creation.subjects) { .creation(creation, answer: $0) }
    }

    /// - Parameter work: makes the work out of what answers the caller.
    private func submit<Value: Sendable>(
        to line: JobLine, _ subjects: [SubjectKey], isLong: Bool = false,
        _ work: (_ answer: @escaping @Sendable (Value) -> Void) -> Job.Work
    ) async throws(StoreError) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, StoreError>, Never>) in
            line.submit(
                Job(
                    isLong: isLong, subjects: subjects, work: work { continuation.resume(returning: .success($0)) },
                    refuse: { continuation.resume(returning: .failure($0)) }))
        }
        return try result.get()
    }
}
