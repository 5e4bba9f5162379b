import CLinux
import Glibc

/// Days and hours as the machine's time zone has them.
package enum LocalTime {
    /// The second since 1970 at which a clock on the wall shows this; `nil` for a day or an hour that there is not.
    /// - Parameter hour: `nil` asks for the first second of the day, which may have no midnight.
    package static func seconds(year: Int, month: Int, day: Int, hour: Int?, minute: Int, second: Int) -> Int64? {
        let fields = [second, minute, hour ?? 12, day, month - 1, year - 1900]
        // mktime(3) moves what is out of range, which then differs from what was given.
        guard (1970...9999).contains(year), let seconds = Self.seconds(fields), Self.fields(at: seconds) == fields
        else { return nil }
        return hour == nil ? Self.startOfDay(at: seconds) : seconds
    }

    /// The first second of the day that is so many days before the one at hand.
    package static func startOfDay(at seconds: Int64, daysBefore days: Int = 0) -> Int64 {
        let fields = Self.fields(at: seconds)
        return Self.seconds([0, 0, 0, fields[3] - days, fields[4], fields[5]]) ?? seconds
    }

    /// A moment in the form of ISO 8601, such as `2026-01-31T20:00:00+01:00`, or with a Z if that is the time zone.
    package static func text(at seconds: Int64) -> String {
        var (moment, time) = unsafe (time_t(seconds), tm())
        _ = unsafe localtime_r(&moment, &time)
        let (fields, offset) = unsafe (Self.fields(of: time), time.tm_gmtoff / 60)
        func digits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        let zone = (offset < 0 ? "-" : "+") + digits(abs(offset) / 60) + ":" + digits(abs(offset) % 60)
        return "\(fields[5] + 1900)-\(digits(fields[4] + 1))-\(digits(fields[3]))T"
            + fields[0...2].reversed().map(digits).joined(separator: ":") + (offset == 0 ? "Z" : zone)
    }

    /// - Parameter fields: from the second to the year, as `struct tm` has them.
    private static func seconds(_ fields: [Int]) -> Int64? {
        let given = fields.map { Int32(clamping: $0) }
        var time = unsafe tm()
        unsafe (time.tm_sec, time.tm_min, time.tm_hour) = (given[0], given[1], given[2])
        unsafe (time.tm_mday, time.tm_mon, time.tm_year) = (given[3], given[4], given[5])
        // Whether it is summer time is found out.
        unsafe time.tm_isdst = -1
        let seconds = unsafe mktime(&time)
        return seconds == -1 ? nil : Int64(seconds)
    }

    private static func fields(at seconds: Int64) -> [Int] {
        var (moment, time) = unsafe (time_t(seconds), tm())
        _ = unsafe localtime_r(&moment, &time)
        return unsafe Self.fields(of: time)
    }

    private static func fields(of time: tm) -> [Int] {
        unsafe [time.tm_sec, time.tm_min, time.tm_hour, time.tm_mday, time.tm_mon, time.tm_year].map { Int($0) }
    }
}

/// Microseconds on a clock that cannot be set. A server reads it for every request, so it is a number and not a
/// `Duration`.
package enum MonotonicTime {
    package static func now() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    }
}

/// The time of day, on a clock that can be set.
package enum WallClock {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package static func milliseconds() -> Int64 {
        var time = timespec()
        // clock_gettime(2) cannot fail for a clock that there is and a `timespec` that is ours.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
