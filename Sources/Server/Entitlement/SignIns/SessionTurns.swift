import Synchronization

/// Lets one question at a time be asked about a session, on this node: those who come later wait in line.
final class SessionTurns: Sendable {
    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct Lines {
        var last = 0
        /// By session; one that is here has a turn taken.
        var waiting: [[UInt8]: [Waiter]] = [:]
    }

    /// Callers that wait for one session, at most.
    private static let bound = 256

    private let lines = Mutex(Lines())

    /// How many sessions have a turn taken, and how many callers wait.
    var counts: (taken: Int, waiting: Int) {
        self.lines.withLock { ($0.waiting.count, $0.waiting.values.reduce(0) { $0 + $1.count }) }
    }

    /// Takes the turn for `session`, after those who came before. ``pass(_:)`` gives it on.
    /// - Returns: whether it had to wait.
    /// - Throws: when the task was cancelled, or the line is too long; the turn is then not taken.
    func take(_ session: [UInt8]) async throws -> Bool {
        let number = self.lines.withLock { lines -> Int? in
            guard lines.waiting[session] != nil else {
                lines.waiting[session] = []
                return nil
            }
            lines.last += 1
            return lines.last
        }
        guard let number else { return false }
        let isTaken = await withTaskCancellationHandler {
            await withCheckedContinuation { self.wait(for: session, Waiter(number: number, continuation: $0)) }
        } onCancel: {
            self.leave(session, number)
        }
        guard isTaken else { throw CancellationError() }
        return true
    }

    /// Gives the turn to the next in line.
    func pass(_ session: [UInt8]) {
        let next = self.lines.withLock { lines -> Waiter? in
            guard var line = lines.waiting[session], !line.isEmpty else {
                lines.waiting[session] = nil
                return nil
            }
            let next = line.removeFirst()
            lines.waiting[session] = line
            return next
        }
        next?.continuation.resume(returning: true)
    }

    private func wait(for session: [UInt8], _ waiter: Waiter) {
        let isTaken = self.lines.withLock { lines -> Bool? in
            guard let line = lines.waiting[session] else {
                // The turn was given back in between.
                lines.waiting[session] = []
                return true
            }
            // The handler of a cancellation that came before found no one in line.
            guard !Task.isCancelled, line.count < Self.bound else { return false }
            lines.waiting[session] = line + [waiter]
            return nil
        }
        if let isTaken { waiter.continuation.resume(returning: isTaken) }
    }

    private func leave(_ session: [UInt8], _ number: Int) {
        let waiter = self.lines.withLock { lines -> Waiter? in
            guard let place = lines.waiting[session]?.firstIndex(where: { $0.number == number }) else { return nil }
            return lines.waiting[session]?.remove(at: place)
        }
        waiter?.continuation.resume(returning: false)
    }
}
