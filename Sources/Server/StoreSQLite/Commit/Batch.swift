import CSQLite
import Entitlement

/// Several bodies in one commit, none of which can undo another.
enum Batch {
    typealias Answer = @Sendable () -> Void

    /// Runs each of `writes` in a savepoint of its own and commits them together.
    /// - Returns: what answers each caller; nothing was answered yet.
    static func commit(_ writes: [PendingWrite], on connection: borrowing Connection) -> [Answer] {
        var answers: [Answer] = []
        answers.reserveCapacity(writes.count)
        do {
            try connection.run("BEGIN IMMEDIATE")
            for write in writes {
                answers.append(try self.performAlone(write, on: connection))
            }
            try connection.run("COMMIT")
            return answers
        } catch {
            // Nothing of the batch is in the file, also what went well until now. The next batch starts from what is
            // on the disk, so the store recovers as soon as its cause is gone.
            if !connection.isOutsideTransaction() { _ = try? connection.run("ROLLBACK") }
            let failure = error.storeError
            return writes.map { write in { write.refuse(failure) } }
        }
    }

    /// - Throws: the failure that ended the whole transaction; a failure of this body alone is in the answer.
    private static func performAlone(
        _ write: PendingWrite, on connection: borrowing Connection
    ) throws(SQLiteFailure) -> Answer {
        try connection.run("SAVEPOINT body")
        do {
            let answer = try write.perform(connection)
            try connection.run("RELEASE body")
            return answer
        } catch {
            // "SQLITE_FULL, SQLITE_IOERR, SQLITE_NOMEM, SQLITE_BUSY and SQLITE_INTERRUPT might cause an automatic
            // rollback"; then there is no savepoint left to return to, and the others are gone too.
            guard !connection.isOutsideTransaction() else { throw error }
            try connection.run("ROLLBACK TO body")
            try connection.run("RELEASE body")
            let failure = error.storeError
            return { write.refuse(failure) }
        }
    }
}
