import Clientless
import Entitlement

/// A store to copy to that has a test see, and change, what it is given.
struct WatchedStore: MovableStore {
    typealias Giving = @Sendable (_ rows: [[StoredValue]], StoredTable) async throws -> [[StoredValue]]

    private let store: any MovableStore
    private let giving: Giving

    init(_ store: any MovableStore, giving: @escaping Giving) {
        self.store = store
        self.giving = giving
    }

    var isShared: Bool { self.store.isShared }

    var tables: [StoredTable] { self.store.tables }

    func rows(of table: StoredTable, after place: [StoredValue]?, limit: Int) async throws(StoreError) -> StoredPage {
        try await self.store.rows(of: table, after: place, limit: limit)
    }

    func append(_ rows: [[StoredValue]], to table: StoredTable) async throws(StoreError) {
        let given: [[StoredValue]]
        do {
            given = try await self.giving(rows, table)
        } catch {
            throw StoreError(.unavailable, detail: "\(error)")
        }
        try await self.store.append(given, to: table)
    }

    func latestChange() async throws(StoreError) -> ChangePosition { try await self.store.latestChange() }

    func changes(after position: ChangePosition, limit: Int) async throws(StoreError) -> ChangePage {
        try await self.store.changes(after: position, limit: limit)
    }

    var hasUntoldChange: Bool { get async throws(StoreError) { try await self.store.hasUntoldChange } }

    func waitForChange(after position: ChangePosition, timeout: Duration) async {
        await self.store.waitForChange(after: position, timeout: timeout)
    }

    func purge(_ retention: StoreRetention, limit: Int, now: Timestamp) async throws(StoreError) -> PurgeOutcome {
        try await self.store.purge(retention, limit: limit, now: now)
    }

    func lastPurge() async throws(StoreError) -> Timestamp? { try await self.store.lastPurge() }

    func clock() async throws(StoreError) -> Timestamp? { try await self.store.clock() }

    func confirm(_ now: Timestamp, audit: AuditEntry?) async throws(StoreError) {
        try await self.store.confirm(now, audit: audit)
    }

    func leases(_ ends: Range<Timestamp>) async throws(StoreError) -> [String: String] {
        try await self.store.leases(ends)
    }

    func takeLease(
        _ task: String, holder: String, for duration: Duration, now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await self.store.takeLease(task, holder: holder, for: duration, now: now)
    }
}
