import CommandLineTool
import Cryptography
import POSIX

/// Reads a backup from its beginning to its end. Nothing in it is believed: names stay in their folder, sizes are bounded.
struct ArchiveReader: ~Copyable {
    private static let piece = 1 << 16

    private let file: FileReader
    private let path: String

    init(_ path: String) throws(OperatorError) {
        do throws(SystemError) {
            self.file = try FileReader(path)
        } catch {
            throw OperatorError("The archive \(path) cannot be read: \(error).", exitCode: .stateProblem)
        }
        self.path = path
    }

    /// The heading of the next file; `nil` at the end of the archive.
    borrowing func next() throws(OperatorError) -> TarBlock? {
        let block = try self.read(TarBlock.size)
        if block.allSatisfy({ $0 == 0 }) { return nil }
        guard let heading = TarBlock(reading: block), BackupPlace.isSafe(heading.name) else { throw self.damaged }
        return heading
    }

    /// The content of the file that `heading` begins.
    borrowing func content(_ heading: TarBlock, limit: Int) throws(OperatorError) -> [UInt8] {
        guard heading.fileSize <= limit else { throw self.damaged }
        let bytes = try self.read(heading.fileSize)
        try self.skipPadding(heading)
        return bytes
    }

    /// Writes the content of the file that `heading` begins into a new file, mode 0600.
    /// - Returns: its digest in hex.
    borrowing func copy(_ heading: TarBlock, to path: String) throws(OperatorError) -> String {
        var digest = RunningDigest()
        var left = heading.fileSize
        do throws(SystemError) {
            let target = try FileWriter(path)
            while left > 0 {
                let piece = try self.file.next(min(Self.piece, left))
                guard !piece.isEmpty else { break }
                digest.add(piece)
                left -= piece.count
                try target.write(piece)
            }
            if left == 0 { try target.complete() }
        } catch {
            throw OperatorError("The file \(path) cannot be written: \(error).", exitCode: .stateProblem)
        }
        guard left == 0 else { throw self.damaged }
        try self.skipPadding(heading)
        return Hex.encode(digest.finish())
    }

    var damaged: OperatorError {
        OperatorError(
            "\(self.path) is no complete backup of latchkeyd, or is damaged.", advice: "Nothing was restored.",
            exitCode: .invalidData)
    }

    private borrowing func skipPadding(_ heading: TarBlock) throws(OperatorError) {
        guard try self.read(TarBlock.padding(behind: heading.fileSize)).allSatisfy({ $0 == 0 })
        else { throw self.damaged }
    }

    private borrowing func read(_ count: Int) throws(OperatorError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try self.file.next(count)
        } catch {
            throw OperatorError("The archive \(self.path) cannot be read: \(error).", exitCode: .stateProblem)
        }
        guard bytes.count == count else { throw self.damaged }
        return bytes
    }
}
