import Clientless
import Entitlement

extension AuditEntry {
    /// What a command of this program changed.
    /// - Parameter subject: a public key or software ID, never a secret.
    static func command(_ action: String, of subject: String, at moment: Timestamp) -> AuditEntry {
        AuditEntry(time: moment, actor: "latchkeyd", action: action, subject: subject)
    }
}
