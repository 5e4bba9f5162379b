package import Clientless

/// Keeps a domain in step with its store: brings memory up, follows changes, tidies.
///
/// It has no clock: latchkeyd calls it at its times.
package final class Upkeep: Sendable {
    private let store: any Store
    private let memory: LiveMemory
    private let codes: Codes
    private let credentials: Credentials
    private let degradations: DegradationRules
    private let guesses: GuessLimiter

    init(
        store: any Store, memory: LiveMemory, codes: Codes, credentials: Credentials, degradations: DegradationRules,
        guesses: GuessLimiter
    ) {
        self.store = store
        self.memory = memory
        self.codes = codes
        self.credentials = credentials
        self.degradations = degradations
        self.guesses = guesses
    }

    /// Brings credentials into memory; call once before the first request.
    /// - Returns: the place in the feed of changes from which on memory has to follow.
    /// - Throws: `storeUnavailable`.
    @discardableResult
    package func start(now: Timestamp) async throws(EntitlementError) -> ChangePosition {
        // Before anything is read: what changes meanwhile is then read, or followed, or both.
        let position = try await stored(await self.store.latestChange())
        try await stored(await self.credentials.reload())
        try await stored(await self.degradations.reload(now: now))
        _ = try await stored(await self.codes.countOpenCodes(now: now))
        return position
    }

    /// Follows the store's feed of changes from `position`: forgets what changed, and wakes the polls held for it.
    /// - Returns: the position reached.
    package func followChanges(
        after position: ChangePosition, now: Timestamp
    ) async throws(StoreError) -> ChangePosition {
        var position = position
        while true {
            let changes = try await self.store.changes(after: position, limit: 1000)
            for change in changes {
                position = change.position
                switch change.subject {
                case .code(let code): self.memory.announce(code: code)
                case .device(let device): self.memory.announce(device: device)
                case .credentials, .degradation: break
                }
            }
            if changes.contains(where: { $0.subject == .credentials }) { try await self.credentials.reload() }
            if changes.contains(where: { $0.subject == .degradation }) { try await self.degradations.reload(now: now) }
            guard changes.count == 1000 else { return position }
        }
    }

    /// Counts the open codes anew, sizes what depends on them, and purges what is over.
    package func tidy(now: Timestamp) async throws(StoreError) {
        let live = try await self.codes.countOpenCodes(now: now)
        let space = self.codes.codeLength == 8 ? 377_801_998_336.0 : 13_492_928_512.0  // 28^8, 28^7
        self.guesses.setServiceLimit(GuessLimiter.serviceLimit(liveCodes: live, codeSpace: space))
        // In small bites, so that no caller waits long behind one.
        for _ in 0..<100 where try await self.store.purge(limit: 500, now: now) < 500 { return }
    }

    /// Asks the store for a sign of life.
    /// - Throws: `storeUnavailable`.
    package func checkStore() async throws(EntitlementError) {
        _ = try await stored(await self.store.latestChange())
    }
}
