import Glibc

/// Microseconds on a clock that nobody sets. Read for every request, so it is a number and not a `Duration`.
enum MonotonicTime {
    static func now() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    }
}

extension Duration {
    /// Whole microseconds, rounded towards zero.
    var wholeMicroseconds: Int {
        let (seconds, attoseconds) = self.components
        return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    }
}
