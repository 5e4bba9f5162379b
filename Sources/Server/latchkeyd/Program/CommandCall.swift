import Clientless
import CommandLineTool
import Entitlement
import POSIX

/// A call of a command: its arguments and surroundings, and what it opens of the configured store.
final class CommandCall {
    let arguments: ParsedArguments
    let context: CommandContext
    /// How the command ends when it throws nothing.
    var exitCode = ExitCode.success

    /// The path of the configuration, if the command has it from elsewhere than `--config`.
    var path: String?
    private var read: Configuration?
    private(set) var opened: (access: OpenedStore, administration: Administration)?

    init(_ arguments: ParsedArguments, _ context: CommandContext) {
        self.arguments = arguments
        self.context = context
    }

    var now: Timestamp { self.context.now() }
    func result(_ text: String) throws(SystemError) { try self.context.console.result(text) }
    func say(_ text: String) { self.context.console.say(text) }

    /// The file that ``path``, `--config`, `LATCHKEYD_CONFIG` or a usual place names.
    var file: ConfigurationFile {
        get throws { try .locate(given: self.path ?? self.arguments.value("config"), self.context) }
    }

    /// The configuration, as it was when the command first asked for it.
    var configuration: Configuration {
        get throws {
            if let read = self.read { return read }
            let configuration = try self.file.read()
            self.read = configuration
            return configuration
        }
    }

    /// The domain over the configured store, open until the command ends. The server may run meanwhile; it follows what
    /// is changed here within a second or two.
    /// - Throws: `OperatorError` when the keys cannot be read, there is no store yet or it cannot be used.
    var administration: Administration {
        get async throws {
            if let opened = self.opened { return opened.administration }
            let configuration = try self.configuration
            let keys = try configuration.keyFolder.serverKeys(now: self.now)
            let console = self.context.console
            let store = try await StoreAccess.open(configuration, for: .command)
            let administration = Administration(
                catalogue: configuration.catalogue, store: store.store, keys: keys,
                onEnding: EndingsFile(beside: configuration.storeFile).following {
                    console.say("After a restore this would not be known: \($0)")
                })
            self.opened = (store, administration)
            return administration
        }
    }

    /// Keeps in the audit log what was changed outside the store already, so that a store that cannot take the entry is no
    /// failure, but said.
    func log(_ action: String, of subject: String) async {
        do {
            try await self.administration.operations.log(action, of: subject, actor: CommandActor.text, now: self.now)
        } catch {
            self.say("The audit log does not have it: \(self.described(error))")
        }
    }

    /// Closes the store. The next use opens it again, with the keys that are there then.
    func close() async {
        await self.opened?.access.close()
        self.opened = nil
    }

    func described(_ error: any Error) -> any Error {
        self.opened == nil ? error : StoreProblem.described(error, file: self.read?.shownStoreFile)
    }
}
