import Clientless
import Synchronization

/// The right of one node to ask a provider about a session, for as long as a question may take. Some sessions share one.
final class SessionClaim: Sendable {
    private let store: any Store
    private let task: String
    private let holder: String
    private let time: Duration
    private let now: @Sendable () -> Timestamp
    private let ends = Mutex(Timestamp(milliseconds: .min))

    /// - Parameters:
    ///   - holder: this node.
    ///   - time: how long a question may take.
    init(store: any Store, task: String, holder: String, time: Duration, now: @escaping @Sendable () -> Timestamp) {
        self.store = store
        self.task = task
        self.holder = holder
        self.time = time
        self.now = now
    }

    /// - Returns: whether this node has it now.
    func take() async throws(EntitlementError) -> Bool {
        let now = self.now()
        self.ends.withLock { $0 = now + self.time }
        return try await stored(
            await self.store.takeLease(self.task, holder: self.holder, for: self.time, now: now))
    }

    /// Lets other nodes have it. If the store does not answer, or it is over, they have it by themselves.
    func release() async {
        let now = self.now()
        guard now < self.ends.withLock({ $0 }) else { return }
        _ = try? await self.store.takeLease(self.task, holder: self.holder, for: .zero, now: now)
    }
}
