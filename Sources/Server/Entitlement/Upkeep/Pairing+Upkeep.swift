package import Clientless
import Synchronization

extension Pairing {
    /// Brings credentials into memory; call once before the first request.
    /// - Returns: the place in the feed of changes from which on memory has to follow.
    /// - Throws: `storeUnavailable`.
    @discardableResult
    package func start(now: Timestamp) async throws(EntitlementError) -> ChangePosition {
        do {
            // Before anything is read: what changes meanwhile is then read, or followed, or both.
            let position = try await self.store.latestChange()
            try await self.credentials.reload()
            try await self.reloadDegradations(now: now)
            self.liveCodeEstimate.store(try await self.store.liveCodeCount(now: now), ordering: .relaxed)
            return position
        } catch {
            throw EntitlementError(error)
        }
    }

    /// Follows the store's feed of changes from `position`: forgets what is no longer right and wakes who waits.
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
                case .code(let code): self.announce(code: code)
                case .device(let device): self.announce(device: device)
                case .credentials, .degradation: break
                }
            }
            if changes.contains(where: { $0.subject == .credentials }) { try await self.credentials.reload() }
            if changes.contains(where: { $0.subject == .degradation }) { try await self.reloadDegradations(now: now) }
            guard changes.count == 1000 else { return position }
        }
    }

    /// Counts the open codes anew, sizes what depends on them, and erases what nobody needs any more.
    package func tidy(now: Timestamp) async throws(StoreError) {
        let live = try await self.store.liveCodeCount(now: now)
        self.liveCodeEstimate.store(live, ordering: .relaxed)
        let isLonger = live > self.limits.codesBeforeLongerCodes
        let space = isLonger ? 377_801_998_336.0 : 13_492_928_512.0  // 28^8, 28^7
        self.guesses.setServiceLimit(GuessLimiter.serviceLimit(liveCodes: live, codeSpace: space))
        // In small bites, so that no caller waits long behind one.
        for _ in 0..<100 where try await self.store.purge(limit: 500, now: now) < 500 { return }
    }
}
