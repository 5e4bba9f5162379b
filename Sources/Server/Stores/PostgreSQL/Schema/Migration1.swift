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
