package import Clientless
import Synchronization

/// Keeps a domain in step with its store: brings memory up, follows changes, tidies.
///
/// It has no clock: latchkeyd calls it at its times.
package final class Upkeep: DomainPart {
    let parts: DomainParts
    private let codes: Codes
    private let credentials: Credentials
    private let degradations: DegradationRules
    private let guessing: Guessing
    private let clock = Mutex(PurgeClock())
    private let batch = Mutex(PurgeBatch())
    private let readiness = Readiness()
    /// The wall clock's lead over the uptime when degradation rules were last read for its sake, in milliseconds.
    private let lead = Atomic<Int64>(0)
    /// The changes that wait and were heard of.
    private let heldUp = Mutex<Set<HeldUpChange>>([])
    package let leases: NodeLeases
    /// How long another node waits for one that stopped while it tidied, and a copy of the store for a server that was
    /// killed.
    package static let lease: Duration = .seconds(120)
    static let purging = "purge"

    init(
        _ parts: DomainParts, codes: Codes, credentials: Credentials, degradations: DegradationRules, guessing: Guessing
    ) {
        self.parts = parts
        self.codes = codes
        self.credentials = credentials
        self.degradations = degradations
        self.guessing = guessing
        self.leases = NodeLeases(parts.store, nodes: parts.nodes)
    }

    /// Brings credentials into memory; call once before the first request.
    /// - Returns: the place in the feed of changes from which on memory has to follow.
    @discardableResult
    package func start(now: Timestamp) async throws(EntitlementError) -> ChangePosition {
        // Before anything is read: what changes meanwhile is then read, or followed, or both.
        let position = try await stored(await self.store.latestChange())
        _ = try await stored(await self.compareClocks(now: now))
        try await stored(await self.refresh(now: now))
        _ = try await stored(await self.codes.countOpenCodes(now: now))
        return position
    }

    /// Follows the store's feed of changes from `position`: forgets what changed, and wakes the polls held for it. After
    /// a gap it forgets everything. From the first time on, memory answers only as long as this is done again and again.
    ///
    /// - Parameter position: becomes the one reached, page by page, also where a later page fails: what was heard is not
    ///   read again.
    /// - Throws: also while the store holds up changes; what it can say of them was followed.
    package func followChanges(after position: inout ChangePosition, now: Timestamp) async throws(StoreError) {
        self.memory.freshness.begin()
        while true {
            let asked = self.uptime()
            switch try await self.store.changes(after: position, limit: 1000) {
            case .gap(let newest):
                try await self.refresh(now: now)
                self.memory.announceAll()
                self.memory.freshness.confirm(asOf: asked)
                position = newest
                return
            case .changes(let changes, let reached, let hasMore):
                for change in changes { self.announce(change) }
                // A page that failed is read again as a whole.
                if changes.contains(.credentials) || self.credentials.mayOpenMore {
                    try await self.credentials.reload()
                }
                if changes.contains(.degradation) { try await self.degradations.reload(now: now) }
                position = reached
                guard hasMore else {
                    self.memory.freshness.confirm(asOf: asked)
                    return
                }
            case .heldUp(let newest):
                let fresh = self.heldUp.withLock { known in
                    defer { known = Set(newest) }
                    return newest.filter { !known.contains($0) }
                }
                // Devices before codes, as in a page.
                for held in fresh.reversed() { self.announce(held.change) }
                throw StoreError(
                    .unavailable,
                    detail: "a write transaction that is open for seconds on the server holds up all changes")
            }
        }
    }

    /// Reads anew what decides whether calls are accepted and granted. It must hold within seconds, also while the feed
    /// cannot be followed: call it every second then.
    package func refresh(now: Timestamp) async throws(StoreError) {
        try await self.credentials.reload()
        try await self.degradations.reload(now: now)
        self.credentials.forgetClients()
    }

    /// Whether memory is known to hold what the store holds; where it is not, polls are answered from the store.
    package var isInStep: Bool { self.memory.freshness.mayAnswer(at: self.uptime()) }

    /// Whether another server seals with a key that this one does not have.
    package var lacksSealingKey: Bool { self.credentials.lacksSealingKey }

    /// Forgets the codes and devices that no one asked about since the call before the last one.
    package func age() {
        self.memory.age()
        self.keys.age()
    }

    private func announce(_ change: StoreChange) {
        switch change {
        case .code(let code): self.memory.hear(of: code)
        case .device(let device): self.memory.announce(device: device)
        case .client(let id): self.credentials.forget(client: id)
        case .accounts: self.memory.lineUps.forgetAll()
        case .credentials, .degradation: break
        }
    }

    /// Returns when there is something to follow, or after `timeout`.
    package func waitForChange(after position: ChangePosition, timeout: Duration) async {
        await self.store.waitForChange(after: position, timeout: timeout)
    }

    /// Counts the open codes anew, and sizes what depends on them.
    package func countCodes(now: Timestamp) async throws(StoreError) {
        _ = try await self.codes.countOpenCodes(now: now)
        self.guessing.resize(openCodes: self.codes.openCodesByLength, at: self.uptime())
    }

    package enum Tidying: Hashable, Sendable {
        case done(erased: Int)
        /// The share of time is used up, and there is more.
        case unfinished(erased: Int)
        case elsewhere
        case doubted(PurgeClock.Doubt)
    }

    /// Purges what is over, unless another node does or the clock is in doubt.
    ///
    /// - Parameters:
    ///   - uptime: how long the process has run, by a clock that no one sets; asked after each batch.
    ///   - share: how long purging may take; what is left waits for the next time.
    ///   - pause: is told after each batch but the last how long that took, and waits as long as it sees fit: a store that
    ///     is busy takes longer, and is then left alone for longer. Batch and pause end within ``lease``, which is taken
    ///     anew for each: batches of a slow store become smaller (``PurgeBatch``). Returns false to leave what is left for
    ///     the next time.
    package func tidy(
        now: Timestamp, share: Duration, uptime: @Sendable () -> Duration,
        pause: @Sendable (_ after: Duration) async -> Bool = { _ in true }
    ) async throws(StoreError) -> Tidying {
        let start = uptime()
        let lastPurge = try await self.store.lastPurge()
        let storeClock = try await self.store.clock()
        let (doubt, slack) = self.clock.withLock { clock in
            let doubt = clock.look(wall: now, uptime: start, lastPurge: lastPurge, storeClock: storeClock)
            return (doubt, clock.slack(at: start))
        }
        if let doubt { return .doubted(doubt) }
        let retention = StoreRetention(leastStay: slack)
        var erased = 0
        while true {
            // Anew for each batch: a slow store and its pauses use up what the lease had left.
            let time = self.leaseTime(by: now + (uptime() - start))
            guard try await self.store.takeLease(Self.purging, holder: self.leases.node, for: Self.lease, now: time)
            else { return .elsewhere }
            let begin = uptime()
            let outcome = try await self.purgeBatch(retention, now: now)
            if outcome.isElsewhere { return .elsewhere }
            self.batch.withLock { $0.note(taking: uptime() - begin) }
            erased += outcome.erased
            if outcome.isComplete { return .done(erased: erased) }
            // Also where the share is used up: the next time may come at once.
            guard await pause(uptime() - begin), uptime() - start < share else { return .unfinished(erased: erased) }
        }
    }

    private func purgeBatch(_ retention: StoreRetention, now: Timestamp) async throws(StoreError) -> PurgeOutcome {
        do throws(StoreError) {
            return try await self.store.purge(retention, limit: self.batch.withLock { $0.limit }, now: now)
        } catch {
            self.batch.withLock { $0.noteFailure() }
            throw error
        }
    }

    /// Whether calls of this store come to several nodes, whose clocks have to agree.
    package var hasOtherClocks: Bool { self.store.isShared }

    /// Whether calls may be judged by this node's wall clock.
    package func isRight(_ now: Timestamp) -> Bool { self.agreement.isRight(now, at: self.uptime()) }

    /// The time of this node's wall clock, or its time before it jumped a moment ago.
    package func time(by wall: Timestamp) -> Timestamp { self.agreement.time(by: wall, at: self.uptime()) }

    /// The time that ``leases`` are taken and counted by.
    package func leaseTime(by wall: Timestamp) -> Timestamp { self.agreement.storeTime(by: wall, at: self.uptime()) }

    /// Compares this node's wall clock with that of the store's machine, or with the uptime if that is this machine;
    /// latchkeyd does so every few seconds.
    /// - Parameter now: asks the wall clock.
    package func compareClocks(now: @autoclosure () -> Timestamp) async throws(StoreError) -> ClockAgreement.Verdict {
        let storeClock = try await self.store.clock()
        let lead = now().milliseconds - self.uptime().wholeMilliseconds
        let didJump = (lead - self.lead.load(ordering: .relaxed)).magnitude > 1000
        if storeClock == nil ? didJump : !self.agreement.isRight(now(), at: self.uptime()) {
            // A wrong clock made rules that are in force seem over.
            try await self.degradations.reload(now: storeClock ?? now())
            self.lead.store(lead, ordering: .relaxed)
        }
        // The answer may have taken a second, which is no error of a clock; it is nothing beside the tolerance.
        return self.agreement.look(wall: now(), uptime: self.uptime(), storeClock: storeClock)
    }

    /// Finds out whether the store answers and would keep a change now.
    ///
    /// Each finding counts for a second, and callers that come meanwhile wait for the same one: strangers may ask, and
    /// finding out is a change of the store.
    /// - Parameter uptime: how long the process has run, by a clock that no one sets.
    package func checkStore(at uptime: Duration) async throws(EntitlementError) {
        try await self.readiness.finding(at: uptime) { () async throws(EntitlementError) in
            try await stored(await self.store.readiness())
        }.get()
    }
}
