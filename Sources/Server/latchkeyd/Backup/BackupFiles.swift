import CommandLineTool
import Cryptography
import POSIX

enum BackupFiles {
    private static let piece = 1 << 16

    /// Copies a file to a new one, mode 0600, whose folder is made.
    /// - Returns: what the manifest says of it.
    static func copy(_ source: String, to target: String) throws(OperatorError) -> (size: Int, digest: String) {
        try PrivateFiles.makeFolder(Folder.containing(target))
        return try PrivateFiles.saying("The file \(source) cannot be copied to \(target)") { () throws(SystemError) in
            var facts = (size: 0, digest: "")
            try PrivateFile(target).create { (file) throws(SystemError) in
                facts = try self.facts(of: source) { (bytes) throws(SystemError) in try file.write(bytes) }
            }
            return facts
        }
    }

    /// The same of a file that is in its place.
    static func look(at path: String) throws(OperatorError) -> (size: Int, digest: String) {
        try PrivateFiles.saying("The file \(path) cannot be read") { () throws(SystemError) in
            try self.facts(of: path) { _ in }
        }
    }

    private static func facts(
        of path: String, _ take: ([UInt8]) throws(SystemError) -> Void
    ) throws(SystemError) -> (size: Int, digest: String) {
        var size = 0
        var digest = RunningDigest()
        let reader = try FileReader(path)
        while case let bytes = try reader.next(Self.piece), !bytes.isEmpty {
            digest.add(bytes)
            size += bytes.count
            try take(bytes)
        }
        return (size, Hex.encode(digest.finish()))
    }
}
