package import Clientless

/// Carries everything from one store to another one that is empty, or has the beginning of the same already.
///
/// Rows go in pages, in the order of each table, and each page is read back and compared. A copy that was interrupted
/// goes on where it ended when it is run again: what is there is compared, and the rest added.
package struct StoreCopy: Sendable {
    package enum Side: Hashable, Sendable {
        case source, target
    }

    package enum Fault: Error, Hashable, Sendable {
        /// A server or another copy uses the shared store, or did until less than ``Upkeep/lease`` ago. The caller keeps
        /// them from one that is not shared.
        case served(Side)
        /// The target has a row that the source does not have at that place.
        case different(table: String)
        /// The source changed while it was copied.
        case changed
        case store(StoreError, of: Side)
    }

    /// A table, the number of rows that both stores have now, and that of those that were added.
    package typealias TableOutcome = (table: String, rows: Int, added: Int)

    private static let page = 500

    private let source: any MovableStore
    private let target: any MovableStore
    /// Keeps servers and other copies out of both stores for ``Upkeep/lease``.
    private let holder = randomUUID()

    package init(from source: any MovableStore, to target: any MovableStore) {
        self.source = source
        self.target = target
    }

    /// The leases that say whether others use a store.
    private static func tasks(of store: any MovableStore) -> [String] {
        store.isShared ? NodeLeases.serving + [Upkeep.purging] : []
    }

    /// Makes sure that no server and no other copy uses the source, before a target is made in vain.
    package static func requireUnused(_ source: any MovableStore, now: Timestamp) async throws(Fault) {
        let held: [String: String]
        do throws(StoreError) {
            let first = (try await source.clock() ?? now) + .milliseconds(1)
            held = try await source.leases(first..<first + Upkeep.lease * 2)
        } catch {
            throw .store(error, of: .source)
        }
        guard Self.tasks(of: source).allSatisfy({ held[$0] == nil }) else { throw .served(.source) }
    }

    /// Whether a copy holds the store: a server has one of the leases of those that serve, and a copy all of them.
    package static func isUnderWay(_ store: any MovableStore, now: Timestamp) async throws(StoreError) -> Bool {
        let held = try await store.leases(now..<now + Upkeep.lease * 2).filter { NodeLeases.serving.contains($0.key) }
        return held.count == NodeLeases.serving.count && Set(held.values).count == 1
    }

    /// - Parameter report: hears of each table when it is done.
    package func run(now: @Sendable () -> Timestamp, report: (TableOutcome) -> Void) async throws(Fault) {
        do throws(Fault) {
            let begun = now()
            for side in [Side.source, .target] { try await self.take(side, begun) }
            try await self.copyAll(heldSince: begun, now: now, report: report)
        } catch {
            // A store that does not answer lets go by itself in time.
            for side in [Side.source, .target] { try? await self.release(side, now()) }
            throw error
        }
        for side in [Side.source, .target] { try await self.release(side, now()) }
    }

    private func copyAll(
        heldSince begun: Timestamp, now: @Sendable () -> Timestamp, report: (TableOutcome) -> Void
    ) async throws(Fault) {
        var held = begun
        let position = try await self.asked(.source, await self.source.latestChange())
        let tables = self.source.tables
        var ends: [[StoredValue]?] = []
        for table in tables {
            let (outcome, end) = try await self.copy(table, &held, now: now)
            ends.append(end)
            report(outcome)
        }
        if let purge = try await self.asked(.source, await self.source.lastPurge()) {
            try await self.asked(.target, await self.target.confirm(purge, audit: nil))
        }
        let reached = try await self.asked(.source, await self.source.latestChange())
        // The feed does not tell of all that commands write, such as a new account; the log, the first table, does.
        let entries = try await self.rows(of: tables[0], .source, after: ends[0]).rows
        guard reached == position, entries.isEmpty else { throw .changed }
    }

    /// Makes sure that no server serves from the store, and that none purges it.
    private func take(_ side: Side, _ now: Timestamp) async throws(Fault) {
        for task in Self.tasks(of: self.store(side)) {
            guard try await self.lease(task, side, for: Upkeep.lease, now: now) else { throw .served(side) }
        }
    }

    /// Lets servers have the store at once.
    private func release(_ side: Side, _ now: Timestamp) async throws(Fault) {
        for task in Self.tasks(of: self.store(side))
        // A lease that another holds would be taken from it.
        where try await self.lease(task, side, for: Upkeep.lease, now: now) {
            _ = try await self.lease(task, side, for: .zero, now: now)
        }
    }

    private func lease(_ task: String, _ side: Side, for time: Duration, now: Timestamp) async throws(Fault) -> Bool {
        try await self.asked(side, await self.store(side).takeLease(task, holder: self.holder, for: time, now: now))
    }

    /// - Returns: the place of the last row in the source, too.
    private func copy(
        _ table: StoredTable, _ held: inout Timestamp, now: @Sendable () -> Timestamp
    ) async throws(Fault) -> (TableOutcome, end: [StoredValue]?) {
        var (read, written): ([StoredValue]?, [StoredValue]?) = (nil, nil)
        var (rows, added) = (0, 0)
        while true {
            // One table alone may take longer than a lease.
            let time = now()
            if time - held >= Upkeep.lease / 4 {
                held = time
                for side in [Side.source, .target] { try await self.take(side, held) }
            }
            let page = try await self.rows(of: table, .source, after: read)
            let there = try await self.rows(of: table, .target, after: written)
            guard Self.begin(page.rows, with: there.rows) else { throw .different(table: table.name) }
            let missing = Array(page.rows.dropFirst(there.rows.count))
            var copied = there
            if !missing.isEmpty {
                try await self.asked(.target, await self.target.append(missing, to: table))
                copied = try await self.rows(of: table, .target, after: written)
                guard copied.rows.count == page.rows.count, Self.begin(page.rows, with: copied.rows)
                else { throw .different(table: table.name) }
            }
            rows += page.rows.count
            added += missing.count
            guard page.rows.count == Self.page else { return ((table.name, rows, added), page.place) }
            (read, written) = (page.place, copied.place)
        }
    }

    private func rows(
        of table: StoredTable, _ side: Side, after place: [StoredValue]?
    ) async throws(Fault) -> StoredPage {
        try await self.asked(side, await self.store(side).rows(of: table, after: place, limit: Self.page))
    }

    private static func begin(_ rows: [[StoredValue]], with found: [[StoredValue]]) -> Bool {
        found.count <= rows.count
            && zip(rows, found).allSatisfy { row, found in
                row.count == found.count && zip(row, found).allSatisfy { $0.isSame(as: $1) }
            }
    }

    private func store(_ side: Side) -> any MovableStore {
        switch side {
        case .source: self.source
        case .target: self.target
        }
    }

    private func asked<Value>(
        _ side: Side, _ answer: @autoclosure () async throws(StoreError) -> Value
    ) async throws(Fault) -> Value {
        do throws(StoreError) {
            return try await answer()
        } catch {
            throw .store(error, of: side)
        }
    }
}
