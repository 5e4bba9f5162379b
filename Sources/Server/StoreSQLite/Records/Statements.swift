import Entitlement
import StoreRecords

extension ColumnList {
    /// `?1, ?2, ?3`
    static var placeholders: String { self.placeholders("?") }
}

extension AttemptColumn {
    /// In place of one with its ID, whose version is counted up.
    static let insertion = """
        INSERT INTO attempts (\(names)) VALUES (\(placeholders))
            ON CONFLICT (id) DO UPDATE SET \(replacements), version = attempts.version + 1
        """

    /// Swaps in the progress of an attempt whose version is the stored one; takes ``swapValues(of:)``.
    static let swap = """
        UPDATE attempts SET progress = ?3, sealed_login = ?4, sealed_exchange = ?5, sealed_answer = ?6,
            version = version + 1 WHERE id = ?1 AND version = ?2
        """
}

extension AuthenticationColumn {
    static let insertion = "INSERT INTO authentications (\(names)) VALUES (\(placeholders))"
}

extension AuthorizationColumn {
    /// Keeps a record, unless its AuthN record is gone.
    static let insertion = """
        INSERT INTO authorizations (\(names)) SELECT \(placeholders)
            WHERE EXISTS (SELECT 1 FROM authentications WHERE id = ?\(Self.authentication.place + 1))
            ON CONFLICT (authentication, requestor, resource) DO UPDATE SET device = excluded.device,
                mvpd = excluded.mvpd, origin = excluded.origin, created = excluded.created, expires = excluded.expires
        """
}

extension Connection {
    /// Adds `entry` to the audit log, in the transaction of the change it tells of.
    borrowing func log(_ entry: AuditEntry) throws(SQLiteFailure) {
        try self.run(
            "INSERT INTO audit_log (\(AuditColumn.names)) VALUES (\(AuditColumn.placeholders))",
            AuditColumn.values(of: entry))
    }
}
