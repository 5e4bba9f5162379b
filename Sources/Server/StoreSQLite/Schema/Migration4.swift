extension Migration {
    /// Sign-ins known by provider and client, with versions; decisions that belong to a sign-in; what is needed to
    /// erase what is over; the feed in whole transactions, for data that have one life.
    static let manyNodes = Migration(
        number: 4, statements: [signIns, decisions, newTables, feed, credentials, accounts, trials].flatMap { $0 })

    // A table cannot get another unique key, so rows move to a new one. The old ones are dropped from the leaf to the
    // root: dropping a table erases its rows first, and with them what refers to them.
    private static let signIns = [
        """
        CREATE TABLE new_authentications (
            sequence INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            device BLOB NOT NULL,
            app_id TEXT NOT NULL,
            device_user TEXT NOT NULL,
            owner TEXT NOT NULL,
            requestor TEXT NOT NULL,
            mvpd TEXT NOT NULL,
            client TEXT NOT NULL,
            user_id TEXT NOT NULL,
            code TEXT,
            origin TEXT NOT NULL,
            created INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            sealed_session BLOB NOT NULL,
            provider_session BLOB,
            version INTEGER NOT NULL,
            UNIQUE (device, app_id, device_user, owner, mvpd, client)
        ) STRICT
        """,
        """
        INSERT INTO new_authentications (sequence, id, device, app_id, device_user, owner, requestor, mvpd, client,
                user_id, code, origin, created, expires, sealed_session, provider_session, version)
            SELECT sequence, id, device, app_id, device_user, owner, requestor, mvpd, '', user_id, code, origin,
                created, expires, sealed_session, NULL, 0 FROM authentications ORDER BY sequence
        """,
    ]

    private static let decisions = [
        """
        CREATE TABLE new_authorizations (
            authentication TEXT NOT NULL REFERENCES new_authentications (id) ON DELETE CASCADE,
            device BLOB NOT NULL,
            requestor TEXT NOT NULL,
            resource TEXT NOT NULL,
            mvpd TEXT NOT NULL,
            origin TEXT NOT NULL,
            created INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            PRIMARY KEY (authentication, requestor, resource)
        ) STRICT, WITHOUT ROWID
        """,
        """
        INSERT INTO new_authorizations (authentication, device, requestor, resource, mvpd, origin, created, expires)
            SELECT authentication, device, requestor, resource, mvpd, origin, created, expires FROM authorizations
        """,
        "DROP TABLE authorizations",
        "DROP TABLE authentications",
        // "References to the table within … foreign key constraints are also renamed."
        "ALTER TABLE new_authentications RENAME TO authentications",
        "ALTER TABLE new_authorizations RENAME TO authorizations",
        "CREATE INDEX authentications_expires ON authentications (expires)",
        "CREATE INDEX authentications_created ON authentications (created)",
        "CREATE INDEX authentications_requestor ON authentications (requestor, created)",
        "CREATE INDEX authentications_user ON authentications (user_id)",
        "CREATE INDEX authentications_code ON authentications (code) WHERE code IS NOT NULL",
        """
        CREATE INDEX authentications_provider_session ON authentications (provider_session)
            WHERE provider_session IS NOT NULL
        """,
        "CREATE INDEX authorizations_expires ON authorizations (expires)",
    ]

    // One row: which life the data have, and how far a purge came. `probe` is what a test of writing writes.
    private static let newTables = [
        """
        CREATE TABLE store_state (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            life BLOB NOT NULL,
            purged_position INTEGER NOT NULL,
            purged_at INTEGER,
            cleared_until INTEGER NOT NULL,
            probe INTEGER NOT NULL
        ) STRICT
        """,
        """
        INSERT INTO store_state (id, life, purged_position, purged_at, cleared_until, probe)
            SELECT 1, randomblob(16), coalesce((SELECT min(position) FROM changes) - 1,
                (SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0),
                (SELECT max(moment) FROM change_marks), 0, 0
        """,
        """
        CREATE TABLE leases (
            task TEXT PRIMARY KEY,
            holder TEXT NOT NULL,
            ends INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
    ]

    // `leader` is the position of the first change of the same transaction; an older program noted no leader.
    private static let feed = [
        "ALTER TABLE changes ADD COLUMN leader INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE changes ADD COLUMN client TEXT",
        "UPDATE changes SET leader = position",
    ]

    // When a client of an older program was used last is not known: as if it were now.
    private static let credentials = [
        "ALTER TABLE clients ADD COLUMN last_used INTEGER NOT NULL DEFAULT 0",
        "UPDATE clients SET last_used = max(created, unixepoch() * 1000)",
        "CREATE INDEX clients_last_used ON clients (last_used)",
        "CREATE INDEX clients_application ON clients (software_id, created)",
        "ALTER TABLE degradation_rules ADD COLUMN version INTEGER NOT NULL DEFAULT 1",
    ]

    // The ID of an account of an older program is its name, from which its viewer's pseudonym was made.
    private static let accounts = [
        "ALTER TABLE accounts ADD COLUMN id TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE accounts ADD COLUMN version INTEGER NOT NULL DEFAULT 0",
        "UPDATE accounts SET id = name",
        "CREATE UNIQUE INDEX accounts_id ON accounts (mvpd, id)",
    ]

    // How long a trial of an older program lasts is not known: as if it were a month. One that was never used names no
    // moment, and stays.
    private static let trials = [
        "ALTER TABLE trials ADD COLUMN kept_until INTEGER",
        "UPDATE trials SET kept_until = first_use + 396 * 86400000",
        "CREATE INDEX trials_kept_until ON trials (kept_until) WHERE kept_until IS NOT NULL",
    ]
}
