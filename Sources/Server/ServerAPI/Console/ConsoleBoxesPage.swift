import Clientless
import Entitlement
import HTTPServer

/// The boxes that are signed in, by viewer, brand and provider.
struct ConsoleBoxesPage: Sendable {
    /// The most boxes that are listed.
    static let mostBoxes = 100

    /// What the form asks for, as it was typed; empty texts ask for nothing.
    struct Question: Sendable {
        /// In bytes of UTF-8.
        static let longest = (viewer: 128, requestor: 64, provider: 64)

        var viewer = ""
        var requestor = ""
        var provider = ""
    }

    let question: Question
    /// What is wrong with the question; then there are no boxes.
    let fault: String?
    let boxes: [SignedInBox]
    let hasMore: Bool
    let searching: FormToken
    let ending: FormToken
    /// What the last form did.
    let notice: String?
    let now: Timestamp

    var page: ConsolePage {
        let notice: Markup = self.notice.map { "<p class=\"note near\" role=\"status\">\($0)</p>" } ?? ""
        let fault: Markup = self.fault.map { "<p class=\"alert\" role=\"alert\">\($0)</p>" } ?? ""
        let list: Markup =
            self.boxes.isEmpty
            ? "<p>No box that fits is signed in.</p>" : "<ul class=\"rows\">\(Markup(self.boxes.map(self.row)))</ul>"
        let more: Markup = self.hasMore ? "<p class=\"hint\">There are more; these are the newest.</p>" : ""
        let longest = Question.longest
        return ConsolePage(
            title: "Boxes",
            body: """
                \(notice)
                <form class="card" method="post" action="\(ConsolePage.Path.boxes)">
                \(fault)\(ConsoleForm.token(self.searching))
                <div class="fields">
                \(ConsoleForm.field("viewer", "Viewer", self.question.viewer, atMost: longest.viewer))
                \(ConsoleForm.field("requestor", "Brand", self.question.requestor, atMost: longest.requestor))
                \(ConsoleForm.field("provider", "TV provider", self.question.provider, atMost: longest.provider))
                <button class="button" type="submit">Show</button>
                </div>
                <p class="hint">A viewer is the account at the local provider that is named, or the pseudonym that records \
                and tokens have; a brand and a provider are named by their IDs.</p>
                </form>
                <section class="card" aria-labelledby="found"><h2 id="found">Signed in</h2>
                \(list)\(more)</section>
                """, status: self.fault == nil ? .ok : .badRequest)
    }

    private func row(_ box: SignedInBox) -> Markup {
        let name: Markup = box.label.flatMap { ForeignText($0) }.map { "\($0)" } ?? "Unnamed box"
        let model: Markup =
            box.model.flatMap { ForeignText($0) }.map { "<dl><div><dt>Model</dt><dd>\($0)</dd></div></dl>" } ?? ""
        return """
            <li><div class="row"><h3>\(name) · <bdi class="code-text" dir="ltr">\(box.name)</bdi></h3>
            <form method="post" action="\(ConsolePage.Path.endSignIns)">\(ConsoleForm.token(self.ending))\
            \(ConsoleForm.hidden("box", box.name))<button class="button no" type="submit">Sign out<span class="unseen"> \
            the box \(name), \(box.name)</span></button></form></div>
            \(model)\(Markup(box.signIns.map(self.signIn)))</li>
            """
    }

    private func signIn(_ record: AuthNRecord) -> Markup {
        let end: Markup =
            record.isCurrent(at: self.now)
            ? "in \(ConsoleTime.span(record.expires - self.now))" : "over since \(ConsoleTime.markup(record.expires))"
        return """
            <dl><div><dt>Brand</dt><dd>\(record.requestor.text)</dd></div>
            <div><dt>TV provider</dt><dd>\(record.mvpd.text)</dd></div>
            <div><dt>Viewer</dt><dd class="code-text">\(String(decoding: record.userID.utf8.prefix(16), as: UTF8.self))</dd></div>
            <div><dt>Since</dt><dd>\(ConsoleTime.markup(record.created))</dd></div>
            <div><dt>Ends</dt><dd>\(end)</dd></div></dl>
            """
    }
}
