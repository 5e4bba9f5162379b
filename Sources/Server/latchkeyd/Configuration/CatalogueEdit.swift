import Clientless
import CommandLineTool
import Entitlement
import FoundationEssentials
import POSIX

/// A change of the files of single providers and requestors by a command. The configuration itself stays as it is, and a
/// change that would leave a fault is not written.
struct CatalogueEdit {
    let configuration: Configuration
    private let file: ConfigurationFile
    private let main: Data
    private let original: [DropIn]
    private var dropIns: [DropIn]

    /// Reads the configuration that the arguments name.
    /// - Throws: `OperatorError` when it cannot be read, `ConfigurationFaults` when it has faults already.
    init(_ call: CommandCall) throws {
        self.file = try call.file
        (self.main, self.original) = try self.file.texts()
        self.dropIns = self.original
        self.configuration = try Configuration(text: self.main, self.original, folder: self.file.folder)
    }

    /// The settings of a provider or requestor that has a file of its own.
    func fields(of id: String, in list: DropIn.List) throws(OperatorError) -> [String: JSON5Value] {
        guard let index = self.index(of: id, in: list) else { throw self.problem(id, in: list) }
        return Self.fields(self.dropIns[index])
    }

    /// Writes the file of a provider or requestor, one that is there anew.
    mutating func put(_ id: String, _ fields: [String: JSON5Value], in list: DropIn.List) throws(OperatorError) {
        let index = self.index(of: id, in: list)
        let made = DropIn(list, id: id, fields, name: index.map { self.dropIns[$0].name })
        if let index {
            self.dropIns[index] = made
        } else {
            guard !self.dropIns.contains(where: { $0.name == made.name }) else {
                throw OperatorError(
                    "The file \(made.name) is there, and has another ID.", advice: "Nothing was changed. Rename it.")
            }
            self.dropIns.append(made)
        }
    }

    mutating func remove(_ id: String, from list: DropIn.List) throws(OperatorError) {
        guard let index = self.index(of: id, in: list) else { throw self.problem(id, in: list) }
        self.dropIns.remove(at: index)
    }

    private func index(of id: String, in list: DropIn.List) -> Int? {
        self.dropIns.firstIndex { $0.list == list && Self.fields($0)["id"] == .text(id) }
    }

    private static func fields(_ dropIn: DropIn) -> [String: JSON5Value] {
        (try? ConfigurationTree.fields(of: dropIn.text, limit: Configuration.maximumSize).fields) ?? [:]
    }

    /// The file that has a provider or requestor.
    func path(of id: String, in list: DropIn.List) -> String {
        self.index(of: id, in: list).map { "\(self.file.folder)/\(self.dropIns[$0].name)" } ?? self.file.path
    }

    private func problem(_ id: String, in list: DropIn.List) -> OperatorError {
        let catalogue = self.configuration.catalogue
        let known = list == .providers ? catalogue.mvpds.map(\.id.text) : catalogue.requestors.map(\.id.text)
        guard !known.contains(id) else {
            return OperatorError(
                "The \(list.noun) \(id) is in \(self.file.path) itself, which no command changes.",
                advice: "Nothing was changed. Use an editor, or move its settings in { } to "
                    + "\(self.file.folder)/\(DropIn.name(list, id: id)).")
        }
        let hint = nearestName(to: id, among: known).map { "Did you mean '\($0)'?" }
        return OperatorError(
            "The configuration has no \(list.noun) \(id).",
            advice: hint ?? "'latchkeyd \(list.noun) list' shows all of them.")
    }

    /// The configuration as it would be after the change.
    /// - Throws: `ConfigurationFaults` with what the change would spoil.
    func result(_ call: CommandCall) throws -> Configuration {
        do {
            return try Configuration(text: self.main, self.dropIns, folder: self.file.folder)
        } catch {
            call.say("latchkeyd: Nothing was changed; the configuration would have a fault.")
            throw error
        }
    }

    /// Writes the files, and keeps the change in the audit log. A provider is written before the requestors that name it, and
    /// removed after them, so that the configuration has no fault at any moment.
    /// - Throws: `OperatorError` when a file cannot be written or was changed meanwhile, `ConfigurationFaults` with what the
    ///   change would have spoilt; then nothing was changed.
    @discardableResult
    func save(_ action: String, _ subject: String, _ call: CommandCall) async throws -> Configuration {
        let changed = try self.result(call)
        try self.write(call)
        await call.log(action, of: subject)
        for fault in changed.surroundingFaults() { call.say("Still to do: \(fault)") }
        var warnings = ConfigurationWarning.lookalikes(in: changed)
        if let operations = call.opened?.administration.operations {
            warnings += await ConfigurationWarning.strays(from: changed.catalogue, operations, now: call.now)
        }
        for warning in warnings { call.say("warning: \(warning.sentence).") }
        call.say("A running server takes it at SIGHUP ('systemctl reload latchkeyd').")
        return changed
    }

    /// Looks whether the files are as they were read, and writes them, while a lock keeps other commands from both.
    private func write(_ call: CommandCall) throws(OperatorError) {
        let lock = try self.lock()
        guard try self.file.texts() == (self.main, self.original) else { throw self.conflict }
        let before = Set(self.original)
        for dropIn in self.dropIns.sorted(by: { $0.list.rawValue < $1.list.rawValue }) where !before.contains(dropIn) {
            try PrivateFiles.replace("\(self.file.folder)/\(dropIn.name)", dropIn.text, like: self.file.path)
            call.say("\(self.file.folder)/\(dropIn.name) was written.")
        }
        let names = Set(self.dropIns.map(\.name))
        for dropIn in self.original where !names.contains(dropIn.name) {
            try PrivateFiles.remove("\(self.file.folder)/\(dropIn.name)")
            call.say("\(self.file.folder)/\(dropIn.name) was removed.")
        }
        _ = consume lock
    }

    private func lock() throws(OperatorError) -> FileLock {
        let folder = "\(self.file.folder)/\(DropIn.folder)"
        do throws(SystemError) {
            try Folder.make(folder, like: self.file.path)
            return try FileLock("\(folder)/.lock", patience: .seconds(5))
        } catch {
            guard error != .locked else { throw self.conflict }
            throw OperatorError("The file \(folder)/.lock cannot be written: \(error).", exitCode: .stateProblem)
        }
    }

    private var conflict: OperatorError {
        OperatorError(
            "The configuration \(self.file.path) was changed by another program meanwhile.",
            advice: "Nothing was changed by this one; try again.")
    }
}

extension [String: JSON5Value] {
    /// Adds those entries to a list that it does not have yet.
    /// - Parameter key: what tells entries apart that are groups.
    mutating func add(_ entries: [JSON5Value], to list: String, key: String? = nil) {
        var all = self.entries(of: list)
        for entry in entries where !all.contains(where: { $0.name(key) == entry.name(key) }) { all.append(entry) }
        guard all.count != self.entries(of: list).count else { return }
        self[list] = .list(all)
    }

    /// - Returns: whether the list had the entry.
    mutating func remove(_ name: String, from list: String, key: String? = nil) -> Bool {
        let rest = self.entries(of: list).filter { $0.name(key) != .text(name) }
        guard rest.count != self.entries(of: list).count else { return false }
        self[list] = .list(rest)
        return true
    }

    private func entries(of list: String) -> [JSON5Value] {
        if case .list(let entries) = self[list] { entries } else { [] }
    }
}

extension JSON5Value {
    fileprivate func name(_ key: String?) -> JSON5Value? {
        if let key, case .object(let fields) = self { fields[key] } else { self }
    }
}
