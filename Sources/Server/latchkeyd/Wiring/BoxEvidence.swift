import Clientless
import Entitlement
import Observability
import Synchronization

/// Counts what happens to boxes: the way from a code to a playback, by provider if there is one.
final class BoxEvidence: Sendable {
    /// From a code to its confirmation: a viewer who stands before the box, up to the longest life of a usual code.
    private static let pairingBounds: [Duration] = [
        .seconds(5), .seconds(10), .seconds(20), .seconds(30), .seconds(60), .seconds(120), .seconds(300),
        .seconds(600), .seconds(1800),
    ]

    private let steps: CounterTable
    private let pairing: Histogram
    private let signIns: ProviderTally
    private let permits: ProviderTally

    init(_ metrics: Metrics) {
        self.steps = metrics.counterTable(
            "latchkey_box_events_total", help: "Steps of boxes from a code to a playback.",
            labels: [LabelSet("event", BoxStep.Kind.allCases.map(\.rawValue))], showsZeros: true)
        self.pairing = metrics.histogram(
            "latchkey_pairing_seconds", help: "From a code to its confirmation.", bounds: Self.pairingBounds)
        let signIns = ProviderTally(["begun", "refused", "confirmed", "declined"])
        let permits = ProviderTally([
            "permitted", "provider", "programmer", "parental-controls", "network", "trial", "other",
        ])
        metrics.counterTable("latchkey_sign_ins_total", help: "Sign-ins at TV providers, by outcome.") {
            signIns.table
        }
        metrics.counterTable(
            "latchkey_permits_total", help: "New permits of TV providers, and refusals by who refused."
        ) {
            permits.table
        }
        self.signIns = signIns
        self.permits = permits
    }

    func count(_ event: BoxStep) {
        self.steps.increment(BoxStep.Kind.allCases.firstIndex(of: event.kind) ?? 0)
        if let duration = event.duration { self.pairing.observe(duration) }
        guard let mvpd = event.mvpd else { return }
        switch event.kind {
        case .codeMade, .codeOpened, .mediaToken: break
        case .signInBegun: self.signIns.count(mvpd, 0)
        case .signInRefused: self.signIns.count(mvpd, 1)
        case .confirmed: self.signIns.count(mvpd, 2)
        case .declined: self.signIns.count(mvpd, 3)
        case .permitted: self.permits.count(mvpd, 0)
        case .permitRefused: self.permits.count(mvpd, Self.outcome(of: event.denial))
        }
    }

    private static func outcome(of denial: Denial?) -> Int {
        switch denial {
        case .provider?: 1
        case .programmer?: 2
        case .parentalControls?: 3
        case .network?: 4
        case .trial?: 5
        case nil: 6
        }
    }
}

/// Counts by provider and outcome. Providers are those of the catalogue, so that no caller adds a row.
private final class ProviderTally: Sendable {
    private let outcomes: [String]
    private let counts = Mutex<[MVPDID: [Int]]>([:])

    init(_ outcomes: [String]) { self.outcomes = outcomes }

    func count(_ mvpd: MVPDID, _ outcome: Int) {
        let none = Array(repeating: 0, count: self.outcomes.count)
        self.counts.withLock { $0[mvpd, default: none][outcome] += 1 }
    }

    /// The labels of the moment, and one count for each combination of their values.
    var table: (labels: [LabelSet], values: [Int]) {
        let rows = self.counts.withLock { $0 }.sorted { $0.key.text < $1.key.text }
        return (
            [LabelSet("provider", rows.map(\.key.text)), LabelSet("outcome", self.outcomes)], rows.flatMap(\.value)
        )
    }
}
