import CommandLineTool

typealias ServerCommand = ProgramCommand<ServerWork>

/// The work of a command, and how its end is told.
struct ServerWork: Sendable {
    /// Whether the program makes the JSON of `--json` out of what the command says.
    let isTranscribed: Bool
    /// Throws `UsageError`, `OperatorError`, `ConfigurationFaults` or `SystemError` of the output; each is shown as it is.
    fileprivate let body: @Sendable (ParsedArguments, CommandCall) async throws -> Void

    func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let call = CommandCall(arguments, context)
        do {
            try await self.body(arguments, call)
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

extension ServerCommand {
    enum Needs {
        case nothing, configuration
        /// The configuration, the keys and the store.
        case store
    }

    /// - Parameters:
    ///   - codes: how it may end beside the ways of every command that needs the same.
    ///   - hasResult: whether a caller waits for its end, so that it has `--json`.
    init(
        _ needs: Needs, _ name: String, _ summary: String, discussion: [String] = [], options: [CommandOption] = [],
        operands: [CommandOperand] = [], examples: KeyValuePairs<String, String>, also codes: [ExitCode] = [],
        hasResult: Bool = true, work: @escaping @Sendable (ParsedArguments, CommandCall) async throws -> Void
    ) {
        let needed: [ExitCode] =
            switch needs {
            case .nothing: []
            case .configuration: [.configuration]
            case .store: [.keysUnusable, .stateProblem, .configuration]
            }
        let isTranscribed = hasResult && !options.contains { $0.name == CommonOptions.json.name }
        self.init(
            name, summary, discussion: discussion,
            options: (needs == .nothing ? [] : [ConfigurationFile.option]) + options
                + (isTranscribed ? [CommonOptions.json] : []),
            operands: operands, examples: examples, exitCodes: [.success, .usage] + needed + codes,
            ServerWork(isTranscribed: isTranscribed, body: work))
    }
}
