import Glibc
import Synchronization

/// Where finished lines go.
package struct LogSink: Sendable {
    /// Takes one line with its line break. May be called from any thread.
    let write: @Sendable (String) -> Void

    package init(write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    /// Standard error. A line is written with one system call, so lines of several threads do not mix.
    package static let standardError = LogSink { line in
        var rest = Array(line.utf8)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if written < 0 {
                // Nobody is left to be told that the log cannot be written.
                guard errno == EINTR else { return }
            } else {
                rest = rest.dropFirst(written)
            }
        }
    }

    package static let none = LogSink { _ in }
}
