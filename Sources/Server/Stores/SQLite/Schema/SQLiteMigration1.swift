extension SQLiteMigration {
    /// The tables of every store, and what this one has of its own.
    static let initial = SQLiteMigration(
        number: 1, statements: Table.all.flatMap { $0.making(SQLiteStore.dialect) } + feed + state)

    /// The traces of ended sign-ins.
    static let endedSignIns = SQLiteMigration(
        number: 2, statements: Table.endedSignIns.making(SQLiteStore.dialect, without: ["credential"]))

    /// The credentials that boxes use.
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
