/// Reads a file from its beginning to its end.
package enum WholeFile {
    /// The content, which may also be a pipe's or a device's, and is waited for.
    /// - Throws: ``SystemError/notFound`` without a file, ``SystemError/tooLarge`` when it has more than `limit`
    ///   bytes.
    package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
        let descriptor = try FileDescriptor(path, .reading)
        return try descriptor.borrowed.read(limit: limit)
    }
}
