package import Entitlement
import Synchronization

/// A place in the feed: a job of a transaction. Transactions are in the order of their IDs, and none is told of before all
/// with smaller IDs are over, so that a place that was told of never gets a neighbour before it.
package struct FeedPlace: Hashable, Comparable {
    let transaction: Int64
    let part: Int64

    package static func < (left: FeedPlace, right: FeedPlace) -> Bool {
        (left.transaction, left.part) < (right.transaction, right.part)
    }

    /// As the feed's table has it.
    var sql: SQL { "(\(self.transaction)::bigint::text::xid8, \(self.part))" }
}

/// The state that a look at the feed compares a reader's position with.
///
/// A position is the life of the data, which is another one on every copy and on every server that took over from another
/// one, and a place.
struct FeedState {
    let life: [UInt8]
    /// Changes up to this place may be erased.
    let purged: FeedPlace
    /// The newest place that is told of, or where it would be.
    let latest: FeedPlace
    /// The newest that is kept and not told of yet, because an older transaction is under way.
    let heldBack: FeedPlace?

    func position(_ place: FeedPlace) -> ChangePosition {
        ChangePosition(bytes: self.life + Self.bytes(place.transaction) + Self.bytes(place.part))
    }

    var newest: ChangePosition { self.position(self.latest) }

    /// The place of a position from which the feed goes on without a gap; `nil` for any other.
    func place(of position: ChangePosition) -> FeedPlace? {
        guard position.bytes.count == self.life.count + 16, position.bytes.starts(with: self.life) else { return nil }
        let numbers = position.bytes.dropFirst(self.life.count)
        let place = FeedPlace(
            transaction: Self.number(numbers.prefix(8)), part: Self.number(numbers.suffix(8)))
        return place >= self.purged && place <= self.latest ? place : nil
    }

    private static func bytes(_ number: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 { bytes.reduce(0) { $0 << 8 | Int64($1) } }
}

extension FeedState {
    /// One statement, which sees one moment: it is asked many times a second. The newest place is the newest of those below
    /// the horizon; its part is that of the last job.
    static let look = """
        SELECT life || decode(substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), 'hex'), purged_transaction, purged_part,
            latest.transaction::text::bigint, latest.part, held.transaction::text::bigint, held.part
            FROM latchkey.store_state
            LEFT JOIN LATERAL (SELECT transaction, part FROM latchkey.changes
                WHERE transaction < pg_snapshot_xmin(pg_current_snapshot())
                ORDER BY transaction DESC, part DESC LIMIT 1) AS latest ON true
            LEFT JOIN LATERAL (SELECT transaction, part FROM latchkey.changes
                WHERE transaction >= pg_snapshot_xmin(pg_current_snapshot())
                ORDER BY transaction DESC, part DESC LIMIT 1) AS held ON true
        """

    init(from row: inout Row) throws(PostgresFailure) {
        self.life = try row.value()
        self.purged = try row.feedPlace()
        self.latest = max(try row.feedPlaceIfAny() ?? self.purged, self.purged)
        self.heldBack = try row.feedPlaceIfAny()
    }

    /// The tables have one, unless they are not ours.
    static func only(_ found: [FeedState]) throws(PostgresFailure) -> FeedState {
        guard let state = found.first else { throw .nonsense("the tables do not say which life they have") }
        return state
    }
}

extension Session {
    /// The state of the feed, as of the moment that the transaction under way sees.
    func feedState() throws(PostgresFailure) -> FeedState {
        try FeedState.only(try self.all(SQL(raw: FeedState.look), FeedState.init(from:)))
    }

