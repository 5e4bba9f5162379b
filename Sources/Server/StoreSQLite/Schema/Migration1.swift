extension Migration {
    /// Codes, attempts, AuthN and AuthZ records, nonces, credentials, accounts, changes.
    ///
    /// Times are milliseconds since 1970. Absent `app_id` and `device_user` of AuthN records are the empty text, which
    /// the domain never uses, so that they can be part of a unique key.
    static let initial = Migration(
        number: 1,
        statements: [codes, openCodes, authentications, credentials, accounts, changes].flatMap { $0 })

    // Rows are wide and their keys random: in a table ordered by row number, new ones share pages, and only the thin
    // indexes are touched at random. `open_until` is `expires` while the code is open and NULL from then on;
    // `device_key` is the beginning of `device`, for an index of half the size.
    private static let codes = [
        """
        CREATE TABLE codes (
            sequence INTEGER PRIMARY KEY,
            code TEXT NOT NULL UNIQUE,
            id TEXT NOT NULL,
            requestor TEXT NOT NULL,
            device_id TEXT NOT NULL,
            device BLOB NOT NULL,
            app_id TEXT,
            device_user TEXT,
            mvpd TEXT,
            registration_url TEXT,
            device_type TEXT,
            app_version TEXT,
            box_name TEXT,
            box_model TEXT,
            box_software TEXT,
            box_user_agent TEXT,
            box_information TEXT,
            box_address TEXT NOT NULL,
            application_id TEXT,
            application_name TEXT,
            application_version TEXT,
            generated INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            state INTEGER NOT NULL,
            state_detail TEXT,
            version INTEGER NOT NULL,
            open_until INTEGER,
            device_key INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX codes_expires ON codes (expires)",
        "CREATE INDEX codes_open ON codes (device_key, open_until) WHERE open_until IS NOT NULL",
        """
        CREATE TABLE attempts (
            id BLOB PRIMARY KEY,
            code TEXT NOT NULL,
            requestor TEXT NOT NULL,
            mvpd TEXT NOT NULL,
            redirect_url TEXT,
            browser BLOB NOT NULL,
            created INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            progress INTEGER NOT NULL,
            sealed_login BLOB
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX attempts_expires ON attempts (expires)",
    ]

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

    // `owner` is the requestor of a record that counts for it alone, else the empty text (rest-v1 6.3).
    private static let authentications = [
        """
        CREATE TABLE authentications (
            sequence INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            device BLOB NOT NULL,
            app_id TEXT NOT NULL,
            device_user TEXT NOT NULL,
            owner TEXT NOT NULL,
            requestor TEXT NOT NULL,
            mvpd TEXT NOT NULL,
            user_id TEXT NOT NULL,
            code TEXT,
            created INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            sealed_session BLOB NOT NULL,
            UNIQUE (device, app_id, device_user, owner)
        ) STRICT
        """,
        "CREATE INDEX authentications_expires ON authentications (expires)",
        """
        CREATE TABLE authorizations (
            device BLOB NOT NULL,
            requestor TEXT NOT NULL,
            resource TEXT NOT NULL,
            authentication TEXT NOT NULL REFERENCES authentications (id) ON DELETE CASCADE,
            mvpd TEXT NOT NULL,
            created INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            PRIMARY KEY (device, requestor, resource)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX authorizations_authentication ON authorizations (authentication)",
        """
        CREATE TABLE nonces (
            public_key TEXT NOT NULL,
            nonce TEXT NOT NULL,
            expires INTEGER NOT NULL,
            PRIMARY KEY (public_key, nonce)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX nonces_expires ON nonces (expires)",
    ]

    private static let credentials = [
        """
        CREATE TABLE key_pairs (
            public_key TEXT PRIMARY KEY,
            sealed_private_key BLOB NOT NULL,
            created INTEGER NOT NULL,
            ends INTEGER
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE key_pair_requestors (
            public_key TEXT NOT NULL REFERENCES key_pairs (public_key) ON DELETE CASCADE,
            place INTEGER NOT NULL,
            requestor TEXT NOT NULL,
            PRIMARY KEY (public_key, place)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE applications (
            software_id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            version TEXT NOT NULL,
            created INTEGER NOT NULL,
            ends INTEGER
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE application_lists (
            software_id TEXT NOT NULL REFERENCES applications (software_id) ON DELETE CASCADE,
            list TEXT NOT NULL,
            place INTEGER NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (software_id, list, place)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE clients (
            client_id TEXT PRIMARY KEY,
            secret_hash BLOB NOT NULL,
            software_id TEXT NOT NULL,
            created INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE client_redirects (
            client_id TEXT NOT NULL REFERENCES clients (client_id) ON DELETE CASCADE,
            place INTEGER NOT NULL,
            uri TEXT NOT NULL,
            PRIMARY KEY (client_id, place)
        ) STRICT, WITHOUT ROWID
        """,
    ]

    private static let accounts = [
        """
        CREATE TABLE accounts (
            mvpd TEXT NOT NULL,
            name TEXT NOT NULL,
            password_hash TEXT NOT NULL,
            PRIMARY KEY (mvpd, name)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE account_line_ups (
            mvpd TEXT NOT NULL,
            name TEXT NOT NULL,
            place INTEGER NOT NULL,
            resource TEXT NOT NULL,
            PRIMARY KEY (mvpd, name, place),
            FOREIGN KEY (mvpd, name) REFERENCES accounts (mvpd, name) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID
        """,
    ]

    // AUTOINCREMENT: a position is never used again, also when the newest changes were purged. A mark says which
    // position was the newest at a purge, so that changes get an age by the caller's time, which they do not carry.
    private static let changes = [
        """
        CREATE TABLE changes (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            kind INTEGER NOT NULL,
            code TEXT,
            device BLOB
        ) STRICT
        """,
        """
        CREATE TABLE change_marks (
            position INTEGER PRIMARY KEY,
            moment INTEGER NOT NULL
        ) STRICT
        """,
    ]
}
