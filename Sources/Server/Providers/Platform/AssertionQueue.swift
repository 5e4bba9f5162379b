import Dispatch
import Synchronization

/// Verifies one response after the other, away from the threads that serve requests, and lets only so many wait.
///
/// One at a time is enough, as each takes about a millisecond, and keeps a flood of forged responses on one core.
package final class AssertionQueue: Sendable {
    /// The one of this process.
    package static let shared = AssertionQueue()

    private let queue = DispatchQueue(label: "latchkey.assertions", qos: .userInitiated)
    private let waiting = Mutex(0)
    private let maximumWaiting: Int

    /// - Parameter maximumWaiting: responses that wait or are verified at once.
    package init(maximumWaiting: Int = 64) {
        self.maximumWaiting = max(0, maximumWaiting)
    }

    var hasRoom: Bool { self.waiting.withLock { $0 < self.maximumWaiting } }

    /// - Throws: `busy`, and what `body` throws.
    func perform<Value: Sendable>(
        _ body: @escaping @Sendable () throws(AssertionFault) -> Value
    ) async throws(AssertionFault) -> Value {
        let isTaken = self.waiting.withLock { waiting in
            guard waiting < self.maximumWaiting else { return false }
            waiting += 1
            return true
        }
        guard isTaken else { throw .busy }
        defer { self.waiting.withLock { $0 -= 1 } }
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, AssertionFault>, Never>) in
            self.queue.async {
                continuation.resume(returning: Result(catching: body))
            }
        }
        return try result.get()
    }
}
