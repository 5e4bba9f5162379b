import Glibc

/// Brings the tables to the schema this program knows, or refuses them.
enum Migrator {
    /// The number of the lock that one migration at a time holds.
    private static let lock: Int64 = 0x4C74_6B79_0000_0001

    static var newest: Int { Migration.all.last?.number ?? 0 }

    /// The newest step that the tables have, and the oldest whose program can work with them.
    private typealias Found = (number: Int, oldest: Int)

    /// Finds out whether this program can work with the tables as they are.
    /// - Throws: what becomes `.newerSchema` or `.olderSchema` when it cannot.
    static func check(_ session: Session) throws(PostgresFailure) {
        let found = try self.found(session)
        try session.synchronize()
        try session.receiveAll()
        guard let found else {
            throw PostgresFailure(kind: .olderSchema, message: "the database has no tables of latchkeyd")
        }
        try self.refuseNewer(found)
        guard found.number >= self.newest else {
            throw PostgresFailure(
                kind: .olderSchema, message: "the tables have schema \(found.number), this program uses \(self.newest)")
        }
    }

    private static func refuseNewer(_ found: Found) throws(PostgresFailure) {
        guard found.oldest <= self.newest else {
            throw PostgresFailure(
                kind: .newerSchema,
                message: "the tables have schema \(found.number), this program knows \(self.newest)")
        }
    }

    /// Applies the steps the tables lack, and gives the role of servers its rights, all in one transaction.
    /// - Parameter tries: a table that another program uses is tried so often.
    /// - Returns: the schema that was there, 0 for none; `nil` when nothing was to be done.
    static func migrate(_ session: Session, by steps: [Migration], tries: Int) throws(PostgresFailure) -> Int? {
        let last = steps.last?.number ?? 0
        do throws(PostgresFailure) {
            try session.run("BEGIN")
            // Two that migrate at once take turns here.
            try session.run("SELECT pg_advisory_xact_lock(\(self.lock))")
            // Behind a statement that waits for a table all others on it wait: shorter than a caller of a server does.
            try session.run("SET LOCAL lock_timeout = '1s'")
            let found = try self.found(session)
            if let found { try self.refuseNewer(found) }
            let before = found?.number ?? 0
            if before < last { try self.apply(steps, after: before, session) }
            // Also where nothing else is to be done: tables that were put back may have lost them. Those of a newer program
            // are not known here.
            if before <= last { try session.run(SQL(raw: ServerRights.granting)) }
            let end = try session.send("COMMIT")
            try session.synchronize()
            _ = try session.answer(to: end)
            try session.receiveAll()
            return before < last ? before : nil
        } catch {
            if error.leavesConnection { try session.recover() }
            guard error.isPassing else { throw error }
            guard tries > 1 else {
                let reason = "another program, such as pg_dump, uses a table; migrate again when it is over"
                throw PostgresFailure(kind: error.kind, state: error.state, message: reason)
            }
        }
        // Servers do meanwhile what waited.
        sleep(1)
        return try self.migrate(session, by: steps, tries: tries - 1)
    }

    private static func apply(_ steps: [Migration], after before: Int, _ session: Session) throws(PostgresFailure) {
        if before == 0 {
            // Made with the roles, where these are as they should be: who owns the tables may make no other schema.
            if try self.name("SELECT to_regnamespace('latchkey')::text", session) == nil {
                try session.run("CREATE SCHEMA latchkey")
            }
            try session.run("CREATE TABLE latchkey.schema_version (number bigint NOT NULL, oldest bigint NOT NULL)")
            try session.run("INSERT INTO latchkey.schema_version (number, oldest) VALUES (0, 0)")
        }
        // A new database gets the present schema at once.
        for migration in before == 0 ? steps.prefix(1) : steps.drop(while: { $0.number <= before }) {
            for statement in migration.statements { try session.run(SQL(raw: statement)) }
        }
        guard let last = steps.last else { return }
        try session.run("UPDATE latchkey.schema_version SET number = \(last.number), oldest = \(last.oldest)")
    }

    /// - Returns: `nil` if there are no tables.
    private static func found(_ session: Session) throws(PostgresFailure) -> Found? {
        guard try self.name("SELECT to_regclass('latchkey.schema_version')::text", session) != nil else { return nil }
        return try session.first("SELECT number, oldest FROM latchkey.schema_version") {
            (row) throws(PostgresFailure) -> Found in (try row.value(), try row.value())
        }
    }

    private static func name(_ sql: SQL, _ session: Session) throws(PostgresFailure) -> String? {
        let found = try session.all(sql) { (row) throws(PostgresFailure) -> String? in try row.valueIfAny() }
        return found.first ?? nil
    }
}

/// One step of the schema. Once released it never changes; a new need is a new step.
struct Migration {
    /// Counts from 1 without gaps.
    let number: Int
    /// The oldest step whose programs can still work with the tables: nodes are brought up to date one after the other,
    /// so that is at least the step before.
    let oldest: Int
    /// One SQL statement each, run in order in the same transaction.
    let statements: [String]

    /// Every step, in order. The first makes the present schema in a new database; the others bring those of older programs
    /// there.
    static let all: [Migration] = [.initial, .endedSignIns, .credentials]
}

extension Migration {
    /// The tables of every store, and what this one has of its own.
    static let initial = Migration(
        number: 1, oldest: 1,
        statements: Table.all.flatMap { $0.making(PostgresStore.dialect) } + feed + state)

    /// The traces of ended sign-ins. Programs of step 1 work with it; they keep none.
    static let endedSignIns = Migration(
        number: 2, oldest: 1, statements: Table.endedSignIns.making(PostgresStore.dialect, without: ["credential"]))

    /// The credentials that boxes use. Older programs keep none.
    static let credentials = Migration(
        number: 3, oldest: 1, statements: Table.credentials(PostgresStore.dialect))

    // A place in the feed is the transaction, as the server counts them, and the part of it that one job made: no sequence that
    // all nodes draw from, and no row that all of them write.
    private static let feed = [
        """
        CREATE TABLE latchkey.changes (
            transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
            part bigint NOT NULL,
            place bigint NOT NULL,
            kind bigint NOT NULL,
            code text COLLATE "C",
            device bytea,
            client text COLLATE "C",
            PRIMARY KEY (transaction, part, place)
        )
        """,
        """
        CREATE TABLE latchkey.change_marks (
            transaction bigint NOT NULL,
            part bigint NOT NULL,
            moment bigint NOT NULL,
            PRIMARY KEY (transaction, part)
        )
        """,
    ]

    // One row: which life the data have and how far a purge came.
    private static let state = [
        """
        CREATE TABLE latchkey.store_state (
            id bigint PRIMARY KEY CHECK (id = 1),
            life bytea NOT NULL,
            purged_transaction bigint NOT NULL,
            purged_part bigint NOT NULL,
            purged_at bigint,
            cleared_until bigint NOT NULL
        )
        """,
        """
        INSERT INTO latchkey.store_state (id, life, purged_transaction, purged_part, cleared_until)
            VALUES (1, decode(replace(gen_random_uuid()::text, '-', ''), 'hex'), 0, 0, 0)
        """,
        "INSERT INTO latchkey.probe (id, value) VALUES (1, 0)",
    ]
}
