package import Cryptography
import Dispatch
import Glibc
import Synchronization

/// Checks passwords away from the threads that serve requests, on half of the cores, and lets only so many wait: a flood
/// of guesses is refused instead of piling up, and leaves the other half to the polls of boxes.
package final class PasswordQueue: Sendable {
    /// The one of this process: cores and memory are shared by all providers.
    package static let shared = PasswordQueue()

    private struct Line {
        var running = 0
        var pending: [@Sendable () -> Void] = []
    }

    private let queue = DispatchQueue(label: "latchkey.passwords", qos: .userInitiated, attributes: .concurrent)
    private let line = Mutex(Line())
    private let width: Int
    private let maximumWaiting: Int

    /// - Parameters:
    ///   - width: checks at once; each takes a core and 16 MB.
    ///   - maximumWaiting: checks that may wait for their turn.
    package init(width: Int = width(cores: sysconf(Int32(_SC_NPROCESSORS_ONLN))), maximumWaiting: Int = 64) {
        self.width = max(1, width)
        self.maximumWaiting = max(0, maximumWaiting)
    }

    /// How many checks run at once on a machine with `cores`.
    package static func width(cores: Int) -> Int { max(1, cores / 2) }

    /// Whether `hash` is the hash of `password`.
    /// - Throws: `.busy`, `.libraryFailed`.
    package func verify(_ password: Secret, against hash: PasswordHash) async throws(PasswordError) -> Bool {
        try await self.perform { () throws(PasswordError) in try hash.verify(password) }
    }

    func perform<Value: Sendable>(
        _ body: @escaping @Sendable () throws(PasswordError) -> Value
    ) async throws(PasswordError) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, PasswordError>, Never>) in
            let isTaken = self.submit {
                continuation.resume(returning: Result(catching: body))
            }
            guard !isTaken else { return }
            continuation.resume(
                returning: .failure(
                    PasswordError(code: .busy, detail: "\(self.maximumWaiting) checks are waiting already")))
        }
        return try result.get()
    }

    /// - Returns: false when too many wait.
    private func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        let (isTaken, mayRun) = self.line.withLock { line in
            if line.running < self.width {
                line.running += 1
                return (true, true)
            }
            guard line.pending.count < self.maximumWaiting else { return (false, false) }
            line.pending.append(work)
            return (true, false)
        }
        if mayRun { self.queue.async { self.run(work) } }
        return isTaken
    }

    private func run(_ first: @Sendable () -> Void) {
        first()
        while true {
            let next: (@Sendable () -> Void)? = self.line.withLock { line in
                guard line.pending.isEmpty else { return line.pending.removeFirst() }
                line.running -= 1
                return nil
            }
            guard let next else { return }
            next()
        }
    }
}
