import Clientless
import Entitlement

extension AuditEntry {
    /// What a command of this program changed.
    /// - Parameter subject: in public terms, such as `key P3wY…`; never a secret.
    static func command(_ action: String, of subject: String, at moment: Timestamp) -> AuditEntry {
        AuditEntry(time: moment, actor: CommandActor.text, action: action, subject: subject)
    }
}
