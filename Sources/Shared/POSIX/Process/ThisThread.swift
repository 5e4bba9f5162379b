import Glibc

/// The thread that asks.
package enum ThisThread {
    /// Whether it is the one the process began with. Costs a system call: for debugging.
    package static var isMain: Bool {
        // proc(5): the link names "PID/task/TID", and the two are equal on the main thread. gettid is hidden from Swift.
        var buffer = [CChar](repeating: 0, count: 64)
        let count = unsafe readlink("/proc/thread-self", &buffer, buffer.count)
        guard count > 0 else { return true }
        let link = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let parts = link.split(separator: "/")
        return parts.first == parts.last
    }
}
