import CommandLineTool
import Entitlement
import FoundationEssentials
import JSON5

/// A change of the configuration file by a command. What the command does not name, comments too, stays byte for byte;
/// a change that would leave a fault is not written.
struct ConfigurationEdit {
    /// What changed and by what name the audit log knows it.
    struct Change {
        /// A constant, such as `requestor.add`.
        let action: String
        let subject: String
    }

    let file: ConfigurationFile
    /// As it was read.
    let configuration: Configuration
    /// The values as they were read.
    let fields: [String: JSON5Value]
    var document: JSON5Document
    private let original: [UInt8]

    /// Reads the file that the arguments name.
    /// - Throws: `OperatorError` when it cannot be read, `ConfigurationFaults` when it has faults already.
    init(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let file = try ConfigurationFile.locate(arguments, context)
        self.configuration = try file.read()
        let text = try PrivateFiles.read(file.path, limit: Configuration.maximumSize)
        self.file = file
        self.fields = try ConfigurationTree(text: text).fields
        self.original = Array(text)
        guard let document = JSON5Document(self.original) else {
            throw OperatorError("The configuration \(file.path) is no JSON5.", exitCode: .configuration)
        }
        self.document = document
    }

    /// The place of the group with an ID in a list such as `requestors`; `nil` when there is none.
    func place(of id: String, in list: String) -> [JSON5Document.Step]? {
        self.index(of: id, key: "id", in: self.fields[list]).map { [.key(list), .index($0)] }
    }

    /// The place of a member of a group's list, such as a domain, or an integration by its provider.
    /// - Parameter key: what names an entry that is a group.
    func index(of text: String, key: String, in list: JSON5Value?) -> Int? {
        guard case .list(let entries) = list else { return nil }
        return entries.firstIndex { entry in
            if case .object(let fields) = entry { fields[key] == .text(text) } else { entry == .text(text) }
        }
    }

    /// What the group at a place has under a key, as it was read.
    func value(_ key: String, of place: [JSON5Document.Step]) -> JSON5Value? {
        guard case .key(let list) = place.first, case .index(let index) = place.last,
            case .list(let entries) = self.fields[list], entries.indices.contains(index),
            case .object(let fields) = entries[index]
        else { return nil }
        return fields[key]
    }

    /// Puts a group or a value at the end of a list, which is made where there is none.
    mutating func append(
        _ fragment: JSON5Document.Fragment, to list: String, of place: [JSON5Document.Step] = []
    ) throws(OperatorError) {
        if self.document.append(fragment, to: place + [.key(list)]) { return }
        guard self.document.set(list, .list([]), in: place),
            self.document.append(fragment, to: place + [.key(list)])
        else { throw self.unforeseen }
    }

    mutating func set(_ key: String, _ value: JSON5Value, of place: [JSON5Document.Step]) throws(OperatorError) {
        guard self.document.set(key, value, in: place) else { throw self.unforeseen }
    }

    mutating func remove(_ place: [JSON5Document.Step]) throws(OperatorError) {
        guard self.document.remove(place) else { throw self.unforeseen }
    }

    /// Writes the file, and keeps the change in the audit log.
    /// - Throws: `OperatorError` when it cannot be written or changed meanwhile, `ConfigurationFaults` with what the
    ///   change would have spoilt; then nothing was changed.
    func save(_ change: Change, _ context: CommandContext) async throws {
        let bytes = self.document.bytes
        let changed: Configuration
        do {
            changed = try Configuration(text: Data(bytes), folder: self.file.folder)
        } catch {
            context.console.say("latchkeyd: Nothing was changed; the configuration would have a fault.")
            throw error
        }
        guard Array(try PrivateFiles.read(self.file.path, limit: Configuration.maximumSize)) == self.original else {
            throw OperatorError(
                "The configuration \(self.file.path) was changed by another program meanwhile.",
                advice: "Nothing was changed by this one; try again.", exitCode: .failure)
        }
        try PrivateFiles.rewrite(self.file.path, bytes)
        await Self.log(change, changed, context)
        for fault in ConfigurationSurroundings(changed).faults() { context.console.say("Still to do: \(fault)") }
        context.console.say("A running server takes it at SIGHUP ('systemctl reload latchkeyd').")
    }

    /// The file is written already, so that a store that cannot take the entry is no failure, but said.
    private static func log(_ change: Change, _ configuration: Configuration, _ context: CommandContext) async {
        do {
            try await StoreAccess.withAdministration(of: configuration, context) { administration in
                try await administration.operations.log(
                    change.action, of: change.subject, actor: CommandActor.text, now: context.now())
            }
        } catch {
            context.console.say("The audit log does not have it: \(error)")
        }
    }

    private var unforeseen: OperatorError {
        OperatorError(
            "The configuration \(self.file.path) is written in a way that this command cannot change.",
            advice: "Nothing was changed; change it in an editor.", exitCode: .failure)
    }
}
