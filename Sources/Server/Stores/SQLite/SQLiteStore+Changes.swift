package import Clientless
package import Entitlement
import Synchronization

// A position is the life of the data, 16 random bytes that every copy draws anew, and the number of the newest change.
extension SQLiteStore {
    /// How long a change made by another program may go unseen by ``waitForChange(after:timeout:)``.
    private static let lookInterval: Duration = .milliseconds(100)

    /// The state that a look at the feed compares a reader's position with.
    private struct FeedState {
        static let columns = "life, purged_position, (SELECT seq FROM sqlite_sequence WHERE name = 'changes')"
        static let statement: SQL = "SELECT \(raw: Self.columns) FROM latchkey.store_state"

        let life: [UInt8]
        /// Changes up to this one may be erased.
        let purged: Int64
        let latest: Int64

        /// - Parameter row: begins with ``columns``.
        init(from row: inout SQLiteRow) throws(SQLiteFailure) {
            (self.life, self.purged) = (try row.value(), try row.value())
            self.latest = try row.valueIfAny() ?? 0
        }

        func position(_ number: Int64) -> ChangePosition {
            ChangePosition(bytes: self.life + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) })
        }

        var newest: ChangePosition { self.position(self.latest) }

        /// Whether the feed goes on without a gap from `position`, whose number is `number`.
        func continues(_ position: ChangePosition, _ number: Int64) -> Bool {
            position.bytes.count == self.life.count + 8 && position.bytes.starts(with: self.life)
                && (self.purged...max(self.purged, self.latest)).contains(number)
        }
    }

    private static let lifeless = SQLiteFailure.nonsense("the file does not say which life it has")

    package func latestChange() async throws(StoreError) -> ChangePosition {
        let found = try await self.read(FeedState.statement, FeedState.init(from:))
        guard let state = found.first else { throw Self.lifeless.storeError }
        return state.newest
    }

    package var hasUntoldChange: Bool { false }

    package func changes(after position: ChangePosition, limit: Int) async throws(StoreError) -> ChangePage {
        let number = position.bytes.suffix(8).reduce(0) { $0 << 8 | Int64($1) }
        let limit = max(limit, 1)
        let count = self.signal.count
        // One more than fit the page; mostly the page has them all, and ends with the newest. A statement sees one moment.
        let rows = try await self.read(
            """
            SELECT \(raw: FeedState.columns), \(ChangeColumn.self)
                FROM latchkey.store_state LEFT JOIN latchkey.changes ON position > \(number)
                WHERE id = 1 ORDER BY position LIMIT \(limit + 1)
            """
        ) { (row) throws(SQLiteFailure) -> (FeedState, StoreChange?) in
            let state = try FeedState(from: &row)
            row.start = 3
            return (state, try row.integerIfAny(at: ChangeColumn.kind.place) == nil ? nil : try row.change())
        }
        guard let state = rows.first?.0 else { throw Self.lifeless.storeError }
        guard state.continues(position, number) else { return .gap(position: state.newest) }
        if rows.count > limit { return try await self.page(after: position, number, limit: limit) }
        let changes = rows.compactMap(\.1)
        let end = changes.isEmpty ? position : state.newest
        self.lastEnd.withLock { $0 = (end, count) }
        return .changes(changes, position: end, hasMore: false)
    }

    /// The transactions after `position` that have `limit` changes together, or a few more.
    private func page(
        after position: ChangePosition, _ number: Int64, limit: Int
    ) async throws(StoreError) -> ChangePage {
        try await self.snapshot { (connection) throws(SQLiteFailure) in
            guard let state = try connection.first(FeedState.statement, FeedState.init(from:))
            else { throw Self.lifeless }
            guard state.continues(position, number),
                let end = try Self.pageEnd(after: number, limit: limit, on: connection)
            else { return .gap(position: state.newest) }
            let changes = try connection.all(
                """
                SELECT \(ChangeColumn.self) FROM latchkey.changes WHERE position > \(number) AND position <= \(end)
                    ORDER BY position
                """
            ) { (row) throws(SQLiteFailure) in try row.change() }
            return .changes(changes, position: state.position(end), hasMore: end < state.latest)
        }
    }

    /// The last position of the transaction that change number `limit` after `number` belongs to, or of the newest one.
    private static func pageEnd(
        after number: Int64, limit: Int, on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> Int64? {
        let leader = try connection.integer(
            """
            SELECT leader FROM (SELECT position, leader FROM latchkey.changes WHERE position > \(number)
                ORDER BY position LIMIT \(limit)) ORDER BY position DESC LIMIT 1
            """)
        guard let leader else { return nil }
        // The changes of a transaction follow one another, so the walk ends with the first of the next one.
        let next = try connection.integer(
            """
            SELECT position FROM latchkey.changes WHERE position > \(leader) AND leader > \(leader)
                ORDER BY position LIMIT 1
            """)
        if let next { return next - 1 }
        return try connection.latestPosition()
    }

    package func waitForChange(after position: ChangePosition, timeout: Duration) async {
        let end = ContinuousClock.now + timeout
        // A reader that was at the end of the feed just now need not look again.
        var since = self.lastEnd.withLock { $0.position == position ? $0.count : nil }
        while !Task.isCancelled {
            let count = since ?? self.signal.count
            // A store that does not answer now has nothing to tell.
            if since == nil, let latest = try? await self.latestChange(), latest != position { return }
            since = nil
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { return }
            await self.signal.wait(since: count, atMost: min(left, Self.lookInterval))
            // It is given for a change of this process, which needs no look.
            if self.signal.count != count { return }
        }
    }

    /// One node has a file to itself.
    package var isShared: Bool { false }

    package func clock() async throws(StoreError) -> Timestamp? { nil }

    /// Others that open the file take turns with their commits.
    package func mayPurge(_ connection: SQLiteConnection) throws(SQLiteFailure) -> Bool { true }

    package func purgeChanges(
        olderThan end: Timestamp, limit: Int, now: Timestamp, _ connection: SQLiteConnection
    ) throws(SQLiteFailure) -> Int {
        let latest = try connection.latestPosition()
        try connection.run(
            """
            INSERT INTO latchkey.change_marks (position, moment) SELECT \(latest), \(now)
                WHERE \(latest) > (SELECT coalesce(max(position), 0) FROM latchkey.change_marks)
            """)
        let horizon = try connection.integer(
            "SELECT position FROM latchkey.change_marks WHERE moment <= \(end) ORDER BY position DESC LIMIT 1")
        guard let horizon else { return 0 }
        // The mark itself stays: it says up to where nothing is left to do once the rest is erased.
        try connection.run("DELETE FROM latchkey.change_marks WHERE position < \(horizon)")
        let last = try connection.first(
            """
            SELECT max(position) FROM
                (SELECT position FROM latchkey.changes WHERE position <= \(horizon) ORDER BY position LIMIT \(limit))
            """
        ) { (row) throws(SQLiteFailure) -> Int64? in try row.valueIfAny() }
        guard case let last?? = last else { return 0 }
        // Readers that are not beyond it meet a gap from now on.
        try connection.run("UPDATE latchkey.store_state SET purged_position = \(last)")
        return try connection.run("DELETE FROM latchkey.changes WHERE position <= \(last)")
    }
}
