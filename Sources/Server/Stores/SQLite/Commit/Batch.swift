import CSQLite
import Entitlement

/// Several bodies in one commit; no body can undo another.
enum Batch {
    typealias Answer = @Sendable () -> Void

    private enum Outcome {
        case committed([Answer])
        /// The batch was not kept, because one of the bodies failed.
        case bodyFailed(SQLiteFailure)
        /// The batch was not kept, and no body is to blame.
        case failed(SQLiteFailure)
    }

    /// Runs `writes` and commits them together.
    ///
    /// First without savepoints, which cost copies of the pages each body changes. A body hardly ever fails; when one
    /// does, nothing was answered yet, and all run once more with a savepoint each. Bodies can run twice because they
    /// depend on nothing but the database.
    /// - Returns: what answers each caller.
    static func commit(_ writes: [PendingWrite], on connection: SQLiteConnection) -> [Answer] {
        var outcome = self.attempt(writes, on: connection) { (write, connection) throws(SQLiteFailure) in
            try write.perform(connection)
        }
        // Alone, a savepoint would change nothing.
        if case .bodyFailed = outcome, writes.count > 1 {
            outcome = self.attempt(writes, on: connection, self.performAlone)
        }
        switch outcome {
        case .committed(let answers):
            return answers
        case .bodyFailed(let failure), .failed(let failure):
            // The next batch starts from what is on the disk, so the store recovers as soon as the cause is gone.
            return writes.map { write in { write.refuse(failure.storeError) } }
        }
    }

    private static func attempt(
        _ writes: [PendingWrite], on connection: SQLiteConnection,
        _ perform: (PendingWrite, SQLiteConnection) throws(SQLiteFailure) -> Answer
    ) -> Outcome {
        var answers: [Answer] = []
        answers.reserveCapacity(writes.count)
        do throws(SQLiteFailure) {
            try connection.run("BEGIN IMMEDIATE")
        } catch {
            return .failed(error)
        }
        defer { if !connection.isOutsideTransaction() { _ = try? connection.run("ROLLBACK") } }
        do throws(SQLiteFailure) {
            for write in writes { answers.append(try perform(write, connection)) }
        } catch {
            return .bodyFailed(error)
        }
        do throws(SQLiteFailure) {
            try connection.run("COMMIT")
            return .committed(answers)
        } catch {
            return .failed(error)
        }
    }

    /// Runs a body in a savepoint, so that its failure is its caller's alone.
    /// - Throws: the failure that ended the whole transaction.
    private static func performAlone(
        _ write: PendingWrite, on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> Answer {
        try connection.run("SAVEPOINT body")
        do throws(SQLiteFailure) {
            let answer = try write.perform(connection)
            try connection.run("RELEASE body")
            return answer
        } catch {
            // "SQLITE_FULL, SQLITE_IOERR, SQLITE_NOMEM, SQLITE_BUSY and SQLITE_INTERRUPT might cause an automatic
            // rollback"; then there is no savepoint left to return to, and the others are gone too.
            guard !connection.isOutsideTransaction() else { throw error }
            try connection.run("ROLLBACK TO body")
            try connection.run("RELEASE body")
            return { write.refuse(error.storeError) }
        }
    }
}

/// The body of one caller's transaction, waiting for its turn.
struct PendingWrite: Sendable {
    /// Does the work inside a transaction; what it returns answers the caller once that is durable.
    let perform: @Sendable (SQLiteConnection) throws(SQLiteFailure) -> @Sendable () -> Void
    /// Answers the caller when nothing was done.
    let refuse: @Sendable (StoreError) -> Void
}
