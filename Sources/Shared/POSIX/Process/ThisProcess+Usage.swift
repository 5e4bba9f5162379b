import CLinux
import Glibc

extension ThisProcess {
    /// The time of processors that all its threads used.
    package static var processorTime: Duration {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return .zero }
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    /// The bytes of memory that it occupies; `nil` where `/proc` does not tell.
    package static var residentMemory: Int? {
        // proc(5): the second number of statm is the resident set, in pages.
        guard let text = try? WholeFile.read("/proc/self/statm", limit: 4096) else { return nil }
        let numbers = String(decoding: text, as: UTF8.self).split(separator: " ").prefix(2).compactMap { Int($0) }
        return numbers.count == 2 ? numbers[1] * Int(sysconf(Int32(_SC_PAGESIZE))) : nil
    }

    /// The commit that the program was built from, in hex; `nil` where the build was not told.
    package static var commit: String? {
        let text = unsafe String(cString: clinux_commit())
        return text.isEmpty ? nil : text
    }
}
