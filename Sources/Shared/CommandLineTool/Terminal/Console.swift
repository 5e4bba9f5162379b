import Glibc

/// Where a program speaks: results on stdout, talk on stderr, so that a pipe gets only what it asked for.
package struct Console: Sendable {
    /// A write that did not reach its end.
    package struct OutputError: Error, Hashable, CustomStringConvertible {
        /// The `errno` of the write.
        package let code: Int32
        package var description: String { "cannot write (errno \(self.code))" }
    }

    private let resultDescriptor: Int32
    private let talkDescriptor: Int32

    /// - Parameters: descriptors that stay open for as long as this value is used.
    package init(resultDescriptor: Int32 = STDOUT_FILENO, talkDescriptor: Int32 = STDERR_FILENO) {
        self.resultDescriptor = resultDescriptor
        self.talkDescriptor = talkDescriptor
    }

    /// Writes a line of result.
    /// - Throws: when it cannot be written in full; a script must not take half an answer for success.
    package func result(_ line: String) throws(OutputError) {
        let code = writeAll(line.hasSuffix("\n") ? line : line + "\n", to: self.resultDescriptor)
        guard code == 0 else { throw OutputError(code: code) }
    }

    /// Writes a line of talk. Where nobody listens any more, nothing is left to be done about it.
    package func say(_ line: String) {
        self.show(line.hasSuffix("\n") ? line : line + "\n")
    }

    /// Writes talk as it is, such as a countdown that is drawn over itself.
    package func show(_ text: String) {
        _ = writeAll(text, to: self.talkDescriptor)
    }
}

/// Writes all of `text`, in one call where the kernel takes it.
/// - Returns: 0, or the `errno` of the call that failed.
private func writeAll(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
        var written = 0
        while written < bytes.count {
            // write(2): "may transfer fewer than count bytes"; the rest of the buffer is still in scope here.
            let count = unsafe write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                // A terminal shared with a program that left it non-blocking; wait until it takes more.
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&ready, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
