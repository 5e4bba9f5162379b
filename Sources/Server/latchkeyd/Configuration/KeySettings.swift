/// Where the server's keys are.
package struct KeySettings: Sendable {
    /// Only the server's own user may enter it; relative to the configuration's folder.
    package let folder: String

    /// `latchkeyd init` makes it under this name, too.
    static let defaultFolder = "keys"

    init(_ section: SettingsSection) {
        self.folder = section.read(
            "folder", .file, default: Self.defaultFolder, "The folder of key files, mode 0700, its files 0600")
    }
}
