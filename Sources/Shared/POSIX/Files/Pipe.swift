import CLinux
import Glibc

/// Both ends of a pipe that blocks no caller and is not inherited, closed when it goes out of scope.
package struct Pipe: ~Copyable, Sendable {
    private let readingEnd: FileDescriptor
    private let writingEnd: FileDescriptor

    /// - Throws: when the process may open no more files.
    package init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe clinux_pipe(&ends) == 0 else { throw .last }
        self.readingEnd = FileDescriptor(adopting: ends[0])
        self.writingEnd = FileDescriptor(adopting: ends[1])
    }

    /// The end that becomes readable when something was written; for `poll` and its kin.
    package var reading: BorrowedDescriptor { self.readingEnd.borrowed }
    package var writing: BorrowedDescriptor { self.writingEnd.borrowed }

    /// Writes one byte; a full pipe stays as it is. May be called in a signal handler.
    package func put(_ byte: UInt8) { Self.put(byte, into: self.writing.number) }

    /// The same for callers that have only the number.
    static func put(_ byte: UInt8, into number: Int32) {
        var byte = byte
        _ = unsafe write(number, &byte, 1)
    }

    /// Waits until something was written, and blocks the thread meanwhile.
    /// - Returns: `false` when the system does not let it wait.
    func waitUntilReadable() -> Bool {
        var wanted = pollfd(fd: self.reading.number, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&wanted, 1, -1) < 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    /// Takes the byte that was written first; `nil` when the pipe is empty.
    package func take() -> UInt8? {
        var byte: UInt8 = 0
        return unsafe read(self.reading.number, &byte, 1) == 1 ? byte : nil
    }
}
