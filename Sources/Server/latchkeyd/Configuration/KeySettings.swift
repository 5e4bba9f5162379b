/// Where the server's keys are, and when new ones begin to sign.
package struct KeySettings: Sendable {
    /// Only the server's own user may enter it; relative to the configuration's folder.
    package let folder: String
    /// How long a new key is published before it signs.
    package let lead: Duration

    /// `latchkeyd init` makes it under this name, too.
    static let defaultFolder = "keys"

    init(_ section: SettingsSection) {
        self.folder = section.read(
            "folder", .file, default: Self.defaultFolder, "The folder of key files, mode 0700, its files 0600")
        self.lead = section.read(
            "lead", .duration(.seconds(0) ... .seconds(30 * 86_400)), default: .seconds(15 * 60),
            "How long a new signing key is published before it signs, so that verifiers have fetched it by then")
    }
}
