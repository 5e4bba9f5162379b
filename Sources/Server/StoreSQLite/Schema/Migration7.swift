extension Migration {
    /// Logins that a provider answers elsewhere: what it has to know then, and its answer until the browser is known.
    static let providerAnswers = Migration(
        number: 7,
        statements: [
            "ALTER TABLE attempts ADD COLUMN sealed_exchange BLOB",
            "ALTER TABLE attempts ADD COLUMN sealed_answer BLOB",
            "ALTER TABLE attempts ADD COLUMN version INTEGER NOT NULL DEFAULT 0",
        ])
}
