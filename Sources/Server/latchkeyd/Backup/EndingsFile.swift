import Clientless
import CommandLineTool
import Cryptography
import Entitlement
import FoundationEssentials
import POSIX

/// The file beside the store that remembers what operators ended, for a store that is put back from an older backup.
///
/// Commands and servers add to it, one at a time. It is private like the store itself: it names viewers by their
/// pseudonyms, and codes.
struct EndingsFile: Sendable {
    /// The most endings that are kept. The oldest of more go, those of sign-ins and set-up codes first: these end by
    /// themselves in time.
    private static let bound = 20_000
    /// The longest file that is read, in bytes.
    private static let maximumSize = 16 << 20
    /// How long another program may take to add to it.
    private static let patience: Duration = .seconds(5)

    let path: String
    /// Whether an operator names it: then it may be a link or a pipe.
    private var isNamed = false

    /// A list that an operator names, to be read alone.
    /// - Throws: when there is none, or it cannot be read.
    static func read(_ path: String) throws(OperatorError) -> [Ending] {
        guard PrivateFiles.status(path) != nil else {
            throw OperatorError("There is no file \(path).", exitCode: .usage)
        }
        let (endings, unreadable) = try EndingsFile(path: path, isNamed: true).read()
        guard unreadable.isEmpty else {
            throw OperatorError(
                "The file \(path) has a line that this version cannot read.",
                advice: "Nothing was ended again. Use the version that wrote it.", exitCode: .invalidData)
        }
        return endings
    }

    /// Adds what ends from now on.
    /// - Parameter report: hears of an ending that cannot be kept.
    func following(_ report: @escaping @Sendable (OperatorError) -> Void) -> @Sendable (Ending) -> Void {
        { ending in
            do throws(OperatorError) {
                try self.add([ending])
            } catch {
                report(error)
            }
        }
    }

    /// Adds endings. Those that the file has already stay once.
    func add(_ endings: [Ending]) throws(OperatorError) {
        var added: [String] = []
        for ending in endings { added.append(try JSONLine.text(of: ending)) }
        try PrivateFiles.saying("The file \(self.path) cannot be written") { () throws(SystemError) in
            let lock = try FileLock(self.path + ".lock", patience: Self.patience)
            let known = try self.lines().filter { !$0.isEmpty }
            let lines = Self.bounded(known + added.filter { !known.contains($0) })
            try PrivateFile(self.path).replace(Array((lines.joined(separator: "\n") + "\n").utf8))
            _ = consume lock
        }
    }

    private static func bounded(_ lines: [String]) -> [String] {
        guard lines.count > self.bound else { return lines }
        var surplus = lines.count - self.bound
        let kept = lines.filter { line in
            // The keys of a line are in alphabetical order.
            let endsByItself = ["signIns", "signIn", "device", "setUpCode"].contains {
                line.hasPrefix(#"{"subject":{"\#($0)":"#)
            }
            guard surplus > 0, endsByItself else { return true }
            surplus -= 1
            return false
        }
        return kept.suffix(self.bound)
    }

    /// The records of the file, the oldest first; empty when there is no file.
    /// - Returns: with the numbers of the lines that this version cannot read.
    func read() throws(OperatorError) -> (endings: [Ending], unreadable: [Int]) {
        let lines = try PrivateFiles.saying("The file \(self.path) cannot be read") { () throws(SystemError) in
            try self.lines()
        }
        let decoder = JSONDecoder()
        var (endings, unreadable): ([Ending], [Int]) = ([], [])
        for (index, line) in lines.enumerated() where !line.isEmpty {
            // Without a condition that this version does not know, a line would end more.
            if let ending = try? decoder.decode(Ending.self, from: Data(line.utf8)),
                (try? JSONLine.text(of: ending)) == line
            {
                endings.append(ending)
            } else {
                unreadable.append(index + 1)
            }
        }
        return (endings, unreadable)
    }

    private func lines() throws(SystemError) -> [String] {
        do throws(SystemError) {
            // The folder is the server's user's, who could make root wait at a pipe, or copy a file behind a link.
            let read = self.isNamed ? WholeFile.read : WholeFile.readForeign
            let bytes = try read(self.path, Self.maximumSize)
            return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
        } catch {
            guard error == .notFound else { throw error }
            return []
        }
    }
}

extension EndingsFile {
    init(beside store: String) { self.init(path: store + "-revoked") }
}

extension Endings.Outcome {
    var sentence: String {
        let end = self.ending.time.timeText
        let signIns = self.count == 1 ? "1 sign-in" : "\(self.count) sign-ins"
        return switch self.ending.subject {
        case .keyPair(let key): "key pair \(key), \(end)"
        case .application(let id): "application \(id), \(end)"
        case .client(let id): "client \(id), \(end)"
        case .account(_, let mvpd): "a viewer of \(mvpd), \(end)"
        case .passkey(let credential): "passkey \(Passkey.name(of: credential)), \(end)"
        case .setUpCode(let hash): "set-up code \(SetUpCodeRecord.name(of: hash)), \(end)"
        case .signIns: "\(signIns) of one selection, \(end)"
        case .signIn: "\(signIns), \(end)"
        case .device: "\(signIns) of one box, \(end)"
        }
    }
}
