import Clientless
import Entitlement
import Lending
import PostgresServer
import StoreFixtures
import TestSupport
import Testing

@testable import Stores

/// A store on a database of its own, closed after the test.
private struct LentTables: Sendable {
    @TaskLocal static var current: LentTables?

    let database: String
    let options: PostgresStore.Options
    let store: PostgresStore
}

private var database: String { LentTables.$current.lent().database }
private var options: PostgresStore.Options { LentTables.$current.lent().options }
private var store: PostgresStore { LentTables.$current.lent().store }

extension Trait where Self == Lending<LentTables> {
    fileprivate static var tables: Self { .tables() }

    fileprivate static func tables(
        _ change: @escaping @Sendable (inout PostgresStore.Options) -> Void = { _ in }
    ) -> Self {
        Lending(LentTables.$current) { body in
            let server = PostgresServer.shared
            let database = try await server.makeDatabase { owner in
                _ = try await PostgresStore.migrate(PostgresStore.Options(connection: owner))
            }
            var options = PostgresStore.Options(
                connection: try await server.connection(database, as: PostgresServer.server))
            options.connections = 4
            change(&options)
            let store = try await PostgresStore.open(options)
            try await body(LentTables(database: database, options: options, store: store))
            await store.close()
            await server.giveBack(database)
        }
    }
}

@Suite("A store on PostgreSQL", .timeLimit(.minutes(5)))
struct SharedTablesTests {
    @Test func `is tested: Debian's postgresql-15 is installed`() {
        #expect(PostgresServer.isInstalled)
    }

