import Glibc

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
