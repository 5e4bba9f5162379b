import Clientless
import Entitlement

extension Connection {
    /// Adds `entry` to the audit log, in the transaction of the change it tells of.
    borrowing func log(_ entry: AuditEntry) throws(SQLiteFailure) {
        try self.run(
            "INSERT INTO audit_log (moment, actor, action, subject) VALUES (?1, ?2, ?3, ?4)",
            [.time(entry.time), .text(entry.actor), .text(entry.action), .text(entry.subject)])
    }
}
