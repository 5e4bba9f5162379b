extension Migration {
    /// What requestors are told of the viewers of local providers.
    ///
    /// A row for each text: `shape` says whether it is the whole value, an element of a list, or a member of a map.
    static let accountMetadata = Migration(
        number: 3,
        statements: [
            """
            CREATE TABLE account_metadata (
                mvpd TEXT NOT NULL,
                name TEXT NOT NULL,
                key TEXT NOT NULL,
                place INTEGER NOT NULL,
                shape INTEGER NOT NULL,
                member TEXT NOT NULL,
                value TEXT NOT NULL,
                PRIMARY KEY (mvpd, name, key, place),
                FOREIGN KEY (mvpd, name) REFERENCES accounts (mvpd, name) ON DELETE CASCADE
            ) STRICT, WITHOUT ROWID
            """
        ])
}
