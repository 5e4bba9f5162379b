package import StoreSQLite

/// Where the server keeps what it must not forget.
package struct StoreSettings: Sendable {
    /// The database file; relative to the configuration's folder.
    package let file: String
    package let options: SQLiteStore.Options

    /// `latchkeyd init` makes it under this name, too.
    static let defaultFile = "latchkeyd.sqlite"

    init(_ section: SettingsSection) {
        self.file = section.read(
            "file", .file, default: Self.defaultFile, "The SQLite database, made when it is not there")
        var options = SQLiteStore.Options()
        options.readers = section.read(
            "readers", .integer(1...64), default: options.readers, "Connections that read in parallel")
        options.busyTimeout = section.read(
            "busyTimeout", .duration(.seconds(1) ... .seconds(60)), default: options.busyTimeout,
            "How long to wait for another program that writes to the database")
        self.options = options
    }
}
