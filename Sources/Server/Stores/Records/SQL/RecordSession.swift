package import Entitlement

/// A connection of a store in the middle of a transaction, as the operations see it.
package protocol RecordSession: SendableMetatype {
    associatedtype Row: RecordRow

    /// Runs statements, one after the other; none depends on what another finds.
    /// - Returns: how many rows each changed.
    @discardableResult
    func run(_ statements: [SQL]) throws(Row.Failure) -> [Int]

    /// - Returns: how many rows the statement changed.
    @discardableResult
    func run(_ statement: SQL) throws(Row.Failure) -> Int

    /// The rows of all statements, in their order.
    func all<Value>(
        _ statements: [SQL], _ read: (inout Row) throws(Row.Failure) -> Value
    ) throws(Row.Failure) -> [Value]

    /// Notes a change for the feed, in the transaction under way.
    func note(_ change: StoreChange)
}

extension RecordSession {
    @discardableResult
    package func run(_ statement: SQL) throws(Row.Failure) -> Int { try self.run([statement])[0] }

    package func all<Value>(
        _ statement: SQL, _ read: (inout Row) throws(Row.Failure) -> Value
    ) throws(Row.Failure) -> [Value] { try self.all([statement], read) }

    package func first<Value>(
        _ statement: SQL, _ read: (inout Row) throws(Row.Failure) -> Value
    ) throws(Row.Failure) -> Value? { try self.all([statement], read).first }

    func finds(_ statement: SQL) throws(Row.Failure) -> Bool {
        try !self.all([statement]) { (_) throws(Row.Failure) in () }.isEmpty
    }

    func integer(_ statement: SQL) throws(Row.Failure) -> Int64? {
        try self.first(statement) { (row) throws(Row.Failure) in try row.integer() }
    }

    func texts(_ statement: SQL) throws(Row.Failure) -> [String] {
        try self.all(statement) { (row) throws(Row.Failure) in try row.text() }
    }

    func count(_ statement: SQL) throws(Row.Failure) -> Int { Int(try self.integer(statement) ?? 0) }

    /// Rows of an owner and a value as one list per owner, in the order of the rows.
    func lists<Value>(
        _ statement: SQL, _ read: (inout Row) throws(Row.Failure) -> Value
    ) throws(Row.Failure) -> [String: [Value]] {
        let rows = try self.all(statement) { (row) throws(Row.Failure) in (owner: try row.text(), try read(&row)) }
        return Dictionary(grouping: rows, by: \.owner).mapValues { $0.map(\.1) }
    }

    /// Adds `entry` to the audit log, in the transaction of the change it tells of.
    func log(_ entry: AuditEntry?) throws(Row.Failure) {
        if let entry { try self.run(AuditColumn.insertion(of: entry)) }
    }
}
