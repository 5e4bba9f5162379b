import CommandLineTool

/// A command of the program, or a group of them: how it is called and what it does.
struct ServerCommand: Sendable {
    /// The files that a command works with.
    enum Needs {
        case nothing, configuration
        /// The configuration, the keys and the store.
        case store
    }

    /// The work of a command.
    /// - Throws: `UsageError`, `OperatorError`, `ConfigurationFaults` or `Console.OutputError`; each is shown as it is.
    typealias Work = @Sendable (ParsedArguments, CommandCall) async throws -> Void

    let command: Command
    /// Whether the program makes the JSON of `--json` out of what the command says.
    let isTranscribed: Bool
    private let members: [ServerCommand]
    private let work: Work

    /// A command.
    /// - Parameters:
    ///   - codes: how it may end beside the ways of every command that needs the same.
    ///   - hasResult: whether a caller waits for its end, so that it has `--json`.
    init(
        _ needs: Needs, _ name: String, _ summary: String, discussion: [String] = [], options: [CommandOption] = [],
        operands: [CommandOperand] = [], examples: KeyValuePairs<String, String>, also codes: [ExitCode] = [],
        hasResult: Bool = true, work: @escaping Work
    ) {
        let needed: [ExitCode] =
            switch needs {
            case .nothing: []
            case .configuration: [.configuration]
            case .store: [.keysUnusable, .stateProblem, .configuration]
            }
        self.isTranscribed = hasResult && !options.contains { $0.name == CommonOptions.json.name }
        self.command = Command(
            name, summary, discussion: discussion,
            options: (needs == .nothing ? [] : [ConfigurationFile.option]) + options
                + (self.isTranscribed ? [CommonOptions.json] : []),
            operands: operands, examples: examples,
            exitCodes: [.success, .usage] + needed + codes)
        (self.members, self.work) = ([], work)
    }

    /// Commands that are called with a word of their own in front.
    init(group name: String, _ summary: String, _ members: [ServerCommand]) {
        self.command = Command(name, summary, subcommands: members.map(\.command))
        (self.members, self.isTranscribed, self.work) = (members, false, { _, call in call.exitCode = .internalError })
    }

    /// The command that words behind this one's own lead to; itself for none.
    func member(_ words: ArraySlice<String>) -> ServerCommand? {
        guard let word = words.first else { return self }
        return self.members.first { $0.command.name == word }?.member(words.dropFirst())
    }

    /// Runs the command, and closes what it opened.
    func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let call = CommandCall(arguments, context)
        do {
            try await self.work(arguments, call)
        } catch {
            let described = call.described(error)
            await call.close()
            throw described
        }
        await call.tellDelay()
        await call.close()
        return call.exitCode
    }
}
