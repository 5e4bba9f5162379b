import CLinux
import Glibc

/// A copy of a file in memory: what overwrites or cuts the original meanwhile does not change it.
package struct MemoryFile: ~Copyable {
    private static let step = 256 << 10

    private let descriptor: FileDescriptor
    /// A path to it for this process, while this value is there.
    package let path: String

    /// - Parameter limit: the most bytes.
    /// - Throws: what reading the file throws; `EFBIG` if it is longer than the limit.
    package init(copyOf path: String, atMost limit: Int) throws(SystemError) {
        let original = try FileReader(path)
        let number = clinux_memory_file()
        guard number >= 0 else { throw .last }
        let copy = FileDescriptor(adopting: number)
        var size = 0
        while true {
            let piece = try original.next(Self.step)
            guard !piece.isEmpty else { break }
            size += piece.count
            guard size <= limit else { throw SystemError(code: EFBIG) }
            try copy.borrowed.write(piece)
        }
        self.descriptor = copy
        self.path = "/proc/self/fd/\(number)"
    }
}
