import HTTPServer
import Observability

/// The outcome of calls that had to say who makes them.
struct AuthenticationCounters: Sendable {
    private static let statuses = [400, 401, 403]

    private let refusals: CounterTable
    private let mismatches: CounterTable

    init(_ metrics: Metrics) {
        self.refusals = metrics.counterTable(
            "latchkey_refused_calls_total", help: "Calls whose credential was refused, by status.",
            labels: [LabelSet("status", Self.statuses.map(String.init) + ["other"])])
        self.mismatches = metrics.counter(
            "latchkey_signature_line_mismatches_total",
            help: "Signed calls whose signed verb or URI was not that of the call.")
    }

    func refused(_ error: WireError) {
        self.refusals.increment(Self.statuses.firstIndex(of: error.status.code) ?? Self.statuses.count)
    }

    func mismatched() { self.mismatches.increment() }
}
