import Glibc

/// The `Date` field (RFC 9110 5.6.7) of answers this target writes itself.
enum HTTPDate {
    static func text(_ moment: time_t = time(nil)) -> String {
        var moment = moment
        var parts = unsafe tm()
        unsafe gmtime_r(&moment, &parts)
        let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map(Self.two).joined(separator: ":")
        let day = unsafe "\(Self.days[Int(parts.tm_wday)]), \(Self.two(parts.tm_mday))"
        let month = unsafe "\(Self.months[Int(parts.tm_mon)]) \(Int(parts.tm_year) + 1900)"
        return "\(day) \(month) \(clock) GMT"
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