    /// Begins a new life of the data if their transactions are of another server, as in a dump that was put back here.
    ///
    /// This server has not given such IDs yet: what a statement sees is below its snapshot's end, however many write.
    func leaveFormerServer() throws(PostgresFailure) {
        try self.run("BEGIN ISOLATION LEVEL READ COMMITTED")
        let isForeign = try self.finds(
            """
            SELECT 1 FROM latchkey.store_state
                WHERE greatest(purged_transaction, (SELECT max(transaction) FROM latchkey.change_marks),
                    (SELECT transaction::text::bigint FROM latchkey.changes ORDER BY changes.transaction DESC LIMIT 1))
                    >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
            """)
        if isForeign {
            // An hour's changes may be millions.
            self.answer(by: ContinuousClock.now + .seconds(600))
            // The order is that of a purge, so that no two wait for each other.
            try self.run([
                "DELETE FROM latchkey.change_marks",
                """
                UPDATE latchkey.store_state SET life = decode(replace(gen_random_uuid()::text, '-', ''), 'hex'),
                    purged_transaction = 0, purged_part = 0
                """, "DELETE FROM latchkey.changes",
            ])
        }
        let end = try self.send("COMMIT")
        try self.synchronize()
        _ = try self.answer(to: end)
        try self.receiveAll()
    }
}

extension Row {
    mutating func feedPlace() throws(PostgresFailure) -> FeedPlace {
        FeedPlace(transaction: try self.value(), part: try self.value())
    }

    mutating func feedPlaceIfAny() throws(PostgresFailure) -> FeedPlace? {
        let (transaction, part): (Int64?, Int64?) = (try self.valueIfAny(), try self.valueIfAny())
        guard let transaction, let part else { return nil }
        return FeedPlace(transaction: transaction, part: part)
    }
}

extension PostgresStore {
    /// How long a change may go unseen by ``waitForChange(after:timeout:)`` when its notification was lost.
    private static let lookInterval: Duration = .milliseconds(100)
    /// How soon to look again for a change that waits for an older transaction.
    private static let heldBackInterval: Duration = .milliseconds(5)

    package func latestChange() async throws(StoreError) -> ChangePosition { try await self.feedState().newest }

    package var hasUntoldChange: Bool {
        get async throws(StoreError) { try await self.feedState().heldBack != nil }
    }

    private func feedState() async throws(StoreError) -> FeedState {
        let found = try await self.read(SQL(raw: FeedState.look), FeedState.init(from:))
        return try PostgresFailure.told { () throws(PostgresFailure) in try FeedState.only(found) }
    }

    package func changes(after position: ChangePosition, limit: Int) async throws(StoreError) -> ChangePage {
        let (page, state) = try await self.page(after: position, limit: limit)
        guard case .changes(let changes, let reached, _) = page, self.isOverdue(state) else { return page }
        // A reader that hears of nothing would take its memory for right, and one that hears of some would, too.
        guard changes.isEmpty else { return .changes(changes, position: reached, hasMore: true) }
        return .heldUp(
            newest: try await self.read(
                """
                SELECT \(ChangeColumn.self), transaction::text::bigint, part, place FROM latchkey.changes
                    WHERE transaction >= pg_snapshot_xmin(pg_current_snapshot())
                    ORDER BY changes.transaction DESC, changes.part DESC, changes.place DESC LIMIT \(limit)
                """
            ) { (row) throws(PostgresFailure) in
                let change = try row.change()
                // Those columns were read by name; the place is behind them.
                for _ in ChangeColumn.allCases { _ = row.advance() }
                return HeldUpChange(
                    place: [try row.integer(), try row.integer(), try row.integer()], change: change)
            })
    }

    /// Whether a change has waited too long to be told of.
    private func isOverdue(_ state: FeedState) -> Bool {
        self.delay.look(told: state.latest, waiting: state.heldBack, .now)
    }

