import Glibc

/// The limit of open files. A connection is an open file, and the usual soft limit of 1024 is for programs that use
/// `select`, which nothing here does.
package enum OpenFiles {
    /// Raises the soft limit to the hard one. - Returns: the limit that holds now.
    @discardableResult
    package static func raiseLimit() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        let old = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        let isRaised = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        return Int(clamping: isRaised ? limit.rlim_cur : old)
    }
}
