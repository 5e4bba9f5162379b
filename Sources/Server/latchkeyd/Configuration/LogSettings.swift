import CommandLineTool
package import Observability
import POSIX

package struct LogSettings: Sendable {
    package let level: LogLevel
    /// `nil` follows what standard error is connected to.
    package let format: LogFormat?

    init(_ section: SettingsSection) {
        self.level = section.read(
            "level", .choice(LogLevel.allCases), default: LogLevel.info, "The lowest level that is logged")
        self.format = section.readOptional(
            "format", .choice(LogFormat.allCases), example: "json",
            "The form of the lines; left out, the one that suits a terminal, the journal or a file")
    }

    package func logger(environment: [String: String]) -> Logger {
        Logger(component: "latchkeyd", level: self.level, format: self.format ?? Self.format(environment))
    }

    /// JOURNAL_STREAM is set where systemd connected the output to the journal (systemd.exec(5)).
    private static func format(_ environment: [String: String]) -> LogFormat {
        if environment["JOURNAL_STREAM"] != nil { return .journald }
        guard BorrowedDescriptor.standardError.isTerminal else { return .plain }
        return (environment["NO_COLOR"] ?? "").isEmpty ? .terminal : .plain
    }
}
