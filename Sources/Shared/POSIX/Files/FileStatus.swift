import Glibc

/// The status of a path.
package struct FileStatus: Hashable, Sendable {
    package let isFolder: Bool
    package let isRegularFile: Bool
    /// The permission bits, such as `0o600`.
    package let mode: Int
    /// The numbers of the user and the group it belongs to.
    package let owner: Int
    package let group: Int
    package let size: Int
    /// When its content changed last, in seconds since 1970.
    package let modified: Int64

    /// - Parameter followsLinks: whether a symbolic link is followed, or looked at itself.
    /// - Throws: ``SystemError/notFound`` when there is nothing.
    package init(of path: String, followsLinks: Bool = false) throws(SystemError) {
        var status = stat()
        guard unsafe (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { throw .last }
        self.isFolder = status.st_mode & S_IFMT == S_IFDIR
        self.isRegularFile = status.st_mode & S_IFMT == S_IFREG
        self.mode = Int(status.st_mode & 0o7777)
        self.owner = Int(status.st_uid)
        self.group = Int(status.st_gid)
        self.size = Int(status.st_size)
        self.modified = Int64(status.st_mtim.tv_sec)
    }

    /// The bytes that may still be written where `path` is; `nil` if the system does not say.
    package static func freeBytes(at path: String) -> Int? {
        var system = statvfs()
        guard unsafe statvfs(path, &system) == 0 else { return nil }
        return Int(clamping: UInt64(system.f_bavail) * UInt64(system.f_frsize))
    }

    /// Whether other users than the owner may do anything with it.
    package var isOpenToOthers: Bool { self.mode & 0o077 != 0 }

    /// Whether it belongs to root, and another group than root's may read it and do nothing else: what a service may
    /// use and not change.
    package var isReadByGroupOfRoot: Bool {
        self.owner == 0 && self.group != 0 && self.mode & 0o027 == 0 && self.mode & 0o040 != 0
    }

    /// The permissions as `chmod` takes them, such as `0600`.
    package var modeText: String {
        let digits = String(self.mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

/// Tells one content of a path from another, without reading it: a file that is replaced has another number or time.
package struct FileVersion: Hashable, Sendable {
    /// The inode.
    package let file: Int64
    /// Nanoseconds since 1970, as fine as the file system has them.
    package let modified: Int64
    package let size: Int64

    /// - Throws: ``SystemError/notFound`` when there is nothing.
    package init(of path: String) throws(SystemError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw .last }
        self.file = Int64(bitPattern: UInt64(status.st_ino))
        self.modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        self.size = Int64(status.st_size)
    }
}
