package import Observability

/// What the server says about itself, and how.
package struct LogSettings: Sendable {
    package let level: LogLevel
    /// `nil` follows what standard error is connected to.
    package let format: LogFormat?

    init(_ section: SettingsSection) {
        self.level = section.read(
            "level", .choice(LogLevel.allCases), default: LogLevel.info, "The least important lines that are written")
        self.format = section.readOptional(
            "format", .choice(LogFormat.allCases), example: "json",
            "How lines are written; left out, it follows whether a terminal, the journal or a file listens")
    }
}
