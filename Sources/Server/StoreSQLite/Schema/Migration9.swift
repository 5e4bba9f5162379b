extension Migration {
    /// Passkeys of viewers of local providers. One belongs to an account by its ID, and goes with it.
    static let passkeys = Migration(
        number: 9,
        statements: [
            """
            CREATE TABLE passkeys (
                credential BLOB PRIMARY KEY,
                mvpd TEXT NOT NULL,
                account TEXT NOT NULL,
                public_key BLOB NOT NULL,
                is_syncable INTEGER NOT NULL,
                sign_count INTEGER NOT NULL,
                created INTEGER NOT NULL,
                last_used INTEGER,
                FOREIGN KEY (mvpd, account) REFERENCES accounts (mvpd, id) ON DELETE CASCADE
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX passkeys_account ON passkeys (mvpd, account, created)",
        ])
}
