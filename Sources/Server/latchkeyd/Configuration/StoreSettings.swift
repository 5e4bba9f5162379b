/// Where the server keeps what it must not forget.
package struct StoreSettings: Sendable {
    /// The database file; relative to the configuration's folder.
    package let file: String

    /// `latchkeyd init` makes it under this name, too.
    static let defaultFile = "latchkeyd.sqlite"

    init(_ section: SettingsSection) {
        self.file = section.read("file", .file, default: Self.defaultFile, "The SQLite database, made when it is not there")
    }
}
