import CommandLineTool
package import Cryptography
package import FoundationEssentials
package import POSIX

/// Files and folders that only the server's own user may read, with failures in words for the operator.
package enum PrivateFiles {
    /// - Returns: `nil` when there is nothing, or nothing that may be looked at.
    package static func status(_ path: String) -> FileStatus? { try? FileStatus(of: path) }

    /// The faults of the owner or permissions of a key file or folder, as a sentence; `nil` when nothing is.
    ///
    /// Its owner can change it whatever its mode, so it has to be root's or the server's own. Programs that root runs
    /// act for the server's user, whom the folder of the file belongs to.
    /// - Parameters:
    ///   - name: what the sentence calls it.
    ///   - folder: the folder of the file; the same as `facts` for a folder of keys.
    ///   - rule: the rest of the sentence about what is open to others.
    ///   - user: who asks.
    package static func openness(
        _ name: String, _ facts: FileStatus, in folder: FileStatus?, rule: String,
        user: Int = ThisProcess.effectiveUser
    ) -> String? {
        let isTrusted = facts.owner == 0 || facts.owner == user || (user == 0 && facts.owner == folder?.owner)
        guard isTrusted else {
            return "\(name) belongs to the user number \(facts.owner), who can change it; it must belong to root or to "
                + "the server's user (chown)."
        }
        guard facts.isOpenToOthers, !facts.isReadByGroupOfRoot else { return nil }
        return "\(name) has mode \(facts.modeText), open to others; \(rule)."
    }

    /// The faults of the owner or permissions of a file with a private key, as a sentence; `nil` when nothing is, or
    /// when there is no such file.
    package static func openness(of path: String) -> String? {
        // A link may lead to a file that is closed, as certificate programs make them.
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        guard let facts = Self.status(target) else { return nil }
        let folder = Self.status(URL(filePath: target).deletingLastPathComponent().path)
        return Self.openness(
            "The file \(path)", facts, in: folder,
            rule: "a secret must be 0600, or 0640 when it is root's and the server's group reads it")
    }

    /// - Throws: when the file belongs to another user, or others than its owner may read it.
    package static func requireClosed(_ path: String) throws(OperatorError) {
        if let sentence = Self.openness(of: path) { throw OperatorError(sentence, exitCode: .keysUnusable) }
    }

    /// Makes a folder, and those above it, with mode 0700; one that is there stays as it is.
    package static func makeFolder(_ path: String) throws(OperatorError) {
        try self.saying("The folder \(path) cannot be made") { () throws(SystemError) in
            try Folder.makePrivate(path)
        }
    }

    /// Writes a new file with mode 0600. One of that name is not touched, and an error.
    package static func create(_ path: String, _ contents: Data) throws(OperatorError) {
        try self.saying("The file \(path) cannot be written") { () throws(SystemError) in
            try PrivateFile(path).create(Array(contents))
        }
    }

    package static func create(_ path: String, _ secret: Secret) throws(OperatorError) {
        try secret.withBytes { (bytes) throws(OperatorError) in try Self.create(path, Data(bytes)) }
    }

    /// Writes a file so that a reader sees all of it or nothing.
    package static func replace(_ path: String, _ text: String) throws(OperatorError) {
        try self.saying("The file \(path) cannot be written") { () throws(SystemError) in
            try PrivateFile(path).replace(Array(text.utf8))
        }
    }

    /// The same with the owner and permissions of another file; the folder is made like it if it is missing.
    static func replace(_ path: String, _ content: Data, like model: String) throws(OperatorError) {
        try self.saying("The file \(path) cannot be written") { () throws(SystemError) in
            let folder = Folder.containing(path)
            for folder in [Folder.containing(folder), folder] { try Folder.make(folder, like: model) }
            try PrivateFile(path).replace(Array(content), like: model)
        }
    }

    static func move(_ folder: String, to path: String) throws(OperatorError) {
        try self.saying("The folder \(path) cannot be made") { () throws(SystemError) in
            try Folder.move(folder, to: path)
        }
    }

    static func remove(_ path: String) throws(OperatorError) {
        try self.saying("The file \(path) cannot be removed") { () throws(SystemError) in
            try PrivateFile(path).remove()
        }
    }

    /// The result of `body`.
    /// - Throws: `what`, with the reason, when the system refuses it.
    static func saying<Result>(
        _ what: String, exitCode: ExitCode = .stateProblem, _ body: () throws(SystemError) -> Result
    ) throws(OperatorError) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            throw OperatorError("\(what): \(error).", exitCode: exitCode)
        }
    }

    /// Reads a file, or what comes through a pipe, of at most `limit` bytes.
    package static func read(_ path: String, limit: Int) throws(OperatorError) -> Data {
        do throws(SystemError) {
            return Data(try WholeFile.read(path, limit: limit))
        } catch {
            guard error != .tooLarge else {
                throw OperatorError("The file \(path) has more than \(limit) bytes.", exitCode: .stateProblem)
            }
            throw OperatorError("The file \(path) cannot be read: \(error).", exitCode: .stateProblem)
        }
    }
}
