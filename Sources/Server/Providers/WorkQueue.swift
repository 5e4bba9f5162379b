package import Cryptography
import Dispatch
import Glibc
import Synchronization

/// Does work that blocks away from the threads that serve requests, and lets only so much of it wait: a flood is refused
/// instead of piling up.
package final class WorkQueue<Failure: Error>: Sendable {
    /// Returns what tells its caller.
    private typealias Work = @Sendable () -> @Sendable () -> Void

    private let queue: DispatchQueue
    private let line = Mutex((running: 0, pending: [Work]()))
    private let width: Int
    private let maximumWaiting: Int
    private let busy: Failure

    private init(_ label: String, width: Int, maximumWaiting: Int, busy: Failure) {
        self.queue = DispatchQueue(label: label, qos: .userInitiated, attributes: .concurrent)
        self.width = width
        self.maximumWaiting = max(0, maximumWaiting)
        self.busy = busy
    }

    var hasRoom: Bool { self.line.withLock { $0.running < self.width || $0.pending.count < self.maximumWaiting } }

    /// - Throws: that it is busy, and what `body` throws.
    func perform<Value: Sendable>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
            let isTaken = self.submit {
                let result: Result<Value, Failure> = Result(catching: body)
                return { continuation.resume(returning: result) }
            }
            if !isTaken { continuation.resume(returning: .failure(self.busy)) }
        }
        return try result.get()
    }

    /// - Returns: false when too much waits.
    private func submit(_ work: @escaping Work) -> Bool {
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

    private func run(_ first: @escaping Work) {
        var next: Work? = first
        while let work = next {
            let tell = work()
            next = self.line.withLock { line in
                guard line.pending.isEmpty else { return line.pending.removeFirst() }
                line.running -= 1
                return nil
            }
            // The place is free before the caller hears of it.
            tell()
        }
    }
}

/// Checks passwords on half of the cores, and leaves the other half to the polls of boxes.
package typealias PasswordQueue = WorkQueue<PasswordError>

/// The one of this process: cores and memory are shared by all providers.
private let passwords = PasswordQueue()

extension PasswordQueue {
    package static var shared: PasswordQueue { passwords }

    /// - Parameters:
    ///   - width: checks at once; each takes a core and 16 MB.
    ///   - maximumWaiting: checks that may wait for their turn.
    package convenience init(
        width: Int = width(cores: sysconf(Int32(_SC_NPROCESSORS_ONLN))), maximumWaiting: Int = 64
    ) {
        self.init(
            "latchkey.passwords", width: max(1, width), maximumWaiting: maximumWaiting,
            busy: PasswordError(code: .busy, detail: "\(maximumWaiting) checks are waiting already"))
    }

    /// How many checks run at once on a machine with `cores`.
    package static func width(cores: Int) -> Int { max(1, cores / 2) }

    /// - Throws: `.busy`, `.libraryFailed`.
    package func verify(_ password: Secret, against hash: PasswordHash) async throws(PasswordError) -> Bool {
        try await self.perform { () throws(PasswordError) in try hash.verify(password) }
    }
}

/// Verifies one SAML message after the other. One at a time is enough, as each takes about a millisecond, and keeps a
/// flood of forged ones on one core.
package typealias AssertionQueue = WorkQueue<AssertionFault>

private let assertions = AssertionQueue()

extension AssertionQueue {
    package static var shared: AssertionQueue { assertions }

    /// - Parameter maximumWaiting: messages that wait or are verified at once.
    package convenience init(maximumWaiting: Int = 64) {
        self.init(
            "latchkey.assertions", width: min(1, maximumWaiting), maximumWaiting: maximumWaiting - 1, busy: .busy)
    }
}
