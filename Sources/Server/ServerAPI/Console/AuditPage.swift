import Clientless
import Entitlement
import HTTPServer

/// Who changed what, the newest first.
struct AuditPage: Sendable {
    /// The most entries that are listed.
    static let mostEntries = 200

    /// What the form asks for, as it was typed; empty texts ask for nothing.
    struct Question: Sendable {
        var subject = ""
        var actor = ""
        var since = ""
        var until = ""

        /// What a time may be, in bytes.
        static let longestTime = 20

        /// - Throws: what is wrong with it, as a sentence for the operator.
        func selection() throws(Fault) -> AuditSelection {
            var selection = AuditSelection()
            selection.subject = try Self.part(self.subject, "Subject")
            selection.actor = try Self.part(self.actor, "By")
            selection.since = try Self.moment(self.since, "From")
            selection.until = try Self.moment(self.until, "Before")
            return selection
        }

        private static func part(_ text: String, _ label: String) throws(Fault) -> String? {
            guard text.utf8.count <= AuditSelection.longestPart else {
                throw Fault(sentence: "“\(label)” is too long.")
            }
            return text.isEmpty ? nil : text
        }

        private static func moment(_ text: String, _ label: String) throws(Fault) -> Timestamp? {
            if text.isEmpty { return nil }
            guard let moment = CivilTime.moment(text) else {
                throw Fault(
                    sentence: "“\(label)” takes a day or a time in UTC, such as 2026-01-31 or 2026-01-31T20:00.")
            }
            return moment
        }
    }

    struct Fault: Error {
        let sentence: String
    }

    let question: Question
    /// What is wrong with the question; then there are no entries.
    let fault: String?
    let entries: [AuditEntry]
    let searching: FormToken

    var page: ConsolePage {
        let fault: Markup = self.fault.map { "<p class=\"alert\" role=\"alert\">\($0)</p>" } ?? ""
        let (question, part, time) = (self.question, AuditSelection.longestPart, Question.longestTime)
        return ConsolePage(
            title: "Audit",
            body: """
                <form class="card" method="post" action="\(ConsolePage.Path.audit)">
                \(fault)\(ConsoleForm.token(self.searching))
                <div class="fields">
                \(ConsoleForm.field("subject", "Subject", question.subject, atMost: part))
                \(ConsoleForm.field("actor", "By", question.actor, atMost: part))
                \(ConsoleForm.field("since", "From", question.since, atMost: time))
                \(ConsoleForm.field("until", "Before", question.until, atMost: time))
                <button class="button" type="submit">Show</button>
                </div>
                <p class="hint">A part of the subject or of who did it will do, such as a box's sixteen digits or a viewer's \
                name; a day or a time is in UTC, such as 2026-01-31 or 2026-01-31T20:00.</p>
                </form>
                <section class="card" aria-labelledby="entries"><h2 id="entries">Who changed what</h2>
                \(self.list)</section>
                """, status: self.fault == nil ? .ok : .badRequest)
    }

    private var list: Markup {
        let rows = self.entries.map { entry -> Markup in
            """
            <li><h3>\(entry.action)</h3><dl><div><dt>When</dt><dd>\(ConsoleTime.markup(entry.time))</dd></div>
            <div><dt>By</dt><dd>\(entry.actor)</dd></div><div><dt>Subject</dt><dd>\(entry.subject)</dd></div></dl></li>
            """
        }
        let more: Markup =
            rows.count == Self.mostEntries
            ? "<p class=\"hint\">These are the newest \(Self.mostEntries); there may be more.</p>" : ""
        return rows.isEmpty ? "<p>No change that fits.</p>" : "<ul class=\"rows\">\(Markup(rows))</ul>\(more)"
    }
}
