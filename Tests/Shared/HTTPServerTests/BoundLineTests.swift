import Observability
import Synchronization
import Testing

@testable import HTTPServer

@Suite("A server at a bound")
struct BoundLineTests {
    @Test func `counts every refusal, and says it in one line a minute for each bound`() {
        let lines = Mutex<[String]>([])
        let logger = Logger(component: "test", sink: LogSink { line in lines.withLock { $0.append(line) } })
        let metrics = Metrics()
        let accounts = ServerAccounts(router: Router(), logger: logger, metrics: metrics, rate: .off)
        for _ in 0..<50 { for reason in ServerAccounts.Refusal.allCases { accounts.refused(reason) } }
        let text = metrics.prometheusText()
        for reason in ServerAccounts.Refusal.allCases {
            #expect(text.contains("http_refusals_total{reason=\"\(reason.rawValue)\"} 50\n"))
        }
        let told = lines.withLock { $0 }
        #expect(told.count == 2)
        #expect(told.contains { $0.contains("a request is not held") })
        #expect(told.contains { $0.contains("a connection is refused") })
    }

    @Test func `tells how many connections are open and may be, and how many requests may be held`() async throws {
        let metrics = Metrics()
        let accounts = ServerAccounts(router: Router(), logger: .silent, metrics: Metrics(), rate: .off)
        let lot = try #require(
            ParkingLot(limits: ParkingLot.Limits(total: 20, perAddress: 0, time: 1_000_000), accounts: accounts))
        let connections = ConnectionWatch(limit: 30, limitPerAddress: 0)
        let address = try #require(IPAddress("192.0.2.1"))
        _ = connections.admit(ConnectionRecord(descriptor: 1000, remoteAddress: address, deadline: .max))
        let budget = try #require(DescriptorBudget(limit: 1000, open: 10, reserve: 10, connections: 30, held: 20))
        // A request that is held under TLS.
        let inFlight = InFlight()
        inFlight.begin()
        #expect(lot.takePlace(for: address))
        metrics.show(lot, connections, inFlight, budget)
        let text = metrics.prometheusText()
        let samples = ["connections 1", "connections_limit 30", "held_requests 1", "held_requests_limit 20"]
        for sample in samples + ["in_flight_requests 0"] { #expect(text.contains("http_\(sample)\n")) }
    }
}
