import Glibc

/// Reads files and pipes up to a bound. The only file of the program, beside ``TerminalPrompt`` and ``LocalNetwork``, that
/// calls the system with pointers; each points to a local variable that outlives the call.
enum BoundedReading {
    enum Problem: Error {
        /// More than the bound.
        case tooLong
        /// The `errno` of the call that failed.
        case system(Int32)
    }

    /// All of a file, a pipe or a device, which is not waited for longer than it takes to end.
    static func file(_ path: String, limit: Int) throws(Problem) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errno) }
        defer { close(descriptor) }
        return try Self.descriptor(descriptor, limit: limit)
    }

    /// Everything up to the end.
    static func descriptor(_ descriptor: Int32, limit: Int) throws(Problem) -> [UInt8] {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return result }
            guard count > 0 else {
                guard errno == EINTR else { throw .system(errno) }
                continue
            }
            result += buffer.prefix(count)
            guard result.count <= limit else { throw .tooLong }
        }
    }
}
