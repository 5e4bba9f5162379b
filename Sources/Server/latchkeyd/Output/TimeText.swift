import Clientless
import FoundationEssentials

extension Timestamp {
    /// The moment to the second, such as `2026-01-31T23:59:59Z` (RFC 3339).
    var timeText: String {
        Date(timeIntervalSince1970: Double(self.seconds)).formatted(.iso8601)
    }
}

/// How the commands show when something ends.
enum UseText {
    static func write(_ ends: Timestamp?, now: Timestamp) -> String {
        guard let ends else { return "in use" }
        return ends <= now ? "ended \(ends.timeText)" : "ends \(ends.timeText)"
    }
}
