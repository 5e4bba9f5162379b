import Synchronization

/// Hands every event to every subscriber, in order.
final class EventHub: Sendable {
    private struct State {
        var last = 0
        var isClosed = false
        var subscribers: [Int: AsyncStream<EntitlementEvent>.Continuation] = [:]
    }

    /// A subscriber that does not read loses the oldest events rather than growing without bound.
    private static let backlog = 256

    private let state = Mutex(State())

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
            self?.state.withLock { _ = $0.subscribers.removeValue(forKey: number) }
        }
        return stream
    }

    func send(_ event: EntitlementEvent) {
        let subscribers = self.state.withLock { Array($0.subscribers.values) }
        for subscriber in subscribers { subscriber.yield(event) }
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
