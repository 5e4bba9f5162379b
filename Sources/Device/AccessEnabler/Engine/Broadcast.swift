import Synchronization

/// Hands every element to every subscriber, in order.
final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var current: Element?
        var last = 0
        var isClosed = false
        var subscribers: [Int: AsyncStream<Element>.Continuation] = [:]
        /// Those that lost an element, which is said once for each.
        var losers: Set<Int> = []
    }

    private let backlog: Int
    private let whenLost: @Sendable () -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - backlog: how many elements wait for a subscriber. One that does not read loses the oldest.
    ///   - current: the element that stands, which a subscriber gets first; `nil` if elements are news alone.
    ///   - whenLost: is told once of each subscriber that lost an element.
    init(backlog: Int, current: Element? = nil, whenLost: @escaping @Sendable () -> Void = {}) {
        self.backlog = backlog
        self.whenLost = whenLost
        self.state = Mutex(State(current: current))
    }

    /// The element that stands; `nil` if elements are news alone.
    var current: Element? { self.state.withLock { $0.current } }
    var count: Int { self.state.withLock { $0.subscribers.count } }

    func subscribe() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(self.backlog))
        let number = self.state.withLock { state -> Int? in
            if let current = state.current { continuation.yield(current) }
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

    func send(_ element: Element) {
        let subscribers = self.state.withLock { state in
            if state.current != nil { state.current = element }
            return state.subscribers.sorted { $0.key < $1.key }
        }
        for (number, subscriber) in subscribers {
            guard case .dropped = subscriber.yield(element),
                self.state.withLock({ $0.losers.insert(number).inserted })
            else { continue }
            self.whenLost()
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
