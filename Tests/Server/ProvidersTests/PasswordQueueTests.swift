import Cryptography
import Dispatch
import Synchronization
import Testing

@testable import Providers

@Suite("The queue of password checks", .timeLimit(.minutes(5)))
struct PasswordQueueTests {
    /// Work that waits until the test lets it go, and says how much of it runs.
    private final class Gate: Sendable {
        let started = Atomic<Int>(0)
        let mostAtOnce = Atomic<Int>(0)
        private let semaphore = DispatchSemaphore(value: 0)

        func work() {
            let running = self.started.add(1, ordering: .sequentiallyConsistent).newValue
            self.mostAtOnce.max(running, ordering: .sequentiallyConsistent)
            self.semaphore.wait()
            self.started.subtract(1, ordering: .sequentiallyConsistent)
        }

        func open(_ count: Int) { for _ in 0..<count { self.semaphore.signal() } }
    }

    @Test func `answers right and wrong`() async throws {
        let queue = PasswordQueue(width: 2, maximumWaiting: 8)
        let hash = try PasswordHash.make(Secret("right"))
        #expect(try await queue.verify(Secret("right"), against: hash))
        #expect(try await queue.verify(Secret("wrong"), against: hash) == false)
    }

    @Test("leaves half of the cores to everything else", arguments: [(1, 1), (2, 1), (3, 1), (4, 2), (64, 32)])
    func width(cores: Int, expected: Int) { #expect(PasswordQueue.width(cores: cores) == expected) }

    @Test("works on so many at once, lets so many wait, and refuses the rest")
    func bounds() async throws {
        let queue = PasswordQueue(width: 2, maximumWaiting: 3)
        let gate = Gate()
        let refused = await withTaskCancellationHandler {
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        do throws(PasswordError) {
                            try await queue.perform { () throws(PasswordError) in gate.work() }
                            return false
                        } catch {
                            return error.code == .busy
                        }
                    }
                }
                // Seven of twelve find no place, and come back while the gate is shut.
                var refused = 0
                for await isRefused in group {
                    if isRefused { refused += 1 }
                    if refused == 7 { break }
                }
                while !Task.isCancelled, gate.started.load(ordering: .sequentiallyConsistent) < 2 {
                    await Task.yield()
                }
                gate.open(5)
                for await isRefused in group where isRefused { refused += 1 }
                return refused
            }
        } onCancel: {
            // The suite's limit: a queue that refuses too few would wait for ever.
            gate.open(12)
        }
        #expect(refused == 7)
        #expect(gate.mostAtOnce.load(ordering: .sequentiallyConsistent) == 2)
        // And there is place again.
        gate.open(1)
        try await queue.perform { () throws(PasswordError) in gate.work() }
    }
}
