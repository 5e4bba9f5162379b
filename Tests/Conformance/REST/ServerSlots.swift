import Synchronization

/// Lets so many servers run at a time. A test runner starts hundreds of cases at once, and each server has threads of
/// its own: together they would take all that the process can have, and wait for one another.
final class ServerSlots: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    static let shared = ServerSlots(16)

    private let state: Mutex<State>

    init(_ count: Int) { self.state = Mutex(State(free: count)) }

    func use(_ body: () async throws -> Void) async rethrows {
        await withCheckedContinuation { continuation in
            let isFree = self.state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
        defer { self.release() }
        try await body()
    }

    private func release() {
        let next = self.state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
