extension Migration {
    /// What happened to boxes, counted by the hour. The sequence tells the oldest rows, which go first; AUTOINCREMENT would
    /// take a number for each addition to a row that is there.
    static let reports = Migration(
        number: 11,
        statements: [
            """
            CREATE TABLE reports (
                sequence INTEGER PRIMARY KEY,
                hour INTEGER NOT NULL,
                requestor TEXT NOT NULL,
                mvpd TEXT NOT NULL,
                device_type TEXT NOT NULL,
                platform TEXT NOT NULL,
                event TEXT NOT NULL,
                number INTEGER NOT NULL
            ) STRICT
            """,
            "CREATE UNIQUE INDEX reports_key ON reports (hour, requestor, mvpd, device_type, platform, event)",
        ])
}
