import Clientless
import Entitlement

/// The way of boxes from a code to a sign-in, over a span of time: how many came how far, and when.
struct ConsoleChart: Sendable {
    /// `heading` and `id` of the part of the page, `first` and `middle` of the plot's places, and a `note` on the source
    /// of the numbers and what they leave out.
    let words: TemplateValues
    /// The content of one column, such as `minute`, and how long.
    let column: String
    let width: Duration
    /// A row for each column, the oldest first, with the count of each kind of event.
    let counts: [[BoxStep.Kind: Int]]
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
        let values: TemplateValues = [
            "column": .text(self.column), "most": .number(most), "half": .text(most > 1 ? Self.half(most) : ""),
            "plot": .html(self.plot(made, signedIn, most)),
            "steps": .list(self.funnel),
            "others": .list(Self.others) { ["label": .text($0.label), "total": .number(self.total($0.kind))] },
            "values": .list(self.rows(made, signedIn)),
        ]
        return values.filled(by: self.words)
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

/// How providers fare since this process started.
enum ConsoleProviders {
    static func values(of domain: Entitlements, uptime: Duration) -> [TemplateValues] {
        let (signIns, decisions) = (domain.providerHealth.all, domain.decisionHealth.all)
        return domain.catalogue.mvpds.map { mvpd in
            var parts: [TemplateValues] = []
            if mvpd.trial == nil {
                parts.append(self.part("Sign-ins", signIns[mvpd.id], uptime))
                if let facts = decisions[mvpd.id] { parts.append(self.part("Decisions elsewhere", facts, uptime)) }
            } else {
                parts.append(
                    ["name": .text("Kind"), "standing": .text("a trial; no provider is asked"), "fault": .absent])
            }
            return ["provider": .text(mvpd.displayName), "id": .text(mvpd.id.text), "parts": .list(parts)]
        }
    }

    private static func part(_ name: String, _ facts: ProviderHealth.Facts?, _ uptime: Duration) -> TemplateValues {
        let fault = facts?.lastFault.map { fault in
            let kind = fault.outcome.rawValue.replacing("_", with: " ")
            return "\(kind), \(OperatorConsole.span(uptime - fault.time)) ago: \(fault.detail)"
        }
        return ["name": .text(name), "standing": .text(self.standing(of: facts)), "fault": .optional(fault)]
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
