import Glibc

/// A file that is read piece by piece, closed when it goes out of scope.
package struct FileReader: ~Copyable {
    private let descriptor: FileDescriptor

    /// - Throws: ``SystemError/notFound`` without a file.
    package init(_ path: String) throws(SystemError) { self.descriptor = try FileDescriptor(path, .reading) }

    /// The next bytes: `count` of them, fewer only at the end of the file.
    package borrowing func next(_ count: Int) throws(SystemError) -> [UInt8] {
        try self.descriptor.borrowed.read(upTo: count)
    }
}

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
