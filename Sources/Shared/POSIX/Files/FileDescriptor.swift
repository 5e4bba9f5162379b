import Glibc

/// An open file or folder, closed when it goes out of scope.
struct FileDescriptor: ~Copyable, Sendable {
    enum Access {
        /// The file is read. A pipe or a device is read as well.
        case reading
        /// The same without waiting for the other end of a pipe, and not through a symbolic link.
        case readingAtOnce
        /// A folder, to be flushed.
        case folder
        /// A file that must not be there yet, mode 0600, is written.
        case newFile
        /// A file that is made, mode 0600, if it is missing, and only ever locked.
        case lock
        /// The same for a file that members of a group lock; flock(2) needs no right to write.
        case sharedLock

        fileprivate var flags: Int32 {
            switch self {
            case .reading: O_RDONLY
            case .readingAtOnce: O_RDONLY | O_NOFOLLOW | O_NONBLOCK
            case .folder: O_RDONLY | O_DIRECTORY
            case .newFile: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
            case .lock: O_RDWR | O_CREAT | O_NOFOLLOW
            case .sharedLock: O_RDONLY | O_CREAT | O_NOFOLLOW
            }
        }
    }

    private let number: Int32

    init(_ path: String, _ access: Access) throws(SystemError) {
        let number = unsafe open(path, access.flags | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw .last }
        self.number = number
    }

    /// Takes over a descriptor that a call of the system just made.
    init(adopting number: Int32) { self.number = number }

    deinit { close(self.number) }

    /// To be used while this value is there.
    var borrowed: BorrowedDescriptor { BorrowedDescriptor(self.number) }

    var isRegularFile: Bool {
        get throws(SystemError) {
            var status = stat()
            guard unsafe fstat(self.number, &status) == 0 else { throw .last }
            return status.st_mode & S_IFMT == S_IFREG
        }
    }

    /// Writes what the kernel still holds of it to the disk.
    func synchronize() throws(SystemError) { guard fsync(self.number) == 0 else { throw .last } }

    /// Gives the file to a group, mode 0660, where the process owns it.
    func share(with group: UnixGroup) throws(SystemError) {
        var status = stat()
        guard unsafe fstat(self.number, &status) == 0 else { throw .last }
        guard status.st_uid == geteuid() else { return }
        if status.st_gid != group.id, fchown(self.number, uid_t.max, group.id) != 0 { throw .last }
        // After chown(2), which may take bits away.
        guard fchmod(self.number, 0o660) == 0 else { throw .last }
    }

    /// Gives a file that root made in another user's folder to that user and the folder's group, who could not use it
    /// otherwise. Every other file stays whose it is, and so does one that stands elsewhere as well.
    func give(toOwnerOfFolder path: String) throws(SystemError) {
        guard geteuid() == 0 else { return }
        let folder = try FileStatus(of: path, followsLinks: true)
        var status = stat()
        guard unsafe fstat(self.number, &status) == 0 else { throw .last }
        guard folder.owner != 0, status.st_uid == 0, status.st_nlink == 1 else { return }
        guard fchown(self.number, uid_t(folder.owner), gid_t(folder.group)) == 0 else { throw .last }
    }

    /// Locks the file for this descriptor alone (flock(2)), without waiting.
    /// - Throws: ``SystemError/locked`` when another descriptor has the lock.
    func lock() throws(SystemError) {
        while flock(self.number, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EINTR else { throw .last }
        }
    }
}