    private func page(
        after position: ChangePosition, limit: Int
    ) async throws(StoreError) -> (page: ChangePage, state: FeedState) {
        // Most looks find nothing new, and need no more.
        let seen = try await self.feedState()
        if let place = seen.place(of: position), place == seen.latest {
            return (.changes([], position: position, hasMore: false), seen)
        }
        return try await self.snapshot { (session) throws(PostgresFailure) -> (page: ChangePage, state: FeedState) in
            let state = try session.feedState()
            guard let place = state.place(of: position) else { return (.gap(position: state.newest), state) }
            guard place < state.latest else { return (.changes([], position: position, hasMore: false), state) }
            // The job that change number `limit` belongs to, or the newest one.
            let end = try session.first(
                """
                SELECT transaction::text::bigint, part FROM latchkey.changes
                    WHERE (transaction, part) > \(place.sql) AND transaction < pg_snapshot_xmin(pg_current_snapshot())
                    ORDER BY changes.transaction, changes.part, changes.place OFFSET \(max(limit, 1) - 1) LIMIT 1
                """
            ) { (row) throws(PostgresFailure) in try row.feedPlace() }
            let last = end ?? state.latest
            let changes = try session.all(
                """
                SELECT \(ChangeColumn.self) FROM latchkey.changes
                    WHERE (transaction, part) > \(place.sql) AND (transaction, part) <= \(last.sql)
                    ORDER BY transaction, part, place
                """
            ) { (row) throws(PostgresFailure) in try row.change() }
            return (.changes(changes, position: state.position(last), hasMore: last < state.latest), state)
        }
    }

    package func waitForChange(after position: ChangePosition, timeout: Duration) async {
        let end = ContinuousClock.now + timeout
        while !Task.isCancelled {
            let count = self.signal.count
            // A store that does not answer now has nothing to tell.
            let state = try? await self.feedState()
            if let state, state.newest != position || self.isOverdue(state) { return }
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { return }
            let interval = state?.heldBack != nil ? Self.heldBackInterval : Self.lookInterval
            await self.signal.wait(since: count, atMost: min(left, interval))
        }
    }
}

extension ChangeNotes {
    /// The statements that keep the changes in the order of the feed, in the transaction under way, which the server knows.
    /// - Parameter part: which job of the transaction made them: each is a transaction of the feed.
    mutating func insertions(part: Int) -> [SQL] {
        self.take().enumerated().map { place, change in
            """
            INSERT INTO latchkey.changes (part, place, \(ChangeColumn.self))
                VALUES (\(part), \(place), \(ChangeColumn.values(of: change)))
            """
        }
    }
}

/// How long changes that are kept have waited to be told of, behind older transactions.
///
/// Each look notes the newest change that waits. Until that one is told, something has waited since that look, whatever
/// else was told meanwhile: one older transaction may follow another.
package final class FeedDelay: Sendable {
    /// How long a change may wait until readers are told that the feed stands still. No answer is older than five
    /// seconds while PostgreSQL answers a look within a tenth of a second, with the three seconds that memory answers
    /// after a look, and the time between looks. A look that takes longer may miss a change that came meanwhile, and
    /// adds its time.
    package static let limit: Duration = .milliseconds(1500)
    /// Looks that are closer than this to one another are one.
    private static let spacing: Duration = .milliseconds(50)
    /// The most looks that are remembered: enough for the limit.
    private static let most = 64

    private struct Look {
        /// The newest change that waited then.
        var newest: FeedPlace
        let time: ContinuousClock.Instant
    }

    private let looks = Mutex<[Look]>([])

    package init() {}

    /// - Parameters:
    ///   - told: the newest change that is told of.
    ///   - waiting: the newest that is kept and is not told of; `nil` when all are.
    /// - Returns: whether a change has waited for too long.
    package func look(told: FeedPlace, waiting: FeedPlace?, _ now: ContinuousClock.Instant) -> Bool {
        self.looks.withLock { looks in
            guard let waiting else {
                looks = []
                return false
            }
            looks.removeAll { $0.newest <= told }
            if let last = looks.indices.last, looks.count == Self.most || now - looks[last].time < Self.spacing {
                // It counts as waiting for a little longer than it does.
                looks[last].newest = max(looks[last].newest, waiting)
            } else if looks.last?.newest != waiting {
                looks.append(Look(newest: waiting, time: now))
            }
            return looks.first.map { now - $0.time > Self.limit } ?? false
        }
    }
}
