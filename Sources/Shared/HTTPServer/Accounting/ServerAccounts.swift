import Observability
import POSIX
import Synchronization

/// Counts and logs what the server answers. It tells no raw path, no query and no whole address.
final class ServerAccounts: Sendable {
    private let logger: Logger
    private let rate: AccessLogRate
    private let sampleCount = Atomic<Int>(0)
    /// Lines about refusals that say that the server is at a bound: one a minute for each.
    private let boundLines = Mutex<[Refusal: LineRate]>([:])

    private let requests: CounterTable
    /// A counter without labels, shown from the start: an alert does not see a series rise from nothing.
    private let faults: CounterTable
    private let bodyBytes: CounterTable
    private let durations: Histogram
    private let refusals: CounterTable
    /// Names of routes to label values; routes that share a name share a counter.
    private let labelOfName: [String: Int]
    private let otherLabel: Int

    /// Why a request ended without a handler's answer.
    enum Refusal: String, CaseIterable {
        case bodyTooLarge = "body_too_large"
        case badFraming = "bad_framing"
        case tooManyHeld = "too_many_held"
        case tooManyConnections = "too_many_connections"
        case timedOut = "timed_out"
        case aborted
        case heldClientGone = "held_client_gone"
    }

    /// - Parameter router: names the routes that are counted apart, as long as the server lives.
    init(router: Router, logger: Logger, metrics: Metrics, rate: AccessLogRate) {
        self.logger = logger
        self.rate = rate
        var names = [Self.noRoute]
        var labelOfName: [String: Int] = [:]
        for route in router.routes where labelOfName[route.name] == nil {
            labelOfName[route.name] = names.count
            names.append(route.name)
        }
        self.labelOfName = labelOfName
        self.otherLabel = names.count
        names.append("other")
        self.requests = metrics.counterTable(
            "http_requests_total", help: "Requests answered, by route, method and status.",
            labels: [
                LabelSet("route", names), LabelSet("method", HTTPMethod.labels),
                LabelSet("status", HTTPStatus.counted.map(String.init) + ["other"]),
            ])
        self.faults = metrics.counter("http_faults_total", help: "Requests answered with a status of 500 or more.")
        self.bodyBytes = metrics.counter("http_response_body_bytes_total", help: "Bytes of answered bodies.")
        self.durations = metrics.histogram(
            "http_request_duration_seconds", help: "From the request line to the end of the answer; not held ones.")
        self.refusals = metrics.counterTable(
            "http_refusals_total", help: "Requests that ended before a handler answered, by reason.",
            labels: [LabelSet("reason", Refusal.allCases.map(\.rawValue))], showsZeros: true)
    }

    /// How an answer that no route gives is named.
    private static let noRoute = "none"

    /// The label value of the routes with this name: the routes that the server did not start with share one.
    func label(ofRoute name: String) -> Int { self.labelOfName[name] ?? self.otherLabel }

    func refused(_ reason: Refusal) {
        if let place = Refusal.allCases.firstIndex(of: reason) { self.refusals.increment(place) }
        switch reason {
        case .tooManyHeld:
            self.warn(reason, "a request is not held: as many wait as may, in all or from one address")
        case .tooManyConnections:
            self.warn(
                reason,
                "a connection is refused, or a silent one closed: as many are open as may, in all or from one address")
        case .bodyTooLarge, .badFraming, .timedOut, .aborted, .heldClientGone:
            break
        }
    }

    private func warn(_ reason: Refusal, _ message: StaticString) {
        let now = Duration.microseconds(MonotonicTime.now())
        let dropped = self.boundLines.withLock {
            $0[reason, default: LineRate(lines: 1, per: .seconds(60))].admit(at: now)
        }
        guard let dropped else { return }
        self.logger.warning(message, dropped == 0 ? [:] : [.dropped: .number(dropped)])
    }

    /// - Parameter duration: microseconds from the request line to the end of the answer.
    func answered(
        _ route: MatchedRoute, _ status: HTTPStatus, bodySize: Int, to address: IPAddress, duration: Int, wasHeld: Bool
    ) {
        let bodySize = route.method == .head ? 0 : bodySize
        self.requests.increment3(route.label, route.method.labelIndex, status.counterIndex)
        self.bodyBytes.increment(by: bodySize)
        if !wasHeld { self.durations.observe(microseconds: duration) }
        let isFault = status.code >= 500
        if isFault { self.faults.increment() }
        guard isFault || self.isSampled else { return }
        self.logger.info(
            isFault ? "request failed" : "request",
            [
                .requestID: .text(route.id.description), .method: .text(route.method.label),
                .route: .text(route.name ?? Self.noRoute), .status: .number(status.code),
                .durationMicroseconds: .number(duration), .bytes: .number(bodySize), .remote: .text(address.prefix),
            ])
    }

    private var isSampled: Bool {
        switch self.rate {
        case .off: false
        case .all: true
        case .sampled(let every): self.sampleCount.add(1, ordering: .relaxed).newValue % max(1, every) == 0
        }
    }
}

extension Metrics {
    /// Shows how many requests a server answers and holds, and how many sockets it has open and may have.
    func show(_ lot: ParkingLot, _ connections: ConnectionWatch, _ inFlight: InFlight, _ budget: DescriptorBudget) {
        self.gauge("http_in_flight_requests", help: "Requests being answered, held ones excepted.") {
            max(0, inFlight.value - lot.placeCount)
        }
        self.gauge("http_held_requests", help: "Requests that wait for something to happen.") { lot.count }
        self.gauge("http_held_requests_limit", help: "Requests that may wait at a time.") { budget.held }
        self.gauge("http_connections", help: "Connections that are open; under TLS held requests keep theirs.") {
            connections.count
        }
        self.gauge("http_connections_limit", help: "Connections that may be open at a time.") { budget.connections }
    }
}

extension HTTPStatus {
    var counterIndex: Int { Int(Self.counterIndices[self.code - 200]) }

    private static let counterIndices: [UInt8] = (200...599).map { code in
        UInt8(HTTPStatus.counted.firstIndex(of: code) ?? HTTPStatus.counted.count)
    }
}
