import Glibc

/// A file that is there as a whole or not at all, and only for its own user: mode 0600; or for a group's members as
/// well: mode 0660. A file that root writes in another user's folder belongs to that user.
///
/// New content goes into a file beside it, `….new`, is flushed, and takes the name; then the folder is flushed. So
/// on return the content survives a power cut. One writer at a time: writers that may meet hold a ``FileLock``.
package struct PrivateFile: Sendable {
    package let path: String
    private let group: UnixGroup?

    /// - Parameter group: the group that shares the file; `nil` keeps it to its own user.
    package init(_ path: String, sharedWith group: UnixGroup? = nil) {
        self.path = path
        self.group = group
    }

    private var draft: String { "\(self.path).new" }

    /// Makes the file.
    /// - Throws: ``SystemError/exists`` when there is one of that name, which is not touched. When the folder could not
    ///   be flushed, the file is there, and a power cut may take it away.
    package func create(_ content: [UInt8]) throws(SystemError) {
        try self.create { (file) throws(SystemError) in try file.write(content) }
    }

    /// The same with content that comes in pieces.
    /// - Parameter fill: writes it, and leaves nothing behind if it throws.
    package func create(_ fill: (BorrowedDescriptor) throws(SystemError) -> Void) throws(SystemError) {
        try self.write(fill) { (draft) throws(SystemError) in
            // Unlike rename(2), link(2) does not replace a file that has the name.
            guard unsafe link(draft, self.path) == 0 else { throw .last }
            _ = unsafe unlink(draft)
        }
    }

    /// Makes the file, or puts another in its place: a reader sees the old content or the new.
    /// - Throws: also when the folder could not be flushed; then the new content is in place, and a power cut may undo
    ///   that. After every other error the old content is.
    package func replace(_ content: [UInt8]) throws(SystemError) {
        try self.write({ (file) throws(SystemError) in try file.write(content) }) { (draft) throws(SystemError) in
            guard unsafe rename(draft, self.path) == 0 else { throw .last }
        }
    }

    /// The same with the owner, group and permissions of another file.
    /// - Throws: ``SystemError/notFound`` without that file; else as ``replace(_:)``.
    package func replace(_ content: [UInt8], like model: String) throws(SystemError) {
        let status = try FileStatus(of: model, followsLinks: true)
        try self.write({ (file) throws(SystemError) in try file.write(content) }) { (draft) throws(SystemError) in
            let made = try FileStatus(of: draft)
            if made.owner != status.owner || made.group != status.group {
                guard unsafe chown(draft, uid_t(status.owner), gid_t(status.group)) == 0 else { throw .last }
            }
            // chmod(2) comes after chown(2), which may take bits away.
            guard unsafe chmod(draft, mode_t(status.mode)) == 0, unsafe rename(draft, self.path) == 0
            else { throw .last }
        }
    }

    /// Gives the file a name that nothing has.
    /// - Throws: ``SystemError/exists`` when `path` is taken; then nothing was changed.
    package func move(to path: String) throws(SystemError) {
        guard unsafe link(self.path, path) == 0 else { throw .last }
        guard unsafe unlink(self.path) == 0 else { throw .last }
    }

    /// Gives the content a second name, beside its own: what replaces the file leaves it there.
    /// - Throws: ``SystemError/exists`` when `path` is taken; then nothing was changed.
    package func keep(as path: String) throws(SystemError) {
        guard unsafe link(self.path, path) == 0 else { throw .last }
    }

    /// Takes the file's name away.
    /// - Throws: ``SystemError/notFound`` without a file.
    package func remove() throws(SystemError) { guard unsafe unlink(self.path) == 0 else { throw .last } }

    private func write(
        _ fill: (BorrowedDescriptor) throws(SystemError) -> Void, _ name: (_ draft: String) throws(SystemError) -> Void
    ) throws(SystemError) {
        // A crash may have left one behind.
        _ = unsafe unlink(self.draft)
        let descriptor = try FileDescriptor(self.draft, .newFile)
        do throws(SystemError) {
            if let group = self.group {
                try descriptor.share(with: group)
            } else {
                try descriptor.give(toOwnerOfFolder: Folder.containing(self.path))
            }
            try fill(descriptor.borrowed)
            try descriptor.synchronize()
            try name(self.draft)
        } catch {
            _ = unsafe unlink(self.draft)
            throw error
        }
        try Folder.synchronize(Folder.containing(self.path))
    }
}
