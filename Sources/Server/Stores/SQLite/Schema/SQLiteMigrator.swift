import CSQLite
import Entitlement

/// Brings a file to the schema this program knows, or refuses it.
enum SQLiteMigrator {
    /// `application_id` of every file of ours: `Ltky` in ASCII (sqlite.org/fileformat2.html, 1.3.16).
    static let applicationID = 0x4C74_6B79

    /// Applies the `migrations` the file lacks, all in one transaction.
    ///
    /// Programs that open the same new file at once take turns here.
    /// - Throws: what becomes `.newerSchema` when a newer program wrote the file, and `.damaged` when it is no store.
    static func migrate(
        _ connection: SQLiteConnection, with migrations: [SQLiteMigration] = SQLiteMigration.all
    ) throws(SQLiteFailure) {
        let newest = migrations.last?.number ?? 0
        // Most starts end here, without the lock.
        if try self.schema(of: connection, known: newest) == newest { return }
        try connection.transaction(beginning: "BEGIN IMMEDIATE") { (connection) throws(SQLiteFailure) in
            let found = try self.schema(of: connection, known: newest)
            // A new file gets the present schema at once.
            for migration in found == 0 ? migrations.prefix(1) : migrations.drop(while: { $0.number <= found }) {
                for statement in migration.statements { try self.run(statement, after: found, connection) }
            }
            // Pragmas take no parameters; both numbers are constants of this program.
            try connection.run("PRAGMA user_version = \(raw: "\(newest)")")
            try connection.run("PRAGMA application_id = \(raw: "\(self.applicationID)")")
        }
    }

    /// - Throws: what becomes `.damaged` for a statement that does not fit the file's tables: they are not those of the
    ///   schema that the file says it has.
    private static func run(
        _ statement: String, after schema: Int, _ connection: SQLiteConnection
    ) throws(SQLiteFailure) {
        do {
            try connection.run(SQL(raw: statement))
        } catch {
            guard error.code == SQLITE_ERROR, error.systemError == 0 else { throw error }
            throw .nonsense("its tables are not those of schema \(schema), which it says it has: \(error.message)")
        }
    }

    static var newest: Int { SQLiteMigration.all.last?.number ?? 0 }

    /// The schema of the file; 0 for a new one. Refuses a file that ``migrate(_:with:)`` would refuse, and changes
    /// nothing.
    static func schema(of connection: SQLiteConnection) throws(SQLiteFailure) -> Int {
        try self.schema(of: connection, known: self.newest)
    }

    /// The number of the last migration applied to the file; 0 for a new one.
    private static func schema(of connection: SQLiteConnection, known: Int) throws(SQLiteFailure) -> Int {
        let application = try connection.count("PRAGMA application_id")
        let schema = try connection.count("PRAGMA user_version")
        if application != self.applicationID {
            let tables = try connection.count("SELECT count(*) FROM sqlite_schema")
            guard application == 0, schema == 0, tables == 0 else {
                throw SQLiteFailure(code: SQLITE_NOTADB, message: "the file is a database of another program")
            }
        }
        guard schema <= known
        else { throw .refused(.newerSchema, "the file has schema \(schema), this program knows \(known)") }
        return schema
    }
}

/// One step of the schema. Once released it never changes; a new need is a new step.
struct SQLiteMigration {
    /// Counts from 1 without gaps; `user_version` of a file holds the last one applied.
    let number: Int
    /// One SQL statement each, run in order in the same transaction.
    let statements: [String]

    /// Every step, in order. The first makes the present schema in a new file; the others bring files of older programs there.
    static let all: [SQLiteMigration] = [.initial, .endedSignIns, .credentials, .openCodes]
}

extension SQLiteMigration {
    /// The tables of every store, and what this one has of its own.
    static let initial = SQLiteMigration(
        number: 1, statements: Table.all.flatMap { $0.making(SQLiteStore.dialect) } + feed + state)

    static let endedSignIns = SQLiteMigration(
        number: 2, statements: Table.endedSignIns.making(SQLiteStore.dialect, without: ["credential"]))

    static let credentials = SQLiteMigration(number: 3, statements: Table.credentials(SQLiteStore.dialect))

    /// Open codes are counted in the index of their expiry, and no longer by triggers.
    static let openCodes = SQLiteMigration(
        number: 4,
        statements: [
            "DROP TRIGGER codes_inserted", "DROP TRIGGER codes_updated", "DROP TRIGGER codes_deleted",
            "DROP TABLE open_codes", "DROP INDEX codes_expires",
            "CREATE INDEX codes_expires ON codes (expires, open_until)",
        ])

    // AUTOINCREMENT: a position is never used again, also when the newest changes were purged. `leader` is the position of the
    // first change of the same transaction. A mark says which position was the newest at a purge.
    private static let feed = [
        """
        CREATE TABLE changes (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            leader INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            code TEXT,
            device BLOB,
            client TEXT
        ) STRICT
        """,
        """
        CREATE TABLE change_marks (
            position INTEGER PRIMARY KEY,
            moment INTEGER NOT NULL
        ) STRICT
        """,
    ]

    // One row: which life the data have, and how far a purge came.
    private static let state = [
        """
        CREATE TABLE store_state (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            life BLOB NOT NULL,
            purged_position INTEGER NOT NULL,
            purged_at INTEGER,
            cleared_until INTEGER NOT NULL
        ) STRICT
        """,
        "INSERT INTO store_state (id, life, purged_position, cleared_until) VALUES (1, randomblob(16), 0, 0)",
        "INSERT INTO probe (id, value) VALUES (1, 0)",
    ]
}
