import POSIX
import ServerAPI

/// A file of places on the disk, read step by step, so that a large one holds up no other work.
struct PlaceFile: ~Copyable {
    /// The bytes of a step.
    private static let step = 256 << 10

    private let file: FileReader
    private var reader = PlaceReader()

    /// - Throws: when the file cannot be opened.
    init(_ path: String) throws(SystemError) {
        self.file = try FileReader(path)
    }

    /// Reads on.
    /// - Returns: all places at the end of the file, `nil` before it.
    /// - Throws: `SystemError` when the file cannot be read, ``PlaceFault`` when it is none of places.
    mutating func next() throws -> PlaceTable? {
        let piece = try self.file.next(Self.step)
        guard !piece.isEmpty else { return try self.reader.finish() }
        try self.reader.take(piece)
        return nil
    }

    /// What is wrong with a file; `nil` when nothing is.
    static func fault(of path: String) -> String? {
        do {
            var file = try PlaceFile(path)
            while try file.next() == nil {}
            return nil
        } catch {
            return "\(error)"
        }
    }
}
