import TextCoding

/// A moment in milliseconds since 1970-01-01T00:00:00Z, the unit of the wire (rest-v1 3.9).
///
/// The domain never reads a clock: every rule that depends on time takes a `now` of this type. Arithmetic stops at the
/// first and the last moment instead of overflowing: times come from strangers.
package struct Timestamp: Hashable, Comparable, Sendable, Codable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package init(seconds: Int64) { self.milliseconds = seconds.multipliedSaturating(by: 1000) }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    package var seconds: Int64 {
        let (quotient, remainder) = self.milliseconds.quotientAndRemainder(dividingBy: 1000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The moment to the second, such as `2026-01-31T23:59:59Z` (RFC 3339).
    package var timeText: String { CivilDate.text(milliseconds: self.milliseconds, form: "0000-00-00T00:00:00Z") }

    package init(from decoder: any Decoder) throws {
        self.milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.milliseconds)
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    package static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds.addedSaturating(duration.wholeMilliseconds))
    }

    package static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds.subtractedSaturating(duration.wholeMilliseconds))
    }

    package static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .milliseconds(later.milliseconds.subtractedSaturating(earlier.milliseconds))
    }
}

extension Duration {
    /// The duration in milliseconds, rounded towards zero.
    package var wholeMilliseconds: Int64 {
        // A millisecond is 2¹⁵ × 5¹⁵ attoseconds, so up to days are divided in 64 bits: in 128 it takes four times as long.
        if let part = Int64(exactly: self.attoseconds >> 15), part >= 0 { return part / 30_517_578_125 }
        let (seconds, attoseconds) = self.components
        return seconds.multipliedSaturating(by: 1000).addedSaturating(attoseconds / 1_000_000_000_000_000)
    }
}

extension Int64 {
    fileprivate func addedSaturating(_ other: Int64) -> Int64 {
        let (sum, overflow) = self.addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    fileprivate func subtractedSaturating(_ other: Int64) -> Int64 {
        let (difference, overflow) = self.subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }

    fileprivate func multipliedSaturating(by factor: Int64) -> Int64 {
        let (product, overflow) = self.multipliedReportingOverflow(by: factor)
        return overflow ? ((self < 0) == (factor < 0) ? .max : .min) : product
    }
}
