package import Cryptography
package import FoundationEssentials
import CommandLineTool

/// Files and folders that only the server's own user may read.
package enum PrivateFiles {
    /// What stands at a path.
    package struct Facts: Sendable {
        package let isFolder: Bool
        package let isRegularFile: Bool
        /// The permission bits, such as `0o600`.
        package let mode: Int

        /// Whether somebody else than the owner may do anything with it.
        package var isOpenToOthers: Bool { self.mode & 0o077 != 0 }

        /// The permissions as `chmod` takes them, such as `0600`.
        package var modeText: String {
            let digits = String(self.mode, radix: 8)
            return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }

    /// - Returns: `nil` when there is nothing, or nothing that may be looked at.
    package static func facts(_ path: String) -> Facts? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
        let type = attributes[.type] as? FileAttributeType
        return Facts(
            isFolder: type == .typeDirectory, isRegularFile: type == .typeRegular,
            mode: (attributes[.posixPermissions] as? UInt).map { Int($0 & 0o7777) } ?? 0)
    }

    /// Makes a folder, and those above it, with mode 0700; one that is there stays as it is.
    package static func makeFolder(_ path: String) throws(OperatorError) {
        if let facts = Self.facts(path) {
            guard facts.isFolder else {
                throw OperatorError("\(path) is not a folder.", exitCode: .stateProblem)
            }
            return
        }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw OperatorError(
                "The folder \(path) cannot be made: \(FileProblem.reason(error)).", exitCode: .stateProblem)
        }
    }

    /// Writes a new file with mode 0600. One of that name is not touched, and an error.
    package static func create(_ path: String, _ contents: Data) throws(OperatorError) {
        do {
            try contents.write(to: URL(filePath: path), options: .withoutOverwriting)
            // The program's umask does this for a file of its own; a caller's may not.
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        } catch {
            throw OperatorError(
                "The file \(path) cannot be written: \(FileProblem.reason(error)).", exitCode: .stateProblem)
        }
    }

    package static func create(_ path: String, _ secret: Secret) throws(OperatorError) {
        try secret.withBytes { (bytes) throws(OperatorError) in try Self.create(path, Data(bytes)) }
    }

    /// Writes a file so that a reader sees all of it or nothing.
    package static func replace(_ path: String, _ text: String) throws(OperatorError) {
        do {
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw OperatorError(
                "The file \(path) cannot be written: \(FileProblem.reason(error)).", exitCode: .stateProblem)
        }
    }

    /// Reads a file, or what comes through a pipe, of at most `limit` bytes.
    package static func read(_ path: String, limit: Int) throws(OperatorError) -> Data {
        do {
            return Data(try BoundedReading.file(path, limit: limit))
        } catch {
            switch error {
            case .tooLong:
                throw OperatorError("The file \(path) has more than \(limit) bytes.", exitCode: .stateProblem)
            case .system(let number):
                throw OperatorError(
                    "The file \(path) cannot be read: \(FileProblem.reason(number)).", exitCode: .stateProblem)
            }
        }
    }
}
