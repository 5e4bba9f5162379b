import Glibc

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
