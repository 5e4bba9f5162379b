import Glibc

/// A descriptor that another value owns, and keeps open for as long as this value is used.
package struct BorrowedDescriptor: Hashable, Sendable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    package static let standardInput = BorrowedDescriptor(STDIN_FILENO)
    package static let standardOutput = BorrowedDescriptor(STDOUT_FILENO)
    package static let standardError = BorrowedDescriptor(STDERR_FILENO)

    /// Everything up to the end.
    /// - Throws: ``SystemError/tooLarge`` when that is more than `limit` bytes.
    package func read(limit: Int) throws(SystemError) -> [UInt8] {
        let content = try self.read(upTo: limit + 1)
        guard content.count <= limit else { throw .tooLarge }
        return content
    }

    /// The next bytes: `count` of them, fewer only at the end.
    func read(upTo count: Int) throws(SystemError) -> [UInt8] {
        var content: [UInt8] = []
        while content.count < count {
            var buffer = [UInt8](repeating: 0, count: min(count - content.count, 64 << 10))
            let length = unsafe Glibc.read(self.number, &buffer, buffer.count)
            if length < 0, errno == EINTR { continue }
            guard length >= 0 else { throw .last }
            if length == 0 { return content }
            content += buffer.prefix(length)
        }
        return content
    }

    /// Whether it takes something now: a terminal that was stopped (Ctrl-S) does not, and a write would wait for it.
    package var takesMore: Bool {
        var ready = pollfd(fd: self.number, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&ready, 1, 0) != 0
    }

    /// Writes all of `text`, in one call where the kernel takes it, so that lines of several threads do not mix.
    package func write(_ text: String) throws(SystemError) {
        var text = text
        let code = text.withUTF8 { unsafe self.writeAll(UnsafeRawBufferPointer($0)) }
        guard code == 0 else { throw SystemError(code: code) }
    }

    package func write(_ bytes: [UInt8]) throws(SystemError) {
        let code = unsafe bytes.withUnsafeBytes { unsafe self.writeAll($0) }
        guard code == 0 else { throw SystemError(code: code) }
    }

    /// - Returns: 0, or the `errno` of the call that failed.
    private func writeAll(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        var written = 0
        while written < bytes.count {
            // write(2): "may transfer fewer than count bytes"; the rest of the buffer is still in scope here.
            let count = unsafe Glibc.write(
                self.number, bytes.baseAddress?.advanced(by: written), bytes.count - written)
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                // A terminal shared with a program that left it non-blocking; wait until it takes more.
                var ready = pollfd(fd: self.number, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&ready, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
