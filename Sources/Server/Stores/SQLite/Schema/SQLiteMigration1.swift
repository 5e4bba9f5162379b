extension SQLiteMigration {
    /// The tables of every store, and what this one has of its own.
    static let initial = SQLiteMigration(
        number: 1, statements: Table.all.flatMap { $0.making(SQLiteStore.dialect) } + feed + state + openCodes)

    /// The traces of ended sign-ins.
    static let endedSignIns = SQLiteMigration(
        number: 2, statements: Table.endedSignIns.making(SQLiteStore.dialect, without: ["credential"]))

    /// The credentials that boxes use.
    static let credentials = SQLiteMigration(number: 3, statements: Table.credentials(SQLiteStore.dialect))

    // Open codes by the minute in which they expire. The longest code lives 600 minutes, so the sum over those to come
    // is short however many codes there are; triggers keep it right on every path and through every crash.
    private static let openCodes = [
        """
        CREATE TABLE open_codes (
            minute INTEGER PRIMARY KEY,
            number INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TRIGGER codes_inserted AFTER INSERT ON codes WHEN new.open_until IS NOT NULL
        BEGIN
            INSERT INTO open_codes (minute, number) VALUES (new.open_until / 60000, 1)
                ON CONFLICT (minute) DO UPDATE SET number = number + 1;
        END
        """,
        """
        CREATE TRIGGER codes_updated AFTER UPDATE OF open_until ON codes WHEN old.open_until IS NOT new.open_until
        BEGIN
            UPDATE open_codes SET number = number - 1 WHERE minute = old.open_until / 60000;
            INSERT INTO open_codes (minute, number)
                SELECT new.open_until / 60000, 1 WHERE new.open_until IS NOT NULL
                ON CONFLICT (minute) DO UPDATE SET number = number + 1;
        END
        """,
        """
        CREATE TRIGGER codes_deleted AFTER DELETE ON codes WHEN old.open_until IS NOT NULL
        BEGIN
            UPDATE open_codes SET number = number - 1 WHERE minute = old.open_until / 60000;
        END
        """,
    ]

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
