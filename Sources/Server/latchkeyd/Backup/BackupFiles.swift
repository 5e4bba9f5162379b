import CommandLineTool
import Cryptography
import POSIX

/// Files on their way into a backup and out of it.
enum BackupFiles {
    private static let piece = 1 << 16

    /// Copies a file to a new one, mode 0600, whose folder is made.
    /// - Returns: what the manifest says of it.
    static func copy(_ source: String, to target: String) throws(OperatorError) -> (size: Int, digest: String) {
        try PrivateFiles.makeFolder(Folder.containing(target))
        var digest = RunningDigest()
        var size = 0
        do throws(SystemError) {
            let reader = try FileReader(source)
            let writer = try FileWriter(target)
            while true {
                let bytes = try reader.next(Self.piece)
                guard !bytes.isEmpty else { break }
                digest.add(bytes)
                size += bytes.count
                try writer.write(bytes)
            }
            try writer.complete()
        } catch {
            throw OperatorError("The file \(source) cannot be copied to \(target): \(error).", exitCode: .stateProblem)
        }
        return (size, Hex.encode(digest.finish()))
    }

    /// The same of a file that is in its place.
    static func look(at path: String) throws(OperatorError) -> (size: Int, digest: String) {
        var digest = RunningDigest()
        var size = 0
        do throws(SystemError) {
            let reader = try FileReader(path)
            while true {
                let bytes = try reader.next(Self.piece)
                guard !bytes.isEmpty else { break }
                digest.add(bytes)
                size += bytes.count
            }
        } catch {
            throw OperatorError("The file \(path) cannot be read: \(error).", exitCode: .stateProblem)
        }
        return (size, Hex.encode(digest.finish()))
    }
}
