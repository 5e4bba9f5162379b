import Clientless
import Entitlement

/// The console's first page: what is wrong, how the server and pairing fare, which codes are open, how providers answer.
struct ConsoleOverviewPage: ConsolePage {
    static let template = "overview"
    /// The most codes that are listed.
    static let mostCodes = 100

    let warnings: [String]
    let facts: [OperatorConsole.Fact]
    let refusals: [OperatorConsole.Fact]
    let charts: [ConsoleChart]
    let codes: [OpenCode]
    /// The number over all processes, as of the last count.
    let openCount: Int
    let providers: [ConsoleProvider]
    /// Of the form that cancels a code.
    let token: FormToken
    /// The result of the last form.
    let notice: String?
    let now: Timestamp

    var path: String? { ConsolePath.overview }

    var values: TemplateValues {
        [
            "notice": .optional(self.notice), "cancelToken": .text(self.token.text),
            "warnings": .list(self.warnings) { ["warning": .text($0)] }, "facts": .list(self.facts, \.values),
            "refusals": .list(self.refusals, \.values), "charts": .list(self.charts, \.values),
            "providers": .list(self.providers, \.values), "codes": .list(self.codes, self.values(of:)),
            "more": self.openCount > self.codes.count && self.codes.count == Self.mostCodes
                ? .number(self.openCount) : .absent,
        ]
    }

    private func values(of code: OpenCode) -> TemplateValues {
        [
            "boxName": ConsoleValue.name(code.box.name ?? code.box.model), "beginning": .text(code.beginning),
            "handle": .text(code.handle), "state": .text(Self.words(for: code.state)),
            "requestor": .text(code.requestor.text), "box": .text(code.device.handle.description),
            "model": .foreign(code.box.model.flatMap { ForeignText($0) }),
            "age": .text(ConsoleTime.span(self.now - code.generated)),
            "left": .text(ConsoleTime.span(code.expires - self.now)),
        ]
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
}

/// The way of boxes from a code to a sign-in, over a span of time: how many came how far, and when.
struct ConsoleChart: Sendable {
    /// Such as `Last hour`; also names the part of the page.
    let heading: String
    let id: String
    /// The labels of the plot's first place and its middle, such as `60 minutes ago`.
    let first: String
    let middle: String
    /// The content of one column, such as `minute`, and how long.
    let column: String
    let width: Duration
    /// A row for each column, the oldest first, with the count of each kind of event.
    let counts: [[BoxStep.Kind: Int]]
    /// The source of the numbers, and what they leave out.
    let note: String
    let now: Timestamp

    private static let steps: [(kind: BoxStep.Kind, label: String)] = [
        (.codeMade, "Codes made"), (.codeOpened, "Codes entered by a viewer"), (.signInBegun, "Sign-ins begun"),
        (.confirmed, "Boxes signed in"),
    ]
    private static let others: [(kind: BoxStep.Kind, label: String)] = [
        (.signInRefused, "Sign-ins refused"), (.declined, "Boxes declined"), (.permitted, "New permits"),
        (.permitRefused, "Permits refused"), (.mediaToken, "Playbacks"),
    ]

    private func series(_ kind: BoxStep.Kind) -> [Int] { self.counts.map { $0[kind] ?? 0 } }

    private func total(_ kind: BoxStep.Kind) -> Int { self.series(kind).reduce(0, +) }

    var values: TemplateValues {
        let (made, signedIn) = (self.series(.codeMade), self.series(.confirmed))
        let most = max(made.max() ?? 0, signedIn.max() ?? 0)
        return [
            "heading": .text(self.heading), "id": .text(self.id), "first": .text(self.first),
            "middle": .text(self.middle), "column": .text(self.column), "note": .text(self.note),
            "most": .number(most), "half": .text(most > 1 ? Self.half(most) : ""),
            "plot": .html(self.plot(made, signedIn, most)),
            "steps": .list(self.funnel),
            "others": .list(Self.others) { ["label": .text($0.label), "total": .number(self.total($0.kind))] },
            "values": .list(self.rows(made, signedIn)),
        ]
    }

