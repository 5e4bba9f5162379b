import Glibc

/// Days and hours as the machine's time zone has them.
package enum LocalTime {
    /// The second since 1970 at which a clock on the wall shows this; `nil` for a day or an hour that there is not.
    package static func seconds(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0
    ) -> Int64? {
        guard (1970...9999).contains(year) else { return nil }
        var fields = tm()
        fields.tm_year = Int32(year - 1900)
        (fields.tm_mon, fields.tm_mday) = (Int32(clamping: month - 1), Int32(clamping: day))
        (fields.tm_hour, fields.tm_min, fields.tm_sec) = (
            Int32(clamping: hour), Int32(clamping: minute), Int32(clamping: second)
        )
        // mktime(3) finds out about summer time, and moves what is out of range, which then differs from what was given.
        fields.tm_isdst = -1
        let seconds = unsafe mktime(&fields)
        guard seconds != -1, fields.tm_mon == month - 1, fields.tm_mday == day, fields.tm_min == minute else {
            return nil
        }
        return Int64(seconds)
    }

    /// The day that begins the given number of days before the one at hand, at its first second.
    package static func startOfDay(at seconds: Int64, daysBefore days: Int = 0) -> Int64 {
        var (time, fields) = (time_t(seconds), tm())
        _ = unsafe localtime_r(&time, &fields)
        (fields.tm_hour, fields.tm_min, fields.tm_sec, fields.tm_isdst) = (0, 0, 0, -1)
        fields.tm_mday -= Int32(clamping: days)
        return Int64(unsafe mktime(&fields))
    }
}
