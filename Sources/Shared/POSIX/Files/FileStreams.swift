import Glibc

/// A file that is read piece by piece, closed when it goes out of scope.
package struct FileReader: ~Copyable {
    private let descriptor: FileDescriptor

    /// - Throws: ``SystemError/notFound`` without a file.
    package init(_ path: String) throws(SystemError) {
        self.descriptor = try FileDescriptor(path, .reading)
    }

    /// The next bytes: `count` of them, fewer only at the end of the file.
    package borrowing func next(_ count: Int) throws(SystemError) -> [UInt8] {
        try self.descriptor.borrowed.read(upTo: count)
    }
}

/// A file of mode 0600 that is written piece by piece, and takes its name when it is complete. One that is never
/// completed leaves nothing.
package struct FileWriter: ~Copyable {
    private let descriptor: FileDescriptor
    private let path: String

    private static func draft(_ path: String) -> String { "\(path).new" }

    /// - Throws: ``SystemError/exists`` when something has the name.
    package init(_ path: String) throws(SystemError) {
        guard (try? FileStatus(of: path)) == nil else { throw .exists }
        // A crash may have left one behind.
        _ = unsafe unlink(Self.draft(path))
        self.descriptor = try FileDescriptor(Self.draft(path), .newFile)
        self.path = path
    }

    deinit { _ = unsafe unlink(Self.draft(self.path)) }

    package borrowing func write(_ bytes: [UInt8]) throws(SystemError) {
        try self.descriptor.borrowed.write(bytes)
    }

    /// Gives the file its name once its content is on the disk.
    /// - Throws: ``SystemError/exists`` when something took the name meanwhile.
    package consuming func complete() throws(SystemError) {
        try self.descriptor.synchronize()
        // Unlike rename(2), link(2) does not replace a file that has the name.
        guard unsafe link(Self.draft(self.path), self.path) == 0 else { throw .last }
        try Folder.synchronize(Folder.containing(self.path))
    }
}

/// Reads a file from its beginning to its end.
package enum WholeFile {
    /// The content, which may also be a pipe's or a device's, and is waited for.
    /// - Throws: ``SystemError/notFound`` without a file, ``SystemError/tooLarge`` when it has more than `limit`
    ///   bytes.
    package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
        let descriptor = try FileDescriptor(path, .reading)
        return try descriptor.borrowed.read(limit: limit)
    }

    /// The content of a regular file that another user may have made: a pipe is not waited for, and a link not followed.
    /// - Throws: ``SystemError/notFound`` if there is no regular file.
    package static func readForeign(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
        let descriptor = try FileDescriptor(path, .readingAtOnce)
        guard try descriptor.isRegularFile else { throw .notFound }
        return try descriptor.borrowed.read(limit: limit)
    }
}
