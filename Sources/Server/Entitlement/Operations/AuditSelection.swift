package import Clientless

/// Which entries of the audit log are wanted; what is `nil` selects nothing.
package struct AuditSelection: Hashable, Sendable {
    /// From this moment on.
    package var since: Timestamp?
    /// Before this moment.
    package var until: Timestamp?
    /// A part of the subject, in any case of its letters, such as a box's sixteen digits or a viewer's name.
    package var subject: String?
    /// A part of the actor, such as the name of a user of the machine.
    package var actor: String?

    package init() {}

    package var selectsAll: Bool { self == AuditSelection() }

    package func contains(_ entry: AuditEntry) -> Bool {
        if let since = self.since, entry.time < since { return false }
        if let until = self.until, entry.time >= until { return false }
        return Self.holds(entry.subject, self.subject) && Self.holds(entry.actor, self.actor)
    }

    private static func holds(_ text: String, _ part: String?) -> Bool {
        part.map { text.lowercased().contains($0.lowercased()) } ?? true
    }
}
