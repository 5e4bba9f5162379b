import Cryptography
import Dispatch
import Entitlement
import Synchronization

/// Checks passwords on threads of its own, so many at a time as there are threads, since each check keeps a core busy
/// for tens of milliseconds. Who comes when the line is full is turned away.
final class PasswordDesk: Sendable {
    private let threads: [DispatchQueue]
    private let maximumWaiting: Int
    private let line = Mutex(Line())

    private struct Line {
        var waiting = 0
        var next = 0
    }

    init(threads: Int, maximumWaiting: Int) {
        precondition(threads > 0 && maximumWaiting > 0, "a password desk serves somebody")
        self.threads = (0..<threads).map { DispatchQueue(label: "latchkey.passwords.\($0)") }
        self.maximumWaiting = maximumWaiting
    }

    /// - Throws: when too many are waiting already.
    func matches(_ password: Secret, _ hash: String) async throws(ProviderError) -> Bool {
        let thread = self.line.withLock { line -> Int? in
            guard line.waiting < self.maximumWaiting else { return nil }
            line.waiting += 1
            line.next = (line.next + 1) % self.threads.count
            return line.next
        }
        guard let thread else { throw ProviderError(detail: "\(self.maximumWaiting) passwords wait to be checked") }
        return await withCheckedContinuation { continuation in
            self.threads[thread].async {
                let isRight = PasswordHash.matches(password, hash)
                self.line.withLock { $0.waiting -= 1 }
                continuation.resume(returning: isRight)
            }
        }
    }
}
