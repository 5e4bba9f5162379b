import AccessEnabler
import Synchronization
import TestSupport

/// A store in memory that holds changes back, before or after they were made.
final class HeldStore: AccessEnabler.TokenStore {
    enum Moment: Sendable, CaseIterable {
        case before, after
    }

    private struct State {
        var moment: Moment?
        var isReleased = false
        var continuations: [CheckedContinuation<Void, Never>] = []
    }

    private let store = AccessEnabler.MemoryStore()
    private let state = Mutex(State())
    /// Sends a value once a change is held.
    let held = Signal<Void>()

    /// Holds the next change, and those that are held already.
    func hold(_ moment: Moment) {
        self.state.withLock { $0 = State(moment: moment, continuations: $0.continuations) }
    }

    func release() {
        let continuations = self.state.withLock { state in
            state.isReleased = true
            defer { state.continuations = [] }
            return state.continuations
        }
        for continuation in continuations { continuation.resume() }
    }

    func stamp() throws(AccessEnabler.TokenStoreError) -> AccessEnabler.TokenStoreStamp { try self.store.stamp() }

    func content() async throws(AccessEnabler.TokenStoreError) -> AccessEnabler.TokenStoreContent {
        try await self.store.content()
    }

    func transaction(
        _ change: @escaping @Sendable ([UInt8]?) throws(AccessEnabler.TokenStoreError) -> AccessEnabler.TokenStoreChange
    ) async throws(AccessEnabler.TokenStoreError) -> AccessEnabler.TokenStoreOutcome {
        let moment = self.state.withLock { state in
            defer { state.moment = nil }
            return state.moment
        }
        if moment == .before { await self.wait() }
        let outcome = try await self.store.transaction(change)
        if moment == .after { await self.wait() }
        return outcome
    }

    private func wait() async {
        await withCheckedContinuation { continuation in
            let isReleased = self.state.withLock { state in
                if !state.isReleased { state.continuations.append(continuation) }
                return state.isReleased
            }
            if isReleased { continuation.resume() } else { self.held.send(()) }
        }
    }
}