    @Test func `is refused before its tables are made, and made once`() async throws {
        let server = PostgresServer.shared
        let database = try await server.makeDatabase()
        let options = PostgresStore.Options(connection: try await server.connection(database, as: PostgresServer.owner))
        await #expect { _ = try await PostgresStore.open(options) } throws: {
            ($0 as? StoreError)?.code == .olderSchema
        }
        #expect(try await PostgresStore.migrate(options) == 0)
        #expect(try await PostgresStore.migrate(options) == nil)
        try await server.run(["UPDATE latchkey.schema_version SET number = 9, oldest = 1"], in: database)
        let beside = try await PostgresStore.open(options)
        await beside.close()
        try await server.run(["UPDATE latchkey.schema_version SET number = 9, oldest = 9"], in: database)
        await #expect { _ = try await PostgresStore.open(options) } throws: {
            ($0 as? StoreError)?.code == .newerSchema
        }
        await server.giveBack(database)
    }

    @Test("has no table or column that a move leaves behind, but for those of one life of the data", .tables)
    func moved() async throws {
        let found = try await PostgresServer.shared.run(
            [
                """
                SELECT table_name || '.' || column_name FROM information_schema.columns
                    WHERE table_schema = 'latchkey' AND column_name <> 'sequence'
                """
            ], in: database)
        let ofOneLife = ["changes", "change_marks", "store_state", "probe", "leases", "schema_version"]
        let columns = found.split(separator: "\n").map(String.init)
            .filter { column in !ofOneLife.contains { column.hasPrefix("\($0).") } }
        let moved = Table.all.filter { !ofOneLife.contains($0.name) }
            .flatMap { table in table.columns.map { "\(table.name).\($0.name)" } }
        #expect(columns.sorted() == moved.sorted())
    }

    /// - Returns: a connection that holds a lock until it commits.
    private func session(locking lock: String, over connection: String) throws -> Session {
        let finder = PrimaryFinder(try ConnectionSettings(connection: connection, name: "lock"))
        let session = try Session(finder, by: .now + .seconds(60))
        try session.run(["BEGIN", SQL(raw: "LOCK TABLE \(lock)")])
        return session
    }

    @Test(
        "gives what only reads a time of its own",
        .tables { ($0.answerTime, $0.readingTime) = (.milliseconds(200), .seconds(60)) })
    func reading() async throws {
        let holder = try self.session(locking: "latchkey.accounts", over: options.connection)
        async let accounts = store.accounts()
        await #expect(throws: StoreError.self) {
            try await store.save(Account(mvpd: Fixture.cableNova, name: "anna", passwordHash: "$y$", lineUp: ["A"]))
        }
        try holder.run("COMMIT")
        let found = try await accounts
        #expect(found == [])
    }

    @Test("is brought up to date from the tables of the first schema, with what they keep, and is as a new one is then")
    func former() async throws {
        let server = PostgresServer.shared
        let statements = String(decoding: PackageResources.schema1_sql, as: UTF8.self).split(separator: "\n-- next\n")
        let later = Migration(
            number: Migration.all.count + 1, oldest: 1,
            statements: ["ALTER TABLE latchkey.key_pairs ADD COLUMN note text COLLATE \"C\""])
        var shapes: [String] = []
        for isFormer in [true, false] {
            let database = try await server.makeDatabase()
            let connection = try await server.connection(database, as: PostgresServer.owner)
            let options = PostgresStore.Options(connection: connection)
            if isFormer {
                try await server.run(statements.dropFirst().map(String.init), in: database, as: PostgresServer.owner)
                // A program that reads all tables, such as pg_dump, is not waited for.
                let dump = try self.session(locking: "latchkey.codes IN ACCESS SHARE MODE", over: connection)
                await #expect { _ = try await PostgresStore.migrate(options, by: Migration.all, tries: 1) } throws: {
                    ($0 as? StoreError)?.detail.contains("pg_dump") == true
                }
                try dump.run("COMMIT")
            } else {
                #expect(try await PostgresStore.migrate(options) == 0)
            }
            let schema = try await PostgresStore.migrate(options, by: Migration.all + [later])
            #expect(schema == (isFormer ? 1 : Migration.all.count))
            let store = try await PostgresStore.open(options)
            #expect(try await store.credentials().keyPairs.map(\.label) == (isFormer ? ["Küche"] : []))
            await store.close()
            shapes.append(
                try await server.run(
                    [
                        """
                        SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
                            WHERE table_schema = 'latchkey' ORDER BY 1, 2
                        """, "SELECT indexdef FROM pg_indexes WHERE schemaname = 'latchkey' ORDER BY 1",
                        "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'latchkey'::regnamespace ORDER BY 1",
                    ], in: database))
            await server.giveBack(database)
        }
        #expect(shapes[0] == shapes[1])
        #expect(shapes[0].contains("key_pairs|note|"))
    }

    @Test(.tables) func `gives servers no right to the tables themselves`() async throws {
        let server = PostgresServer.shared
        for statement in [
            "CREATE TABLE latchkey.more (id bigint)", "DROP TABLE latchkey.nonces", "TRUNCATE latchkey.codes",
            "UPDATE latchkey.audit_log SET actor = 'x'", "UPDATE latchkey.schema_version SET number = 0",
            "DELETE FROM latchkey.store_state", "INSERT INTO latchkey.probe VALUES (2, 1)",
            "UPDATE latchkey.changes SET part = part", "SELECT nextval('latchkey.codes_sequence_seq')",
        ] {
            await #expect(throws: PostgresServer.Failure.self) {
                try await server.run([statement], in: database, as: PostgresServer.server)
            }
        }
    }

    @Test(.tables) func `says which rights were lost, and has them again when it is migrated once more`() async throws {
        let server = PostgresServer.shared
        let owner = PostgresStore.Options(
            connection: try await server.connection(database, as: PostgresServer.owner))
        try await server.run(
            [
                "REVOKE ALL ON latchkey.nonces FROM \(PostgresServer.server)",
                "REVOKE UPDATE ON latchkey.codes FROM \(PostgresServer.server)",
                "ALTER TABLE latchkey.leases RENAME TO borrowed",
            ], in: database)
        let lacks = "role \(PostgresServer.server) lacks"
        let faults = try await store.integrityCheck().filter { !$0.hasPrefix("fsync") }
        let ofNonces = ["DELETE", "INSERT", "SELECT", "UPDATE"].map { "\(lacks) \($0) on table nonces" }
        #expect(faults.count == 6)
        #expect(Set(faults) == Set(ofNonces + ["\(lacks) UPDATE on table codes", "table leases is missing"]))
        try await server.run(["ALTER TABLE latchkey.borrowed RENAME TO leases"], in: database)
        // The role of servers gives itself nothing.
        #expect(try await PostgresStore.migrate(options) == nil)
        #expect(try await store.integrityCheck().count == 1 + ofNonces.count + 1)
        #expect(try await PostgresStore.migrate(owner) == nil)
        #expect(try await store.integrityCheck().count == 1)
    }

    @Test("leaves all rights to a role of servers that owns the tables, as what erases by reference needs them")
    func oneRole() async throws {
        let server = PostgresServer.shared
        let database = try await server.makeDatabase()
        try await server.run(["ALTER DATABASE \(database) OWNER TO \(PostgresServer.server)"], in: database)
        let options = PostgresStore.Options(
            connection: try await server.connection(database, as: PostgresServer.server))
        #expect(try await PostgresStore.migrate(options) == 0)
        #expect(try await PostgresStore.migrate(options) == nil)
        let store = try await PostgresStore.open(options)
        let client = ClientRecord(
            clientID: "c", secretHash: [1], softwareID: "1", redirectURIs: ["x://y"], created: Fixture.now)
        try await store.insert(client)
        #expect(try await store.deleteClient("c", audit: Fixture.audit(1)))
        #expect(try await store.client("c") == nil)
        #expect(try await store.integrityCheck().filter { !$0.hasPrefix("fsync") } == [])
        await store.close()
        await server.giveBack(database)
    }

    @Test("goes on when the server ended all its connections, and has never more than its number of them", .tables)
    func ended() async throws {
        let server = PostgresServer.shared
        for round in 0..<3 {
            try await concurrently(40) { number in
                let code = Fixture.code(round * 40 + number)
                try await store.keep(Fixture.record(code, device: number), limit: 9)
                #expect(try await store.code(code) != nil)
            }
            let count = try await server.run(
                [
                    "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'latchkeyd' AND datname = '\(database)'"
                ])
            #expect((Int(count.split(separator: "\n").first ?? "") ?? 99) <= options.connections)
            try await server.run([
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database)'"
            ])
        }
    }

    @Test("begins a new life when it opens tables with transactions of another server, and only then", .tables)
    func putBack() async throws {
        for (number, statement) in [
            "UPDATE latchkey.store_state SET purged_transaction = 1000000000000",
            "INSERT INTO latchkey.change_marks VALUES (1000000000000, 0, 0)",
            "INSERT INTO latchkey.changes (transaction, part, place, kind) VALUES ('1000000000000', 0, 0, 0)",
        ].enumerated() {
            try await store.keep(Fixture.record(number), limit: 9)
            let former = try await store.latestChange()
            try await PostgresServer.shared.run([statement], in: database)
            try await PostgresStore.open(options).close()
            let start = try await store.latestChange()
            #expect(try await store.changes(after: former, limit: 9) == .gap(position: start))
            _ = try await store.deleteCode(Fixture.code(number), of: nil)
            try await PostgresStore.open(options).close()
            await store.waitForChange(after: start, timeout: .seconds(60))
            guard case .changes(let changes, _, false) = try await store.changes(after: start, limit: 9)
            else { return #expect(Bool(false), "a gap") }
            #expect(changes == [.code(Fixture.code(number))])
        }
    }

    /// A transaction that is under way without a connection.
    private static let holding = [
        "BEGIN; UPDATE latchkey.leases SET task = task; SELECT pg_current_xact_id(); PREPARE TRANSACTION 'held'"
    ]

    @Test(.tables) func `tells of a change only when every older transaction is over, and then of it`() async throws {
        let server = PostgresServer.shared
        try await store.keep(Fixture.record(1), limit: 1)
        let start = try await store.latestChange()
        try await server.run(Self.holding, in: database)
        _ = try await store.deleteCode(Fixture.code(1), of: nil)
        #expect(try await store.changes(after: start, limit: 9) == .changes([], position: start, hasMore: false))
        try await server.run(["COMMIT PREPARED 'held'"], in: database)
        await store.waitForChange(after: start, timeout: .seconds(60))
        guard case .changes(let changes, _, false) = try await store.changes(after: start, limit: 9)
        else { return #expect(Bool(false), "a gap") }
        #expect(changes == [.code(Fixture.code(1))])
    }

    @Test("tells what it can of changes while another one waits for too long, and then which changes wait")
    func overdue() async throws {
        // A server of its own: feeds of all its databases stand still.
        let server = PostgresServer()
        let database = try await server.makeDatabase { owner in
            _ = try await PostgresStore.migrate(PostgresStore.Options(connection: owner))
        }
        let store = try await PostgresStore.open(
            PostgresStore.Options(connection: try await server.connection(database, as: PostgresServer.server)))
        for number in 1...2 { try await store.keep(Fixture.record(number), limit: 2) }
        let start = try await store.latestChange()
        _ = try await store.deleteCode(Fixture.code(1), of: nil)
        await store.waitForChange(after: start, timeout: .seconds(60))
        let told = try await store.latestChange()
        #expect(told != start)
        try await server.run(Self.holding, in: database)
        _ = try await store.deleteCode(Fixture.code(2), of: nil)
        // Until the change has waited for too long.
        await store.waitForChange(after: told, timeout: .seconds(60))
        let page = ChangePage.changes([.code(Fixture.code(1))], position: told, hasMore: true)
        #expect(try await store.changes(after: start, limit: 9) == page)
        guard case .heldUp(let newest) = try await store.changes(after: told, limit: 9)
        else { return #expect(Bool(false), "the feed is said to go on") }
        #expect(newest.map(\.change) == [.code(Fixture.code(2))])
        #expect(try await store.hasUntoldChange)
        try await server.run(["COMMIT PREPARED 'held'"], in: database)
        await store.waitForChange(after: told, timeout: .seconds(60))
        guard case .changes(let changes, _, false) = try await store.changes(after: told, limit: 9)
        else { return #expect(Bool(false), "a gap") }
        #expect(changes == [.code(Fixture.code(2))])
        await store.close()
    }

    @Test(
        "purges nothing while the transaction of another purge lives, however long its node has lost its lease", .tables
    )
    func purging() async throws {
        let server = PostgresServer.shared
        let end = Fixture.now + .seconds(1)
        #expect(try await store.takeNonce("n", publicKey: "k", expires: end, now: Fixture.now))
        // A batch that goes on at the server, of a node that gave it up.
        try await server.run(
            [
                "BEGIN; SELECT pg_advisory_xact_lock(x'4C746B7900000002'::bigint); PREPARE TRANSACTION 'purge'"
            ], in: database)
        #expect(try await store.takeLease("purge", holder: "b", for: .seconds(120), now: end))
        let retention = StoreRetention()
        #expect(try await store.purge(retention, limit: 9, now: end).isElsewhere)
        try await server.run(["ROLLBACK PREPARED 'purge'"], in: database)
        let outcome = try await store.purge(retention, limit: 9, now: end)
        #expect(outcome.erased == 1 && outcome.isComplete && !outcome.isElsewhere)
    }

    @Test("says that its feed stands still when a change waits for older transactions for over one and a half seconds")
    func delay() {
        let delay = FeedDelay()
        let (now, limit) = (ContinuousClock.now, FeedDelay.limit)
        func place(_ transaction: Int64) -> FeedPlace { FeedPlace(transaction: transaction, part: 0) }
        #expect(!delay.look(told: place(1), waiting: place(7), now))
        #expect(!delay.look(told: place(1), waiting: place(7), now + limit))
        #expect(delay.look(told: place(1), waiting: place(7), now + limit + .milliseconds(1)))
        // Once it is told another one has waited since it was seen.
        #expect(!delay.look(told: place(7), waiting: place(9), now + .seconds(9)))
        #expect(!delay.look(told: place(9), waiting: nil, now + .seconds(12)))
        #expect(!delay.look(told: place(9), waiting: place(11), now + .seconds(15)))
        // Behind one transaction after another it waits all the while, though older ones are told.
        #expect(!delay.look(told: place(10), waiting: place(12), now + .seconds(16)))
        #expect(delay.look(told: place(10), waiting: place(14), now + .seconds(15) + limit + .milliseconds(1)))
        // Told up to the second, the third has waited since it was seen.
        #expect(!delay.look(told: place(12), waiting: place(14), now + .seconds(17)))
        #expect(delay.look(told: place(12), waiting: place(14), now + .seconds(17) + limit))
    }

    @Test("forgets nothing that waits, however often its feed is looked at, and takes looks of one moment for one")
    func manyLooks() {
        let (now, limit) = (ContinuousClock.now, FeedDelay.limit)
        func place(_ transaction: Int64) -> FeedPlace { FeedPlace(transaction: transaction, part: 0) }
        let delay = FeedDelay()
        for step in 0..<2000 {
            let time: Duration = .milliseconds(5 * step)
            #expect(delay.look(told: place(1), waiting: place(2 + Int64(step)), now + time) == (time > limit))
        }
        // The second waits as of the first, which is told of.
        let other = FeedDelay()
        #expect(!other.look(told: place(1), waiting: place(2), now))
        #expect(!other.look(told: place(1), waiting: place(3), now + .milliseconds(10)))
        #expect(!other.look(told: place(2), waiting: place(3), now + limit))
        #expect(other.look(told: place(2), waiting: place(3), now + limit + .milliseconds(5)))
    }

    @Test(.tables) func `keeps texts with any character, each for itself`() async throws {
        let users = ["a\u{0}b", "a\u{1}b", "a\u{1}\u{1}b", "a\u{1}\u{2}b", "\u{0}", "\u{10FFFF}é"]
        for (number, user) in users.enumerated() {
            let record = try await store.keep(Fixture.record(number, device: number, deviceUser: user), limit: 9)
            #expect(try await store.code(record.code) == record)
        }
    }

    @Test("keeps what a caller promised together, and refuses the one that is wrong alone", .tables)
    func conflictInBatch() async throws {
        let taken = Fixture.authentication(1, Fixture.context(1))
        try await store.save(taken)
        // Sent at once, so that they share commits with the wrong one.
        let errors = try await concurrently(39) { number in
            await thrown { try await store.save(Fixture.authentication(1 + number, Fixture.context(101 + number))) }
        }
        #expect(errors.count { $0 == nil } == 38)
        #expect(try await store.authentication(taken.id) == taken)
    }

    @Test(
        "leaves as many codes of a device open as it may have, and each code to one caller, when all come at once",
        .tables)
    func creationsTogether() async throws {
        // Three devices with twenty codes each, and every code asked for twice.
        let insertions = try await concurrently(120) { number in
            let record = Fixture.record(number % 60, device: number % 3)
            return try await store.insert(record, limitPerDevice: 2, now: Fixture.now)
        }
        var cancelled: [RegistrationCodeText] = []
        for case .inserted(let ended) in insertions { cancelled += ended }
        #expect(insertions.count { $0 == .taken } == 60)
        #expect(Set(cancelled).count == cancelled.count)
        #expect(cancelled.count == 54)
        let open = try await store.openCodes(now: Fixture.now, limit: 100)
        #expect(open.count == 6)
        #expect(Set(open.map(\.context.device)).count == 3)
        #expect(Set(open.map(\.code)).isDisjoint(with: cancelled))
    }

    @Test(
        "says which settings of its server lose what was acknowledged, and what of its schema does not count", .tables)
    func checked() async throws {
        let lossy = "is off: acknowledged changes are lost when the server or its machine stops"
        // The server of tests is one that may lose everything.
        #expect(try await store.integrityCheck() == ["fsync \(lossy)"])
        try await PostgresServer.shared.run(
            [
                "ALTER ROLE \(PostgresServer.server) IN DATABASE \(database) SET synchronous_commit = off",
                "ALTER TABLE latchkey.accounts ADD CONSTRAINT never CHECK (version >= 0) NOT VALID",
            ], in: database)
        let again = try await PostgresStore.open(options)
        #expect(
            try await again.integrityCheck().sorted() == [
                "constraint never was never checked", "fsync \(lossy)", "synchronous_commit \(lossy)",
            ])
        await again.close()
        try await PostgresServer.shared.run(
            [
                "ALTER ROLE \(PostgresServer.server) IN DATABASE \(database) RESET synchronous_commit",
                "ALTER TABLE latchkey.accounts DROP CONSTRAINT never",
            ], in: database)
    }

    @Test(
        "estimates how many codes are open where they are many, and finds all where the table is small",
        .tables { $0.mostCounted = 10 })
    func estimate() async throws {
        for number in 0..<50 {
            try await store.keep(
                Fixture.record(number, device: number, lifetime: .seconds(number < 30 ? 60 : 1800)), limit: 1)
        }
        #expect(try await store.liveCodeCount(now: Fixture.now) == 50)
        #expect(try await store.liveCodeCount(now: Fixture.now + .seconds(100)) == 20)
        #expect(try await store.liveCodeCount(now: Fixture.now + .seconds(1800)) == 0)
    }
}
