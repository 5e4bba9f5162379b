extension Migration {
    /// What an operator calls a key pair, and the one that a set-up code is for.
    static let credentialLabels = Migration(
        number: 10,
        statements: [
            "ALTER TABLE key_pairs ADD COLUMN label TEXT",
            "ALTER TABLE set_up_codes ADD COLUMN label TEXT",
        ])
}
