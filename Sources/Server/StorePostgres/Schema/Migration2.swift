extension Migration {
    /// What StoreSQLite has in its schemas 9 to 11: passkeys of viewers of local providers, what an operator calls a key
    /// pair and the one that a set-up code is for, and what happened to boxes, counted by the hour.
    ///
    /// Programs of step 1 work with it; a key pair that one of them keeps loses its label.
    static let passkeysAndReports = Migration(number: 2, oldest: 1, statements: passkeys + labels + reports)

    // One belongs to an account by its ID, and goes with it.
    private static let passkeys = [
        """
        CREATE TABLE latchkey.passkeys (
            credential bytea PRIMARY KEY,
            mvpd text COLLATE "C" NOT NULL,
            account text COLLATE "C" NOT NULL,
            public_key bytea NOT NULL,
            is_syncable bigint NOT NULL,
            sign_count bigint NOT NULL,
            created bigint NOT NULL,
            last_used bigint,
            FOREIGN KEY (mvpd, account) REFERENCES latchkey.accounts (mvpd, id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX passkeys_account ON latchkey.passkeys (mvpd, account, created)",
    ]

    private static let labels = [
        "ALTER TABLE latchkey.key_pairs ADD COLUMN label text COLLATE \"C\"",
        "ALTER TABLE latchkey.set_up_codes ADD COLUMN label text COLLATE \"C\"",
    ]

    // The sequence tells the oldest rows, which go first. It has holes: an addition to a row that is there draws a number.
    private static let reports = [
        """
        CREATE TABLE latchkey.reports (
            sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            hour bigint NOT NULL,
            requestor text COLLATE "C" NOT NULL,
            mvpd text COLLATE "C" NOT NULL,
            device_type text COLLATE "C" NOT NULL,
            platform text COLLATE "C" NOT NULL,
            event text COLLATE "C" NOT NULL,
            number bigint NOT NULL,
            UNIQUE (hour, requestor, mvpd, device_type, platform, event)
        )
        """
    ]
}
