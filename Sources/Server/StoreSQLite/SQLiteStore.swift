import Dispatch
package import Entitlement

/// The embedded store: one SQLite file in WAL mode, one writer with group commit, a few readers.
///
/// An operation that changes something returns when its commit was synced to the disk. Several programs may use the
/// file at once; each hears of the others' changes through ``changes(after:limit:)``.
package final class SQLiteStore: Store {
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
        /// The newest entries of the audit log that a purge leaves.
        package var maximumAuditEntries = 100_000

        package init() {}
    }

    private let writer: Writer
    private let readers: ReaderPool
    private let file: String
    let options: Options

    private init(writer: Writer, readers: ReaderPool, file: String, options: Options) {
        self.writer = writer
        self.readers = readers
        self.file = file
        self.options = options
    }

    /// Opens the store in `file`, and makes file and folder where they are missing.
    /// - Throws: `.newerSchema`, `.damaged` when the file is no store, `.readOnly`, `.full`, `.unavailable`.
    package static func open(_ file: String, options: Options = Options()) async throws(StoreError) -> SQLiteStore {
        try await self.onOwnThread { () throws(SQLiteFailure) in
            try StoreFile.prepare(file)
            let writer = try Connection(opening: file)
            try writer.configure(busyTimeout: options.busyTimeout)
            try writer.prepareFile(busyTimeout: options.busyTimeout)
            var readers: [Reader] = []
            for _ in 0..<min(max(options.readers, 1), 64) {
                let reader = try Connection(opening: file)
                try reader.configure(busyTimeout: options.busyTimeout)
                try reader.run("PRAGMA query_only = ON")
                readers.append(Reader(reader))
            }
            return SQLiteStore(
                writer: Writer(
                    writer, maximumPending: max(options.maximumWaitingWrites, 1),
                    maximumBatch: max(options.maximumBatch, 1)),
                readers: ReaderPool(readers, maximumPending: max(options.maximumWaitingReads, 1)), file: file,
                options: options)
        }
    }

    /// How the writer and the readers fared so far.
    package var statistics: SQLiteStoreStatistics { self.writer.statistics.adding(reads: self.readers.accepted) }

    /// Finishes what is under way and closes the file. Every later call fails with `.unavailable`.
    package func close() async {
        await self.readers.close()
        // Last: the connection that closes last moves the log into the file.
        await self.writer.close()
    }

    /// A copy of the store in a new file, mode 0600, as of one moment; the server may go on writing meanwhile.
    ///
    /// The copy appears under its name only when it is complete and on the disk.
    /// - Throws: `.unavailable` when `copy` exists; `.full`, `.readOnly`.
    package func backup(to copy: String) async throws(StoreError) {
        let (file, busyTimeout) = (self.file, self.options.busyTimeout)
        try await Self.onOwnThread { () throws(SQLiteFailure) in
            try StoreFile.writeCompletely(copy) { (partial) throws(SQLiteFailure) in
                let source = try Connection(opening: file)
                try source.configure(busyTimeout: busyTimeout)
                let destination = try Connection(opening: partial)
                try source.copyPages(to: destination)
            }
        }
    }

    /// Checks every page, index and reference of the file. Reads all of it.
    /// - Returns: what is wrong, in SQLite's words; empty when nothing is.
    package func integrityCheck() async throws(StoreError) -> [String] {
        let (file, busyTimeout) = (self.file, self.options.busyTimeout)
        do throws(StoreError) {
            return try await Self.onOwnThread { () throws(SQLiteFailure) in
                let connection = try Connection(opening: file)
                try connection.configure(busyTimeout: busyTimeout)
                let faults = try connection.all("PRAGMA integrity_check") { (row) throws(SQLiteFailure) in
                    try row.text()
                }
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

    /// Runs `body` in a commit and returns its value when that is durable. `body` depends on nothing but the connection
    /// and what it captured by value: it may have to run twice.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing Connection) throws(SQLiteFailure) -> Value
    ) async throws(StoreError) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, StoreError>, Never>) in
            self.writer.submit(
                PendingWrite(
                    perform: { (connection) throws(SQLiteFailure) in
                        let value = try body(connection)
                        return { continuation.resume(returning: .success(value)) }
                    },
                    refuse: { continuation.resume(returning: .failure($0)) }))
        }
        return try result.get()
    }

    /// Runs `body` on a reading connection.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing Connection) throws(SQLiteFailure) -> Value
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

    /// Runs `body`, which blocks for long, on a thread that nothing else waits for.
    private static func onOwnThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws(SQLiteFailure) -> Value
    ) async throws(StoreError) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, StoreError>, Never>) in
            DispatchQueue(label: "latchkey.store.maintenance").async {
                do throws(SQLiteFailure) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error.storeError))
                }
            }
        }
        return try result.get()
    }
}
