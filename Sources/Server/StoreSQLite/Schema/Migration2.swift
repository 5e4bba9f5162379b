extension Migration {
    /// Where sign-ins and decisions came from, server-to-server credentials, trials, degradation rules, the audit log.
    ///
    /// What an older program kept was all of the ordinary kind: a provider's sign-in and decision, a device's credential.
    static let operations = Migration(
        number: 2,
        statements: [
            "ALTER TABLE authentications ADD COLUMN origin TEXT NOT NULL DEFAULT 'regular'",
            "ALTER TABLE authorizations ADD COLUMN origin TEXT NOT NULL DEFAULT 'provider'",
            "ALTER TABLE key_pairs ADD COLUMN server_to_server INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE applications ADD COLUMN server_to_server INTEGER NOT NULL DEFAULT 0",
        ] + trials + degradation + auditLog)

    // An identity is in one trial of a requestor and provider, whichever program writes: its row is the only place that says so.
    private static let trials = [
        """
        CREATE TABLE trials (
            id TEXT PRIMARY KEY,
            requestor TEXT NOT NULL,
            mvpd TEXT NOT NULL,
            first_use INTEGER,
            version INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX trials_pair ON trials (requestor, mvpd)",
        """
        CREATE TABLE trial_resources (
            trial TEXT NOT NULL REFERENCES trials (id) ON DELETE CASCADE,
            place INTEGER NOT NULL,
            resource TEXT NOT NULL,
            PRIMARY KEY (trial, place)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE trial_identities (
            requestor TEXT NOT NULL,
            mvpd TEXT NOT NULL,
            kind INTEGER NOT NULL,
            hash BLOB NOT NULL,
            trial TEXT NOT NULL REFERENCES trials (id) ON DELETE CASCADE,
            place INTEGER NOT NULL,
            PRIMARY KEY (requestor, mvpd, kind, hash)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX trial_identities_trial ON trial_identities (trial, place)",
    ]

    private static let degradation = [
        """
        CREATE TABLE degradation_rules (
            id TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            requestor TEXT NOT NULL,
            mvpd TEXT,
            message TEXT NOT NULL,
            activation INTEGER NOT NULL,
            ends INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX degradation_rules_ends ON degradation_rules (ends)",
        """
        CREATE TABLE degradation_resources (
            rule TEXT NOT NULL REFERENCES degradation_rules (id) ON DELETE CASCADE,
            place INTEGER NOT NULL,
            resource TEXT NOT NULL,
            PRIMARY KEY (rule, place)
        ) STRICT, WITHOUT ROWID
        """,
    ]

    // `sequence` counts without gaps: only the oldest are ever erased.
    private static let auditLog = [
        """
        CREATE TABLE audit_log (
            sequence INTEGER PRIMARY KEY,
            moment INTEGER NOT NULL,
            actor TEXT NOT NULL,
            action TEXT NOT NULL,
            subject TEXT NOT NULL
        ) STRICT
        """
    ]
}
