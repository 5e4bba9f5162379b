import Lifecycle

/// The one queue of everything the library has to do, in the order it was asked (access-enabler 2.1).
final class Mailbox: Sendable {
    enum Letter: Sendable {
        /// With the number of the caller that awaits it.
        case call(ApplicationCall, caller: Int?)
        /// The caller of this number awaits its call no longer.
        case withdrawal(caller: Int)
        /// Something the library does beside the queue, such as asking a server.
        case work(@Sendable () async -> Void)
    }

    let letters: AsyncStream<Letter>
    private let continuation: AsyncStream<Letter>.Continuation

    init() {
        (self.letters, self.continuation) = AsyncStream.makeStream(of: Letter.self, bufferingPolicy: .unbounded)
    }

    func send(_ call: ApplicationCall, from caller: Int? = nil) {
        self.continuation.yield(.call(call, caller: caller))
    }

    func withdraw(_ caller: Int) { self.continuation.yield(.withdrawal(caller: caller)) }

    /// - Returns: whether `work` will run; not after ``close()``.
    @discardableResult
    func run(_ work: @escaping @Sendable () async -> Void) -> Bool {
        if case .terminated = self.continuation.yield(.work(work)) { return false }
        return true
    }

    func close() { self.continuation.finish() }

    /// Runs `work` in a task of its own, which the cancellation of the caller does not reach.
    /// - Throws: what `work` throws; `cancelled` once the caller is cancelled or the library ends.
    func apart<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(EntitlementError) -> Value
    ) async throws(EntitlementError) -> Value {
        let answer = OneAnswer<Result<Value, EntitlementError>>()
        let isGone = Result<Value, EntitlementError>.failure(EntitlementError(.cancelled))
        guard self.run({ answer.give(await Result(of: work)) }) else { return try isGone.get() }
        return try await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            answer.give(isGone)
        }.get()
    }

    /// Runs `work` in a task of its own, and waits for it no longer than `limit`. `work` that takes longer goes on.
    /// - Returns: its result; `nil` when it took longer.
    func apart<Result: Sendable>(
        within limit: Duration, by clock: any BoxClock, _ work: @escaping @Sendable () async -> Result
    ) async -> Result? {
        let answer = OneAnswer<Result?>()
        guard self.run({ answer.give(await work()) }) else { return nil }
        return await withTaskGroup(of: Void.self) { group in
            group.addTask {
                // A cancelled caller waits no longer, either.
                try? await clock.sleep(for: limit)
                answer.give(nil)
            }
            let result = await answer.value()
            group.cancelAll()
            return result
        }
    }
}

extension StopSignal {
    /// Runs `work` in a task that the signal cancels; does not run it once the signal was given.
    /// - Returns: the result of `work`, also when it was cancelled.
    @discardableResult
    package func guarding<Result: Sendable>(_ work: @escaping @Sendable () async -> Result?) async -> Result? {
        guard !self.isGiven else { return nil }
        return await withTaskGroup(of: Result?.self) { group in
            group.addTask { await work() }
            group.addTask {
                await self.wait()
                return nil
            }
            var result: Result?
            for await item in group {
                result = item ?? result
                group.cancelAll()
            }
            return result
        }
    }
}
