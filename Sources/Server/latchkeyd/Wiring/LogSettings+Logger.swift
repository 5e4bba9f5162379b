package import Observability
import POSIX

extension LogSettings {
    /// The program's logger, on standard error.
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
