import Glibc
package import Entitlement
import Synchronization

/// The embedded store: one SQLite file in WAL mode, one writer with group commit, a few readers.
///
/// An operation that changes something returns when its commit was synced to the disk. Several programs may use the
/// file at once; each hears of the others' changes through the feed.
package final class SQLiteStore: RecordStore, EmbeddedStore {
    package static let dialect = Dialect(
        prefix: "", text: "TEXT", integer: "INTEGER", blob: "BLOB", sequence: "sequence INTEGER PRIMARY KEY",
        endingOfSequence: " STRICT", endingOfKey: " STRICT, WITHOUT ROWID", hexOfDevice: "lower(hex(device))")

    package struct Options: Hashable, Sendable {
        /// Connections that read in parallel, 1 to 64.
        package var readers = 2
        /// How long to wait for another program's commit before giving up with `.unavailable`.
        package var busyTimeout: Duration = .seconds(5)
        /// Writes that may wait for their turn; further ones are refused with `.unavailable`.
        package var maximumWaitingWrites = 16_384
        /// Reads that may wait for their turn; further ones are refused with `.unavailable`.
        package var maximumWaitingReads = 16_384
        /// The most writes in one commit: what a crash or a full disk takes back together.
        package var maximumBatch = 512

        package init() {}
    }

    package enum OlderSchema: Hashable, Sendable {
        /// Throw `.olderSchema`, and change nothing.
        case refuse
        case migrate
        /// The same, after a copy was made beside the file: its name and `.schemaN` with the number of its schema, and
        /// a further number where that name is taken.
        case migrateAfterCopy
    }

    /// The change that brought a file to the present schema when it was opened.
    package struct Upgrade: Hashable, Sendable {
        package let schema: Int
        /// The file with the copy of it as it was; `nil` if no copy was asked for.
        package let copy: String?
    }

    /// `nil` for a file that was new or up to date.
    package let upgrade: Upgrade?
    /// Wakes callers of this process that wait for a change.
    let signal: ChangeSignal
    /// The end of the feed when a reader was there last, and how often the signal had been given before it looked.
    let lastEnd = Mutex<(position: ChangePosition, count: UInt64)>((ChangePosition(bytes: []), 0))
    private let writer: Writer
    private let readers: ReaderPool
    private let file: String
    private let options: Options

    private init(_ file: String, _ options: Options, upgrade: Upgrade?) throws(SQLiteFailure) {
        let writer = try SQLiteConnection(opening: file)
        try writer.configure(busyTimeout: options.busyTimeout)
        var readers: [Reader] = []
        for _ in 0..<min(max(options.readers, 1), 64) {
            let reader = try SQLiteConnection(opening: file)
            try reader.configure(busyTimeout: options.busyTimeout)
            try reader.run("PRAGMA query_only = ON")
            // The system keeps the pages as well: 2 MB, which are full soon, so that memory stays level.
            try reader.run("PRAGMA cache_size = -2048")
            readers.append(Reader(reader))
        }
        self.signal = ChangeSignal()
        self.writer = Writer(
            writer, maximumPending: max(options.maximumWaitingWrites, 1), maximumBatch: max(options.maximumBatch, 1),
            signal: self.signal)
        self.readers = ReaderPool(readers, maximumPending: max(options.maximumWaitingReads, 1))
        (self.file, self.options, self.upgrade) = (file, options, upgrade)
    }

    /// Opens the store in `file`, and makes file and folder where they are missing.
    /// - Throws: `.newerSchema`, `.olderSchema` where asked for, `.damaged` when the file is no store,
    ///   `.foreignLog`, `.readOnly`, `.full`, `.unavailable`.
    package static func open(
        _ file: String, options: Options = Options(), olderSchema: OlderSchema = .migrate
    ) async throws(StoreError) -> SQLiteStore {
        try await onOwnThread { () throws(SQLiteFailure) in
            try StoreFile.prepare(file)
            return try SQLiteStore(file, options, upgrade: Self.prepareSchema(of: file, options, olderSchema))
        }
    }

    /// Checks whose file it is, puts it in WAL mode and brings its schema up to date, as far as that is wanted.
    private static func prepareSchema(
        of file: String, _ options: Options, _ olderSchema: OlderSchema
    ) throws(SQLiteFailure) -> Upgrade? {
        let connection = try SQLiteConnection(opening: file)
        guard try !connection.hasForeignLog() else { throw .refused(.foreignLog, "\(file)-wal is of another store") }
        try connection.configure(busyTimeout: options.busyTimeout)
        var upgrade: Upgrade?
        // A file that is refused stays as it is, its journal mode included.
        let schema = try SQLiteMigrator.schema(of: connection)
        if schema > 0, schema < SQLiteMigrator.newest {
            switch olderSchema {
            case .refuse:
                let newest = SQLiteMigrator.newest
                throw .refused(.olderSchema, "the file has schema \(schema), this program uses \(newest)")
            case .migrate: upgrade = Upgrade(schema: schema, copy: nil)
            case .migrateAfterCopy:
                upgrade = Upgrade(schema: schema, copy: try self.copy(connection, of: schema, beside: file))
            }
        }
        // A row has some 400 bytes and changes four pages, each of which goes into the log whole. Without effect on a file
        // that has pages already.
        try connection.run("PRAGMA page_size = 2048")
        try connection.switchToWAL(patience: options.busyTimeout)
        try SQLiteMigrator.migrate(connection)
        return upgrade
    }

    /// - Returns: the name of the copy.
    private static func copy(
        _ connection: SQLiteConnection, of schema: Int, beside file: String
    ) throws(SQLiteFailure) -> String {
        for number in 1...100 {
            do throws(SQLiteFailure) {
                let name = "\(file).schema\(schema)" + (number == 1 ? "" : ".\(number)")
                try self.write(connection, to: name)
                return name
            } catch let error where error.systemError == EEXIST {
                continue
            }
        }
        throw SQLiteFailure.system(EEXIST, "a hundred copies of the store are beside it")
    }

    private static func write(_ source: SQLiteConnection, to copy: String) throws(SQLiteFailure) {
        try StoreFile.createCompletely(copy) { (partial) throws(SQLiteFailure) in
            let destination = try SQLiteConnection(opening: partial)
            try source.copyPages(to: destination)
            try destination.leaveWAL()
            let hasLife = try destination.integer("SELECT 1 FROM sqlite_schema WHERE name = 'store_state'")
            // From now on the original and the copy change independently.
            if hasLife != nil { try destination.run("UPDATE store_state SET life = randomblob(16)") }
            destination.close()
        }
    }

    package var statistics: StoreStatistics {
        var statistics = self.writer.statistics
        statistics.reads = self.readers.accepted
        return statistics
    }

    package func close() async {
        await self.readers.close()
        // Last: the connection that closes last moves the log into the file.
        await self.writer.close()
    }

    package func closeAsCopy() async {
        await self.close()
        let file = self.file
        // If that fails, the file looks like a store that a server opened, which does no harm.
        try? await onOwnThread { () throws(SQLiteFailure) in try SQLiteConnection(opening: file).leaveWAL() }
    }

    package func backup(to copy: String) async throws(StoreError) {
        let (file, busyTimeout) = (self.file, self.options.busyTimeout)
        try await onOwnThread { () throws(SQLiteFailure) in
            let source = try SQLiteConnection(opening: file)
            try source.configure(busyTimeout: busyTimeout)
            try Self.write(source, to: copy)
        }
    }

    package func integrityCheck() async throws(StoreError) -> [String] {
        let (file, busyTimeout) = (self.file, self.options.busyTimeout)
        do throws(StoreError) {
            return try await onOwnThread { () throws(SQLiteFailure) in
                let connection = try SQLiteConnection(opening: file)
                try connection.configure(busyTimeout: busyTimeout)
                let faults = try connection.texts("PRAGMA integrity_check")
                let orphans = try connection.all("PRAGMA foreign_key_check") { (row) throws(SQLiteFailure) in
                    "a row of \(try row.text()) belongs to nothing"
                }
                return faults.filter { $0 != "ok" } + orphans
            }
        } catch let error where error.code == .damaged {
            // Some damage ends the check itself.
            return [error.detail]
        }
    }

    package func readiness() async throws(StoreError) {
        try await self.write([], isLong: false) { [file = self.file] (connection) throws(SQLiteFailure) in
            if try connection.isMoved() { throw .refused(.moved, "its file \(file) was deleted or replaced") }
            try connection.run("UPDATE latchkey.probe SET value = 1 - value")
        }
    }

    package func write<Value: Sendable>(
        _ subjects: [SubjectKey], isLong: Bool,
        _ body: @escaping @Sendable (SQLiteConnection) throws(SQLiteFailure) -> Value
    ) async throws(StoreError) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, StoreError>, Never>) in
            self.writer.submit(
                PendingWrite(
                    perform: { (connection) throws(SQLiteFailure) in
                        connection.forgetNotes()
                        let value = try body(connection)
                        try connection.keepNotes()
                        return { continuation.resume(returning: .success(value)) }
                    },
                    refuse: { continuation.resume(returning: .failure($0)) }))
        }
        return try result.get()
    }

    package func write<Found, Value: Sendable>(
        _ subjects: [SubjectKey], _ statements: [SQL],
        reading read: @escaping @Sendable (inout SQLiteRow) throws(SQLiteFailure) -> Found,
        _ finish: @escaping @Sendable (SQLiteConnection, [Found]) throws(SQLiteFailure) -> Value
    ) async throws(StoreError) -> Value {
        try await self.write(subjects, isLong: false) { (connection) throws(SQLiteFailure) in
            try finish(connection, try connection.all(statements, read))
        }
    }

    package func write(
        _ subjects: [SubjectKey], _ statements: [SQL], isPassing: Bool
    ) async throws(StoreError) -> [Int] {
        // One commit for all who wait costs little on a disk of this machine.
        try await self.write(subjects, isLong: false) { (connection) throws(SQLiteFailure) in
            try connection.run(statements)
        }
    }

    package func read<Value: Sendable>(
        _ statement: SQL, _ read: @escaping @Sendable (inout SQLiteRow) throws(SQLiteFailure) -> Value
    ) async throws(StoreError) -> [Value] {
        try await self.look { (connection) throws(SQLiteFailure) in try connection.all(statement, read) }
    }

    package func snapshot<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws(SQLiteFailure) -> Value
    ) async throws(StoreError) -> Value {
        try await self.look { (connection) throws(SQLiteFailure) in try connection.transaction(body) }
    }

    private func look<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws(SQLiteFailure) -> Value
    ) async throws(StoreError) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, StoreError>, Never>) in
            self.readers.submit(
                ReaderPool.PendingRead(
                    perform: { connection in
                        do throws(SQLiteFailure) {
                            continuation.resume(returning: .success(try body(connection)))
                        } catch {
                            continuation.resume(returning: .failure(error.storeError))
                        }
                    },
                    refuse: { continuation.resume(returning: .failure($0)) }))
        }
        return try result.get()
    }
}
