import Glibc

/// What a process may ask of the system for itself.
package enum ThisProcess {
    /// Ends it.
    package static func exit(_ code: Int32) -> Never {
        Glibc.exit(code)
    }

    /// Files it makes from now on are nobody else's, whatever mode they are made with.
    package static func keepNewFilesPrivate() {
        umask(0o077)
    }

    /// Raises the soft limit of open files to the hard one. A connection is an open file, and the usual soft limit of
    /// 1024 is for programs that use `select`, which nothing here does.
    ///
    /// - Returns: the limit that holds now.
    @discardableResult
    package static func raiseOpenFileLimit() -> Int {
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard unsafe getrlimit(kind, &limit) == 0 else { return 0 }
        let old = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        let isRaised = unsafe setrlimit(kind, &limit) == 0
        return Int(clamping: isRaised ? limit.rlim_cur : old)
    }

    /// The number of the user whose rights it has.
    package static var effectiveUser: UInt32 { geteuid() }

    /// A number that the calling thread has, and no other thread at this time.
    package static var threadNumber: UInt64 { UInt64(pthread_self()) }
}
