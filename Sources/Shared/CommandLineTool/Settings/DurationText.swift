/// Lengths of time as configurations write them: a whole number and a unit, such as `15m`.
package enum DurationText {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
    ]

    /// - Returns: `nil` when `text` is of another form or longer than 100,000 days.
    package static func read(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let name = text.dropFirst(digits.count)
        guard (1...15).contains(digits.count), let count = Int64(digits),
            let unit = Self.units.first(where: { $0.name == name })
        else { return nil }
        let (total, overflow) = count.multipliedReportingOverflow(by: unit.milliseconds)
        guard !overflow, total <= 100_000 * 86_400_000 else { return nil }
        return .milliseconds(total)
    }

    /// The duration in the largest unit that keeps it whole; less than a millisecond is dropped.
    package static func write(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let total = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        for unit in Self.units where total != 0 && total % unit.milliseconds == 0 {
            return "\(total / unit.milliseconds)\(unit.name)"
        }
        return "\(total)s"
    }
}
