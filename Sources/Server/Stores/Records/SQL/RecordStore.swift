package import Clientless
import Dispatch
package import Entitlement

/// A store that speaks SQL. Its operations are written once, as extensions; it has connections, transactions and the feed,
/// and the few statements that only its engine can run well.
package protocol RecordStore: Store, MovableStore {
    associatedtype Session: RecordSession

    typealias Row = Session.Row
    typealias Failure = Session.Row.Failure

    /// How its engine says what the two say differently.
    static var dialect: Dialect { get }

    func read<Value: Sendable>(
        _ statement: SQL, _ read: @escaping @Sendable (inout Row) throws(Failure) -> Value
    ) async throws(StoreError) -> [Value]

    /// Several reads that see the same moment.
    func snapshot<Value: Sendable>(
        _ body: @escaping @Sendable (Session) throws(Failure) -> Value
    ) async throws(StoreError) -> Value

    /// Runs `body` in a transaction and returns its value when that is durable. `body` depends on nothing but the session and
    /// what it captured by value: it may have to run twice.
    /// - Parameters:
    ///   - subjects: what no other change may touch meanwhile.
    ///   - isLong: whether others should not wait for it.
    func write<Value: Sendable>(
        _ subjects: [SubjectKey], isLong: Bool, _ body: @escaping @Sendable (Session) throws(Failure) -> Value
    ) async throws(StoreError) -> Value

    /// The same for statements that do not depend on what another one of them finds: they can travel together with those of
    /// other callers.
    /// - Parameter finish: reads what each of them found, and runs no statement.
    func write<Found, Value: Sendable>(
        _ subjects: [SubjectKey], _ statements: [SQL],
        reading read: @escaping @Sendable (inout Row) throws(Failure) -> Found,
        _ finish: @escaping @Sendable (Session, [Found]) throws(Failure) -> Value
    ) async throws(StoreError) -> Value

    /// The same for the number of rows that each changed.
    /// - Parameter isPassing: whether the change may be lost with the machine that the store is on.
    func write(_ subjects: [SubjectKey], _ statements: [SQL], isPassing: Bool) async throws(StoreError) -> [Int]

    /// Whether a purge may begin, in the transaction under way: not while another node's is.
    func mayPurge(_ session: Session) throws(Failure) -> Bool

    /// Erases changes that were there at a purge before `end`, and leaves a mark for later purges: a mark says which place was
    /// the newest at a purge, so that changes get an age, which they do not carry.
    /// - Returns: how many were erased.
    func purgeChanges(olderThan end: Timestamp, limit: Int, now: Timestamp, _ session: Session) throws(Failure) -> Int
}

extension RecordStore {
    package func write<Value: Sendable>(
        _ subjects: [SubjectKey], _ body: @escaping @Sendable (Session) throws(Failure) -> Value
    ) async throws(StoreError) -> Value { try await self.write(subjects, isLong: false, body) }

    func count(_ statement: SQL) async throws(StoreError) -> Int {
        Int(try await self.read(statement) { (row) throws(Failure) in try row.integer() }.first ?? 0)
    }

    /// - Returns: how many rows the statement changed.
    @discardableResult
    func write(_ subjects: [SubjectKey], _ statement: SQL) async throws(StoreError) -> Int {
        try await self.write(subjects, [statement], isPassing: false)[0]
    }
}

/// Runs `body`, which blocks for long, on a thread that nothing else waits for.
package func onOwnThread<Failure: RecordFailure, Value: Sendable>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(StoreError) -> Value {
    let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
        DispatchQueue(label: "latchkey.maintenance").async {
            continuation.resume(returning: Result(catching: body))
        }
    }
    return try Failure.told(result.get)
}
