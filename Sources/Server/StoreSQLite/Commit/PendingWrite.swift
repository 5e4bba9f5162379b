import Entitlement

/// The body of one caller's transaction, waiting for its turn.
struct PendingWrite: Sendable {
    /// Does the work inside a transaction; what it returns answers the caller once that is durable.
    let perform: @Sendable (SQLiteConnection) throws(SQLiteFailure) -> @Sendable () -> Void
    /// Answers the caller when nothing was done.
    let refuse: @Sendable (StoreError) -> Void
}
