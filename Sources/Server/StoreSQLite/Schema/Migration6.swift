extension Migration {
    /// One-time codes for new boxes, by their hash.
    static let setUpCodes = Migration(
        number: 6,
        statements: [
            """
            CREATE TABLE set_up_codes (
                hash BLOB PRIMARY KEY,
                requestor TEXT NOT NULL,
                created INTEGER NOT NULL,
                expires INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX set_up_codes_expires ON set_up_codes (expires)",
        ])
}
