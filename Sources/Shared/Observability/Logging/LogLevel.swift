/// How much a log line matters. Libraries stay at `info` or below.
package enum LogLevel: String, Comparable, CaseIterable, Sendable {
    case debug
    case info
    case notice
    case warning
    case error

    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.journalPriority > right.journalPriority
    }

    /// The priority of syslog and journald (sd-daemon(3)).
    var journalPriority: Int {
        switch self {
        case .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        }
    }
}
