import POSIX

/// Where finished lines go.
package struct LogSink: Sendable {
    /// Takes one line with its line break. May be called from any thread.
    let write: @Sendable (String) -> Void

    package init(write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    /// Standard error. A line is written with one system call, so lines of several threads do not mix.
    package static let standardError = LogSink { line in
        // A log that cannot be written has no place to say so.
        try? BorrowedDescriptor.standardError.write(line)
    }

    package static let none = LogSink { _ in }
}
