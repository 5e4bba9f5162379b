import Entitlement

/// The way of boxes from a code to a sign-in, over a span of time: how many came how far, and when.
struct FunnelPlot: Sendable {
    /// Such as `Last hour`; also names the part of the page.
    let title: String
    let id: String
    /// What the plot's first place is, such as `60 minutes ago`.
    let start: String
    /// What one column is, such as `minute`.
    let column: String
    /// A row for each column, the oldest first, with the count of each kind of event in its order.
    let counts: [[Int]]
    /// Where the numbers come from, and what they leave out.
    let note: String

    private static let steps: [(kind: BoxEvent.Kind, label: String)] = [
        (.codeMade, "Codes made"), (.codeOpened, "Codes entered by a viewer"), (.signInBegun, "Sign-ins begun"),
        (.confirmed, "Boxes signed in"),
    ]
    private static let others: [(kind: BoxEvent.Kind, label: String)] = [
        (.signInRefused, "Sign-ins refused"), (.declined, "Boxes declined"), (.permitted, "New permits"),
        (.permitRefused, "Permits refused"), (.mediaToken, "Playbacks"),
    ]

    private func series(_ kind: BoxEvent.Kind) -> [Int] {
        guard let place = BoxEvent.Kind.allCases.firstIndex(of: kind) else { return [] }
        return self.counts.map { $0.indices.contains(place) ? $0[place] : 0 }
    }

    private func total(_ kind: BoxEvent.Kind) -> Int { self.series(kind).reduce(0, +) }

    var markup: Markup {
        """
        <section class="card" aria-labelledby="\(self.id)">
        <h2 id="\(self.id)">\(self.title)</h2>
        \(self.funnel)
        \(self.columns)
        <dl class="figures">
        \(Markup(Self.others.map { "<div><dt>\($0.label)</dt><dd>\(self.total($0.kind))</dd></div>" }))
        </dl>
        <p class="hint">\(self.note)</p>
        </section>
        """
    }

    /// One bar for each step, as wide as its part of the largest.
    private var funnel: Markup {
        let totals = Self.steps.map { self.total($0.kind) }
        let most = max(totals.max() ?? 0, 1)
        let rows = zip(Self.steps, totals).map { step, total -> Markup in
            // In thousandths, so that the smallest part is still seen.
            let width = total == 0 ? 0 : max(4, Int((Double(total) / Double(most) * 1000).rounded()))
            return """
                <li><span>\(step.label)</span> <strong>\(total)</strong>
                <svg class="step" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" \
                focusable="false"><rect class="track" width="1000" height="10" /><rect class="done" width="\(width)" \
                height="10" /></svg></li>
                """
        }
        return """
            <ol class="funnel">
            \(Markup(rows))
            </ol>
            """
    }

    /// Codes made, and of the boxes that signed in, side by side over time.
    private var columns: Markup {
        let (made, signedIn) = (self.series(.codeMade), self.series(.confirmed))
        let most = max(made.max() ?? 0, signedIn.max() ?? 0)
        let scale = 100 / Double(max(most, 1))
        func bars(_ values: [Int], _ kind: String, at offset: Int) -> Markup {
            Markup(
                values.enumerated().filter { $0.element > 0 }.map { place, value in
                    let height = max(2, Int((Double(value) * scale).rounded()))
                    return """
                        <rect class="\(kind)" x="\(place * 10 + offset)" y="\(100 - height)" width="4" \
                        height="\(height)" />
                        """
                })
        }
        return """
            <figure>
            <svg class="plot" viewBox="0 0 \(max(self.counts.count, 1) * 10) 100" preserveAspectRatio="none" role="img" \
            aria-label="Codes made and boxes signed in by the \(self.column); at most \(most) in one \(self.column)">
            <rect class="ground" width="\(max(self.counts.count, 1) * 10)" height="100" />
            \(bars(made, "made", at: 1))
            \(bars(signedIn, "done", at: 5))
            </svg>
            <p class="axis" aria-hidden="true"><span>\(self.start)</span> <span>now</span></p>
            <figcaption><span><svg class="key" viewBox="0 0 10 10" aria-hidden="true" focusable="false"><rect class="made" \
            width="10" height="10" /></svg> codes made</span> <span><svg class="key" viewBox="0 0 10 10" \
            aria-hidden="true" focusable="false"><rect class="done" width="10" height="10" /></svg> boxes signed \
            in</span> <span>most in one \(self.column): \(most)</span></figcaption>
            </figure>
            """
    }
}
