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
    /// The store, whose owner the file belongs to, so that a server may add to it after a command of root's.
    private let store: String

    init(beside store: String) {
        self.path = store + "-revoked"
        self.store = store
    }

    /// A list that an operator names, to be read alone.
    /// - Throws: when there is none, or it cannot be read.
    static func read(_ path: String) throws(OperatorError) -> [Ending] {
        guard PrivateFiles.status(path) != nil else {
            throw OperatorError("There is no file \(path).", exitCode: .usage)
        }
        let (endings, unreadable) = try EndingsFile(path: path, store: path).read()
        guard unreadable.isEmpty else {
            throw OperatorError(
                "The file \(path) has a line that this version cannot read.",
                advice: "Nothing was ended again. Use the version that wrote it.", exitCode: .invalidData)
        }
        return endings
    }

    private init(path: String, store: String) {
        self.path = path
        self.store = store
    }

    /// Adds endings. Those that the file has already stay once.
    func add(_ endings: [Ending]) throws(OperatorError) {
        var added: [String] = []
        for ending in endings { added.append(try JSONLine.text(of: EndingLine(ending))) }
        try PrivateFiles.saying("The file \(self.path) cannot be written") { () throws(SystemError) in
            let lockFile = self.path + ".lock"
            let lock = try FileLock(lockFile, patience: Self.patience)
            let known = try self.lines().filter { !$0.isEmpty }
            let lines = Self.bounded(known + added.filter { !known.contains($0) })
            try PrivateFile(self.path).replace(Array((lines.joined(separator: "\n") + "\n").utf8))
            // Only root may give files away, and only root has to.
            for path in [self.path, lockFile] { try? PrivateFile(path).give(toOwnerOf: self.store) }
            _ = consume lock
        }
    }

    private static func bounded(_ lines: [String]) -> [String] {
        guard lines.count > self.bound else { return lines }
        var surplus = lines.count - self.bound
        let kept = lines.filter { line in
            guard surplus > 0, EndingLine.endsByItself(line) else { return true }
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
            if let ending = (try? decoder.decode(EndingLine.self, from: Data(line.utf8)))?.ending {
                endings.append(ending)
            } else {
                unreadable.append(index + 1)
            }
        }
        return (endings, unreadable)
    }

    private func lines() throws(SystemError) -> [String] {
        do throws(SystemError) {
            let bytes = try WholeFile.read(self.path, limit: Self.maximumSize)
            return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
        } catch {
            guard error == .notFound else { throw error }
            return []
        }
    }
}

/// An ending as a line of the file: one JSON object.
private struct EndingLine: Codable {
    private enum Kind: String, Codable {
        case keyPair, application, client, account, passkey, setUpCode, signIns, signIn, device
    }

    private let kind: Kind
    private let time: Int64
    /// The ID of the subject, or the conditions of a selection.
    private let facts: [String: String]

    init(_ ending: Ending) {
        self.time = ending.time.milliseconds
        (self.kind, self.facts) =
            switch ending.subject {
            case .keyPair(let key): (.keyPair, ["id": key])
            case .application(let id): (.application, ["id": id])
            case .client(let id): (.client, ["id": id])
            case .account(let id, let mvpd): (.account, ["id": id, "mvpd": mvpd.text])
            case .passkey(let credential): (.passkey, ["id": Hex.encode(credential)])
            case .setUpCode(let hash): (.setUpCode, ["id": Hex.encode(hash)])
            case .signIn(let id): (.signIn, ["id": id.text])
            case .device(let device): (.device, ["id": Hex.encode(device.bytes)])
            case .signIns(let selection): (.signIns, Self.facts(of: selection))
            }
    }

    private static func facts(of selection: AuthNSelection) -> [String: String] {
        [
            "mvpd": selection.mvpd?.text, "userID": selection.userID, "requestor": selection.requestor?.text,
            "code": selection.code?.text, "providerSession": selection.providerSession.map { Hex.encode($0) },
            "since": selection.since.map { "\($0.milliseconds)" },
            "before": selection.before.map { "\($0.milliseconds)" },
        ].compactMapValues(\.self)
    }

    /// Whether a line that was written is about a sign-in or a set-up code. Quotes within texts are escaped, so that no
    /// text passes for it.
    static func endsByItself(_ line: String) -> Bool {
        [Kind.signIns, .signIn, .device, .setUpCode].contains { line.contains(#""kind":"\#($0.rawValue)""#) }
    }

    /// `nil` when the line is none that this version writes: fewer conditions would end more.
    var ending: Ending? { self.subject.map { Ending($0, at: Timestamp(milliseconds: self.time)) } }

    private var subject: Ending.Subject? {
        let id = self.facts["id"]
        return switch self.kind {
        case .keyPair: id.map { .keyPair($0) }
        case .application: id.map { .application($0) }
        case .client: id.map { .client($0) }
        case .account:
            if let id, let mvpd = self.facts["mvpd"].flatMap({ MVPDID($0) }) { .account(id, of: mvpd) } else { nil }
        case .passkey: id.flatMap { Hex.decode($0) }.map { .passkey($0) }
        case .setUpCode: id.flatMap { Hex.decode($0) }.map { .setUpCode($0) }
        case .signIn: id.map { .signIn(AuthNID(text: $0)) }
        case .device: id.flatMap { Hex.decode($0) }.map { .device(DeviceHash(bytes: $0)) }
        case .signIns: self.selection.map { .signIns($0) }
        }
    }

    private var selection: AuthNSelection? {
        func moment(_ fact: String) -> Timestamp? {
            self.facts[fact].flatMap { Int64($0) }.map { Timestamp(milliseconds: $0) }
        }
        var selection = AuthNSelection()
        selection.mvpd = self.facts["mvpd"].flatMap { MVPDID($0) }
        selection.userID = self.facts["userID"]
        selection.requestor = self.facts["requestor"].flatMap { RequestorID($0) }
        selection.code = self.facts["code"].flatMap { RegistrationCodeText($0) }
        selection.providerSession = self.facts["providerSession"].flatMap { Hex.decode($0) }
        (selection.since, selection.before) = (moment("since"), moment("before"))
        return Self.facts(of: selection) == self.facts ? selection : nil
    }
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
