import Observability
import Synchronization

/// How many sockets a server has open and may have, for gauges that are registered before there is anything to count.
final class OpenSockets: Sendable {
    private typealias Parts = (lot: ParkingLot, connections: ConnectionWatch, budget: DescriptorBudget)

    private let parts = Mutex<Parts?>(nil)

    init(_ metrics: Metrics) {
        metrics.gauge("http_connections", help: "Connections that are open, held requests excepted.") {
            self.value { $0.connections.count }
        }
        metrics.gauge("http_connections_limit", help: "Connections that may be open at a time.") {
            self.value { $0.budget.connections }
        }
        metrics.gauge("http_held_requests_limit", help: "Requests that may wait at a time.") {
            self.value { $0.budget.held }
        }
    }

    func count(in lot: ParkingLot, _ connections: ConnectionWatch, _ budget: DescriptorBudget) {
        self.parts.withLock { $0 = (lot, connections, budget) }
    }

    var held: Int { self.value { $0.lot.count } }

    private func value(_ read: (Parts) -> Int) -> Int { self.parts.withLock { $0 }.map(read) ?? 0 }
}
