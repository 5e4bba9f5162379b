import Glibc

/// Microseconds on a clock that cannot be set. A server reads it for every request, so it is a number and not a
/// `Duration`.
package enum MonotonicTime {
    package static func now() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    }
}
