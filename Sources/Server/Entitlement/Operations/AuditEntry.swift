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

/// Which entries of the audit log are wanted; what is `nil` does not restrict them.
package struct AuditSelection: Hashable, Sendable {
    /// From this moment on.
    package var since: Timestamp?
    /// Before this moment.
    package var until: Timestamp?
    /// A part of the subject, in any case of its ASCII letters, such as a box's sixteen digits or a viewer's name.
    package var subject: String?
    /// A part of the actor in the same way, such as the name of a user of the machine.
    package var actor: String?

    /// The longest part of a text that may be asked for on a wire, in bytes of UTF-8.
    package static let longestPart = 256

    package init() {}
}
