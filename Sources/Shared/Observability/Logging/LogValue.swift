/// A fact on a log line.
package enum LogValue: Hashable, Sendable {
    case text(String)
    case number(Int)

    /// A duration in microseconds, the unit of every duration in the log.
    package static func microseconds(_ duration: Duration) -> LogValue {
        let (seconds, attoseconds) = duration.components
        return .number(Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000))
    }
}

extension LogValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int) { self = .number(value) }
}
