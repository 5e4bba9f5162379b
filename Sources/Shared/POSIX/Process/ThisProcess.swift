import Glibc

/// Requests of a process to the system, for itself.
package enum ThisProcess {
    package static func exit(_ code: Int32) -> Never { Glibc.exit(code) }

    /// Lets only its own user open files that it makes from now on, even those made with a wider mode.
    package static func keepNewFilesPrivate() { umask(0o077) }

    /// Raises the soft limit of open files to the hard one. A connection is an open file, and the usual soft limit of
    /// 1024 is for programs that use `select`, which nothing here does.
    package static func raiseOpenFileLimit() {
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard unsafe getrlimit(kind, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(kind, &limit)
    }

    /// How many files it may have open: the soft limit.
    package static var openFileLimit: Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_cur)
    }

    /// How many files it has open, `nil` if `/proc` does not tell.
    package static var openFileCount: Int? {
        guard let folder = unsafe opendir("/proc/self/fd") else { return nil }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // `.` and `..` are listed as well, and so is the folder's own descriptor.
        return max(0, count - 3)
    }

    package static var effectiveUser: Int { Int(geteuid()) }

    /// A number that the calling thread has, and no other thread at this time.
    package static var threadNumber: UInt64 { UInt64(pthread_self()) }
}

package enum ThisThread {
    /// Whether it is the one the process began with. Costs a system call: for debugging.
    package static var isMain: Bool {
        // proc(5): the link names "PID/task/TID", and the two are equal on the main thread. gettid is hidden from Swift.
        var buffer = [CChar](repeating: 0, count: 64)
        let count = unsafe readlink("/proc/thread-self", &buffer, buffer.count)
        guard count > 0 else { return true }
        let link = String(decoding: buffer.prefix(count).map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
        let parts = link.split(separator: "/")
        return parts.first == parts.last
    }
}
