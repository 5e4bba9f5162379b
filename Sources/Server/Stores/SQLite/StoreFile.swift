import Glibc
import POSIX

/// The file of a store on the way to its first connection.
enum StoreFile {
    /// Makes the file, mode 0600, and its folder, mode 0700, if they are missing. An existing file stays as it is,
    /// unless it is ours, in a folder of ours, and others may read it.
    ///
    /// SQLite would make the file with the process's umask; its log and shared-memory files copy the mode of the file.
    static func prepare(_ file: String) throws(SQLiteFailure) {
        if unsafe mkdir(Folder.containing(file), 0o700) != 0, errno != EEXIST {
            throw .system(errno, "making the folder of the store")
        }
        do throws(SQLiteFailure) {
            try self.createNew(file)
            // A new name is durable only once its folder is on the disk.
            try self.sync(Folder.containing(file))
        } catch let error where error.systemError == EEXIST {
            try self.tighten(file)
        }
    }

    /// Makes a new, empty file, mode 0600.
    private static func createNew(_ file: String) throws(SQLiteFailure) {
        close(try self.opened(file, O_RDWR | O_CREAT | O_EXCL))
    }

    /// Takes an existing file away from others. It is never opened here: closing any descriptor of a file drops the
    /// locks that a connection of the same process holds on it (fcntl(2)).
    private static func tighten(_ file: String) throws(SQLiteFailure) {
        var status = stat()
        guard unsafe stat(file, &status) == 0 else { throw .system(errno, "looking at the store file") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .system(EINVAL, "the store is not a regular file") }
        guard status.st_mode & 0o077 != 0, status.st_uid == geteuid() else { return }
        // In another user's folder the name may be a link of theirs, to any file of ours.
        let folder = try? FileStatus(of: Folder.containing(file), followsLinks: true)
        if folder?.owner == Int(geteuid()) { _ = unsafe chmod(file, status.st_mode & 0o700) }
    }

    /// Lets `body` fill a new file beside `file`, which takes that name when it is complete and on the disk.
    static func createCompletely(
        _ file: String, _ body: (_ partial: String) throws(SQLiteFailure) -> Void
    ) throws(SQLiteFailure) {
        let partial = file + ".partial"
        do throws(SQLiteFailure) {
            try self.createNew(partial)
        } catch let error where error.systemError == EEXIST {
            let reason = "\(partial) is there: a copy is under way or was cut short; remove it"
            throw SQLiteFailure.system(EEXIST, reason)
        }
        do throws(SQLiteFailure) {
            try body(partial)
            try self.sync(partial)
            // Unlike rename(2), link(2) does not replace a file that has the name.
            if unsafe link(partial, file) != 0 { throw .system(errno, "naming the copy") }
        } catch {
            _ = unsafe unlink(partial)
            throw error
        }
        _ = unsafe unlink(partial)
        try self.sync(Folder.containing(file))
    }

    private static func sync(_ file: String) throws(SQLiteFailure) {
        let descriptor = try self.opened(file, O_RDONLY)
        defer { close(descriptor) }
        if fsync(descriptor) != 0 { throw .system(errno, "syncing a file") }
    }

    /// An open file, for the caller to close.
    private static func opened(_ path: String, _ flags: Int32) throws(SQLiteFailure) -> Int32 {
        let descriptor = unsafe open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(errno, "opening a file of the store") }
        return descriptor
    }
}
