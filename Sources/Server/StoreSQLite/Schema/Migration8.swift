extension Migration {
    /// The application whose software statement a set-up code gives; without one it gives a key pair.
    static let setUpStatements = Migration(
        number: 8, statements: ["ALTER TABLE set_up_codes ADD COLUMN software_id TEXT"])
}
