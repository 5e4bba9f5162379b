package import Clientless

/// One change that an operator made, or a sign-in that its provider refused: the actor, the action, its subject and its time. Never a secret.
package struct AuditEntry: Hashable, Sendable {
    package let time: Timestamp
    /// The client or command that asked, or the provider.
    package let actor: String
    /// A constant, such as `degradation.add`.
    package let action: String
    /// The subject, in public terms.
    package let subject: String

    package init(time: Timestamp, actor: String, action: String, subject: String) {
        self.time = time
        self.actor = actor
        self.action = action
        self.subject = subject
    }
}
