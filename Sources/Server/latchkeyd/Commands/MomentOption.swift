import CommandLineTool
import Clientless
import FoundationEssentials
import POSIX

/// A moment that an operator names with an option such as `--since`.
enum MomentOption {
    static let forms =
        "such as 2h (ago), yesterday, 20:15, 2026-01-31, 2026-01-31T20:00 (local time) or 2026-01-31T20:00:00Z"

    /// - Returns: `nil` for one that is left out.
    static func range(
        _ arguments: ParsedArguments, now: Timestamp
    ) throws(UsageError) -> (since: Timestamp?, until: Timestamp?) {
        let since = try Self.read("since", arguments, after: nil, now: now)
        let until = try Self.read("until", arguments, after: since, now: now)
        if let since, let until, until < since { throw arguments.fault("--until is before --since.") }
        return (since, until)
    }

    private static func read(
        _ option: String, _ arguments: ParsedArguments, after start: Timestamp?, now: Timestamp
    ) throws(UsageError) -> Timestamp? {
        guard let text = arguments.value(option) else { return nil }
        guard text.utf8.count <= 40, let moment = Self.moment(text, after: start, now: now) else {
            throw arguments.fault("--\(option) takes a time, \(Self.forms), not '\(terminalSafe(text, limit: 40))'.")
        }
        return moment
    }

    private static func moment(_ text: String, after start: Timestamp?, now: Timestamp) -> Timestamp? {
        switch text {
        case "now": return now
        case "today": return Timestamp(seconds: LocalTime.startOfDay(at: now.seconds))
        case "yesterday": return Timestamp(seconds: LocalTime.startOfDay(at: now.seconds, daysBefore: 1))
        default: break
        }
        if let ago = DurationText.read(text) { return now - ago }
        if let date = try? Date(text, strategy: .iso8601) {
            return Timestamp(seconds: Int64(date.timeIntervalSince1970))
        }
        let seconds = Self.local(text) ?? Self.timeOfDay(text, after: start?.seconds, now: now.seconds)
        return seconds.map { Timestamp(seconds: $0) }
    }

    /// The first time after `start` that a clock on the wall shows this hour and minute or second, yesterday or today.
    /// Without `start`, or with one of before yesterday, it is the last time that one showed it.
    private static func timeOfDay(_ text: String, after start: Int64?, now: Int64) -> Int64? {
        let days = [1, 0].map { LocalTime.text(at: LocalTime.startOfDay(at: now, daysBefore: $0)).prefix(10) }
        let times = days.compactMap { Self.local("\($0)T\(text)") }
        guard let start, start >= LocalTime.startOfDay(at: now, daysBefore: 1) else { return times.last { $0 <= now } }
        return times.first { $0 > start } ?? times.last
    }

    /// A day, or a day with hour and minute or second, as the machine's clock has it.
    private static func local(_ text: String) -> Int64? {
        guard let match = text.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?/) else {
            return nil
        }
        func number(_ digits: Substring?) -> Int { digits.flatMap { Int($0) } ?? 0 }
        return LocalTime.seconds(
            year: number(match.1), month: number(match.2), day: number(match.3), hour: match.4.map { number($0) },
            minute: number(match.5), second: number(match.6))
    }
}
