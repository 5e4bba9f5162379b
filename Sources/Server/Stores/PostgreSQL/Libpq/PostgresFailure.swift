package import Entitlement

package struct PostgresFailure: RecordFailure, Hashable {
    enum Kind: Hashable {
        /// The server refused a statement; the connection goes on.
        case statement
        /// The connection is of no use any more, or there was none.
        case connection
        /// A stored value that this program cannot have written.
        case nonsense
        /// A newer program made the tables.
        case newerSchema
        /// An older program made the tables, or no program did.
        case olderSchema
    }

    let kind: Kind
    /// The SQLSTATE (PostgreSQL, appendix A); empty if the server sent none.
    var state = ""
    let message: String

    package static func nonsense(_ message: String) -> PostgresFailure {
        PostgresFailure(kind: .nonsense, message: message)
    }

    static func lost(_ message: String) -> PostgresFailure { PostgresFailure(kind: .connection, message: message) }

    /// Whether the connection can be used again after this.
    var leavesConnection: Bool {
        switch self.kind {
        case .statement, .nonsense, .newerSchema, .olderSchema: !self.endsConnection
        case .connection: false
        }
    }

    /// The server ends the connection after these: class 57P, operator intervention, and 08, connection exceptions.
    /// A server that became read-only counts too, as another one is looked for.
    private var endsConnection: Bool {
        self.state.hasPrefix("57P") || self.state.hasPrefix("08") || self.isOfReadOnlyServer || self.state == "25P03"
    }

    /// Whether the server takes no writes, or no longer.
    var isOfReadOnlyServer: Bool { self.state == "25006" }

    /// Whether the same transaction may succeed when it is run again: it met another one.
    var isPassing: Bool {
        // Serialization failure, deadlock, a lock that was not to be had, a row that went while another referred to it.
        ["40001", "40P01", "55P03", "23503"].contains(self.state)
    }

    /// Whether the server has a prepared statement that is not this session's, or lacks one that is: a pooler in between
    /// gives each transaction another connection.
    private var isOfSharedConnection: Bool { ["42P05", "26000"].contains(self.state) }

    package var storeError: StoreError {
        var detail = self.state.isEmpty ? self.message : "\(self.message) (SQLSTATE \(self.state))"
        if self.isOfSharedConnection {
            detail +=
                "; a pooler in between gives each transaction another connection: it needs pool_mode=session, or "
                + "pgbouncer 1.21 with max_prepared_statements above 150"
        }
        return StoreError(self.storeCode, detail: detail)
    }

    private var storeCode: StoreError.Code {
        switch self.kind {
        case .connection: return .unavailable
        case .nonsense: return .damaged
        case .newerSchema: return .newerSchema
        case .olderSchema: return .olderSchema
        case .statement: break
        }
        switch self.state {
        // A unique key; foreign keys and checks cannot fail by a caller's doing.
        case "23505": return .conflict
        // Disk full; configuration limit exceeded.
        case "53100", "53400": return .full
        // A read-only transaction; insufficient privilege.
        case "25006", "42501": return .readOnly
        // Data and index corrupted; a table or column that is not there; a text that is none.
        case "XX001", "XX002", "42P01", "42703": return .damaged
        default: return .unavailable
        }
    }
}
