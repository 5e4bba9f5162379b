import CommandLineTool
import Cryptography
import POSIX

/// Writes a backup: a tar archive that any `tar` lists, which takes its name when it is complete.
struct ArchiveWriter: ~Copyable {
    private static let piece = 1 << 16

    private let file: FileWriter
    private let path: String
    private(set) var entries: [BackupManifest.Entry] = []

    /// - Throws: when something has the name, or nothing may be written there.
    init(_ path: String) throws(OperatorError) {
        do throws(SystemError) {
            self.file = try FileWriter(path)
        } catch {
            throw Self.problem(path, error)
        }
        self.path = path
    }

    /// Copies a file of the disk.
    mutating func add(_ place: BackupPlace, fileAt path: String) throws(OperatorError) {
        // A link is followed, as the reader below follows it.
        guard let size = try? FileStatus(of: path, followsLinks: true).size else {
            throw OperatorError("The file \(path) cannot be looked at.", exitCode: .stateProblem)
        }
        try self.begin(place.name, size)
        let source: FileReader
        do throws(SystemError) {
            source = try FileReader(path)
        } catch {
            throw OperatorError("The file \(path) cannot be read: \(error).", exitCode: .stateProblem)
        }
        var digest = RunningDigest()
        var length = 0
        while length < size {
            let piece: [UInt8]
            do throws(SystemError) {
                piece = try source.next(min(Self.piece, size - length))
            } catch {
                throw OperatorError("The file \(path) cannot be read: \(error).", exitCode: .stateProblem)
            }
            guard !piece.isEmpty else {
                throw OperatorError("The file \(path) became shorter meanwhile.", exitCode: .stateProblem)
            }
            digest.add(piece)
            length += piece.count
            try self.write(piece)
        }
        try self.pad(size)
        self.entries.append(
            BackupManifest.Entry(
                name: place.name, size: size, digest: Hex.encode(digest.finish()), place: place.elsewhere))
    }

    /// Adds a file that is in memory. It is not among ``entries``.
    mutating func add(_ name: String, _ bytes: [UInt8]) throws(OperatorError) {
        try self.begin(name, bytes.count)
        try self.write(bytes)
        try self.pad(bytes.count)
    }

    /// Ends the archive with two blocks of zero, as tar does.
    consuming func complete() throws(OperatorError) {
        let path = self.path
        try self.write([UInt8](repeating: 0, count: 2 * TarBlock.size))
        do throws(SystemError) {
            try self.file.complete()
        } catch {
            throw Self.problem(path, error)
        }
    }

    private func begin(_ name: String, _ size: Int) throws(OperatorError) {
        guard let block = TarBlock(name: name, fileSize: size) else {
            throw OperatorError("The file \(name) is too large for an archive.", exitCode: .stateProblem)
        }
        try self.write(block.bytes)
    }

    private func pad(_ size: Int) throws(OperatorError) {
        try self.write([UInt8](repeating: 0, count: TarBlock.padding(behind: size)))
    }

    private func write(_ bytes: [UInt8]) throws(OperatorError) {
        do throws(SystemError) {
            try self.file.write(bytes)
        } catch {
            throw Self.problem(self.path, error)
        }
    }

    private static func problem(_ path: String, _ error: SystemError) -> OperatorError {
        error == .exists
            ? OperatorError(
                "\(path) exists already.", advice: "A backup never overwrites; give another name.",
                exitCode: .stateProblem)
            : OperatorError("The archive \(path) cannot be written: \(error).", exitCode: .stateProblem)
    }
}
