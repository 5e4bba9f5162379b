import Clientless
import Cryptography
import Entitlement
import HTTPServer

/// The console's first page: what is wrong, how pairing goes, which codes are open, how providers fare.
struct OverviewPage: Sendable {
    /// The most codes that are listed.
    static let mostCodes = 100

    let lastHour: [[Int]]
    /// As ``lastHour``, by the hour.
    let lastDay: [[Int]]
    let isDayCut: Bool
    let codes: [OpenCode]
    /// Of all processes, as of the last count.
    let openCount: Int
    let providers: [ProviderRow]
    let warnings: [String]
    /// Of the form that cancels a code.
    let token: FormToken
    /// What the last form did.
    let notice: String?
    let now: Timestamp

    var page: ConsolePage {
        let notice: Markup = self.notice.map { "<p class=\"note near\" role=\"status\">\($0)</p>" } ?? ""
        return ConsolePage(
            title: "Overview",
            body: """
                \(notice)
                \(self.warningsMarkup)
                <div class="sides">
                \(self.hour.markup)
                \(self.day.markup)
                </div>
                \(self.codesMarkup)
                \(self.providersMarkup)
                """)
    }

    private var hour: FunnelPlot {
        FunnelPlot(
            title: "Last hour", id: "hour", start: "60 minutes ago", column: "minute", counts: self.lastHour,
            note: "What this process saw since it started.")
    }

    private var day: FunnelPlot {
        FunnelPlot(
            title: "Last day", id: "day", start: "24 hours ago", column: "hour", counts: self.lastDay,
            note: self.isDayCut
                ? "From the reports in the store, which are too many to be counted whole: the newest hours are missing."
                : "From the reports in the store, kept every half minute, by the hours of UTC.")
    }

    private var warningsMarkup: Markup {
        guard !self.warnings.isEmpty else {
            return """
                <p class="note near">The configuration has no fault, and nothing to warn of.</p>
                """
        }
        return """
            <section class="card" aria-labelledby="warnings"><h2 id="warnings">Warnings</h2>
            <ul>
            \(Markup(self.warnings.map { "<li>\($0)</li>" }))
            </ul>
            <p class="hint">What 'latchkeyd check-config' says of the configuration as it is now.</p></section>
            """
    }
}

extension OverviewPage {
    private var codesMarkup: Markup {
        let list: Markup =
            self.codes.isEmpty
            ? "<p>No code is open.</p>" : "<ul class=\"rows\">\(Markup(self.codes.map(self.row)))</ul>"
        let more: Markup =
            self.openCount > self.codes.count && self.codes.count == Self.mostCodes
            ? "<p class=\"hint\">These are the newest of about \(self.openCount).</p>" : ""
        return """
            <section class="card" aria-labelledby="codes"><h2 id="codes">Open codes</h2>
            \(list)\(more)
            <p class="hint">A code is shown by its beginning: who knows all of it can use it.</p></section>
            """
    }

    private func row(_ code: OpenCode) -> Markup {
        let box = ForeignText(code.box.name ?? code.box.model ?? "") ?? ForeignText("Unnamed box")
        let name: Markup = box.map { "\($0)" } ?? ""
        let model: Markup = code.box.model.flatMap { ForeignText($0) }.map { "\($0)" } ?? "not told"
        return """
            <li><div class="row"><h3>\(name) · <bdi class="code-text" dir="ltr">\(code.beginning)</bdi></h3>
            <form method="post" action="\(ConsolePage.Path.cancel)">\(ConsoleForm.token(self.token))\
            \(ConsoleForm.hidden("code", code.handle))<button class="button no" type="submit">Cancel<span class="unseen"> \
            the code \(code.beginning) of \(name)</span></button></form></div>
            <dl><div><dt>State</dt><dd>\(Self.words(for: code.state))</dd></div>
            <div><dt>Brand</dt><dd>\(code.requestor.text)</dd></div>
            <div><dt>Box</dt><dd class="code-text">\(Hex.encode(code.device.bytes.prefix(8)))</dd></div>
            <div><dt>Model</dt><dd>\(model)</dd></div>
            <div><dt>Made</dt><dd>\(ConsoleTime.span(self.now - code.generated)) ago</dd></div>
            <div><dt>Ends</dt><dd>in \(ConsoleTime.span(code.expires - self.now))</dd></div></dl></li>
            """
    }

    private static func words(for state: RegistrationCode.State) -> String {
        switch state {
        case .waiting(refusal: nil): "waits for a viewer"
        case .waiting(.some): "waits; the last sign-in was refused"
        case .opened: "a viewer entered it"
        case .loggingIn: "a viewer signs in"
        case .confirming: "a viewer is asked about the box"
        case .completed: "signed in"
        case .declined: "declined"
        case .cancelled: "cancelled"
        case .expired: "over"
        }
    }

    private var providersMarkup: Markup {
        """
        <section class="card" aria-labelledby="providers"><h2 id="providers">TV providers</h2>
        <ul class="rows">
        \(Markup(self.providers.map(\.markup)))
        </ul></section>
        """
    }
}

/// How one provider fares since this process started.
struct ProviderRow: Sendable {
    let id: MVPDID
    let name: String
    /// By what it is asked for; empty for a trial.
    let parts: [(name: String, facts: ProviderHealth.Facts?)]

    /// Those of the catalogue in force.
    static func all(of domain: Entitlements) -> [ProviderRow] {
        let (signIns, decisions) = (domain.providerHealth.all, domain.decisionHealth.all)
        return domain.catalogue.mvpds.map { mvpd in
            switch mvpd.kind {
            case .trial: ProviderRow(id: mvpd.id, name: mvpd.displayName, parts: [])
            case .provider:
                ProviderRow(
                    id: mvpd.id, name: mvpd.displayName,
                    parts: [("Sign-ins", signIns[mvpd.id])]
                        + (decisions[mvpd.id].map { [("Decisions elsewhere", Optional($0))] } ?? []))
            }
        }
    }

    var markup: Markup {
        let facts = self.parts.map { name, facts -> Markup in
            "<div><dt>\(name)</dt><dd>\(Self.standing(of: facts))</dd></div>"
        }
        let kind: Markup = self.parts.isEmpty ? "<div><dt>Kind</dt><dd>a trial; no provider is asked</dd></div>" : ""
        return """
            <li><h3>\(self.name)</h3><dl><div><dt>ID</dt><dd>\(self.id.text)</dd></div>\(kind)\(Markup(facts))</dl></li>
            """
    }

    private static func standing(of facts: ProviderHealth.Facts?) -> String {
        guard let facts, !facts.outcomes.isEmpty else { return "not asked yet" }
        let answered = facts.outcomes[.answered] ?? 0
        let shed = facts.outcomes[.shed] ?? 0
        let asked = facts.outcomes.values.reduce(0, +) - shed
        // A connection that is refused takes no time, which says nothing about a provider that answers.
        let mean = answered > 0 ? ", \(Int((facts.time / .milliseconds(1)).rounded()) / asked) ms on average" : ""
        let state = facts.isShut ? "silent, and not asked for a while" : "asked as usual"
        let kept = shed > 0 ? ", \(shed) not asked" : ""
        return "\(state): \(answered) of \(asked) answered\(kept)\(mean)"
    }
}
