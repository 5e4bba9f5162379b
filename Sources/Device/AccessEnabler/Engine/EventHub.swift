import Observability
import Synchronization

/// Hands every event to every subscriber, in order.
final class EventHub: Sendable {
    private struct State {
        var last = 0
        var isClosed = false
        var subscribers: [Int: AsyncStream<EntitlementEvent>.Continuation] = [:]
        /// Those that lost an event, which is said once for each.
        var losers: Set<Int> = []
    }

    /// A subscriber that does not read loses the oldest events rather than growing without bound.
    private static let backlog = 256

    private let logger: Logger
    private let state = Mutex(State())

    init(_ logger: Logger) { self.logger = logger }

    func subscribe() -> AsyncStream<EntitlementEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: EntitlementEvent.self, bufferingPolicy: .bufferingNewest(Self.backlog))
        let number = self.state.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            state.last += 1
            state.subscribers[state.last] = continuation
            return state.last
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in
                state.subscribers[number] = nil
                state.losers.remove(number)
            }
        }
        return stream
    }

    func send(_ event: EntitlementEvent) {
        for (number, subscriber) in self.state.withLock({ $0.subscribers }) {
            guard case .dropped = subscriber.yield(event),
                self.state.withLock({ $0.losers.insert(number).inserted })
            else { continue }
            self.logger.error("[AccessEnabler] a subscriber of events does not read them; the oldest are dropped")
        }
    }

    /// Ends every stream, also those of later subscribers.
    func close() {
        let subscribers = self.state.withLock { state in
            state.isClosed = true
            defer { state.subscribers = [:] }
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.finish() }
    }
}