    /// One bar for each step, as wide as its part of the largest.
    private var funnel: [TemplateValues] {
        let totals = Self.steps.map { self.total($0.kind) }
        let most = max(totals.max() ?? 0, 1)
        return zip(Self.steps, totals).map { step, total -> TemplateValues in
            // In thousandths, so that the smallest part is still seen.
            let part = total == 0 ? 0 : max(4, (total * 1000 + most / 2) / most)
            return ["label": .text(step.label), "total": .number(total), "bar": .html(Self.bar(part))]
        }
    }

    private static func half(_ most: Int) -> String { most % 2 == 0 ? "\(most / 2)" : "\(most / 2).5" }

    // Templates have no drawings; what these are made of are numbers and words of ours.
    private static func bar(_ part: Int) -> HTML {
        HTML(
            unescaped: """
                <svg class="step" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">\
                <rect class="track" width="1000" height="10" /><rect class="done" width="\(part)" height="10" /></svg>
                """)
    }

    /// Codes made, and of the boxes that signed in, side by side over time.
    private func plot(_ made: [Int], _ signedIn: [Int], _ most: Int) -> HTML {
        let room = max(self.counts.count, 1) * 10
        var bars = ""
        for (values, kind, offset) in [(made, "made", 1), (signedIn, "done", 5)] {
            for (place, value) in values.enumerated() where value > 0 {
                let height = max(2, value * 100 / max(most, 1))
                bars += "<rect class=\"\(kind)\" x=\"\(place * 10 + offset)\" y=\"\(100 - height)\" width=\"4\" "
                bars += "height=\"\(height)\" />"
            }
        }
        return HTML(
            unescaped: """
                <svg class="plot" viewBox="0 0 \(room) 100" preserveAspectRatio="none" role="img" \
                aria-label="Codes made and boxes signed in by the \(self.column); at most \(most) in one \(self.column)">\
                <rect class="ground" width="\(room)" height="100" /><rect class="line" y="50" width="\(room)" \
                height="0.5" />\(bars)</svg>
                """)
    }

    /// The columns in which something happened, the newest first.
    private func rows(_ made: [Int], _ signedIn: [Int]) -> [TemplateValues] {
        let width = self.width.components.seconds
        let end = (self.now.seconds / width + 1) * width
        return made.indices.reversed().filter { made[$0] + signedIn[$0] > 0 }.map { place -> TemplateValues in
            let start = Timestamp(seconds: end - Int64(made.count - place) * width)
            return [
                "from": ConsoleTime.value(start), "made": .number(made[place]), "signedIn": .number(signedIn[place]),
            ]
        }
    }
}

/// How one provider fares since this process started.
struct ConsoleProvider: Sendable {
    let id: MVPDID
    let name: String
    /// By what it is asked for; empty for a trial.
    let parts: [(name: String, facts: ProviderHealth.Facts?)]
    let uptime: Duration

    /// Those of the catalogue in force.
    static func all(of domain: Entitlements, uptime: Duration) -> [ConsoleProvider] {
        let (signIns, decisions) = (domain.providerHealth.all, domain.decisionHealth.all)
        return domain.catalogue.mvpds.map { mvpd in
            var parts: [(name: String, facts: ProviderHealth.Facts?)] = []
            if case .provider = mvpd.kind {
                parts.append((name: "Sign-ins", facts: signIns[mvpd.id]))
                if let facts = decisions[mvpd.id] { parts.append((name: "Decisions elsewhere", facts: facts)) }
            }
            return ConsoleProvider(id: mvpd.id, name: mvpd.displayName, parts: parts, uptime: uptime)
        }
    }

    var values: TemplateValues {
        let kind: [TemplateValues] = [
            ["name": .text("Kind"), "standing": .text("a trial; no provider is asked"), "fault": .absent]
        ]
        let asked = TemplateValue.list(self.parts) { part in
            [
                "name": .text(part.name), "standing": .text(Self.standing(of: part.facts)),
                "fault": .optional(part.facts?.lastFault.map(self.words(for:))),
            ]
        }
        return [
            "provider": .text(self.name), "id": .text(self.id.text),
            "parts": self.parts.isEmpty ? .list(kind) : asked,
        ]
    }

    private func words(for fault: ProviderHealth.Fault) -> String {
        let kind = fault.outcome.rawValue.replacing("_", with: " ")
        return "\(kind), \(ConsoleTime.span(self.uptime - fault.time)) ago: \(fault.detail)"
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
