package import CommandLineTool

/// One command of the program: how it is called, and what it does.
package protocol ServerCommand: Sendable {
    static var command: Command { get }

    /// - Throws: `UsageError`, `OperatorError`, `ConfigurationFaults` or `Console.OutputError`; each is shown as it is.
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode
}

extension Command {
    /// A command that reads the configuration and works with the store that it names.
    /// - Parameter more: how it may end beside the ways of every such command.
    static func ofStore(
        _ name: String, _ summary: String, discussion: [String] = [], options: [CommandOption] = [],
        operands: [CommandOperand] = [], examples: [CommandExample], also more: [ExitCode] = []
    ) -> Command {
        Command(
            name, summary, discussion: discussion, options: [ConfigurationFile.option] + options, operands: operands,
            examples: examples,
            exitCodes: ([.success, .usage, .keysUnusable, .stateProblem, .configuration] + more).sorted {
                $0.rawValue < $1.rawValue
            })
    }
}
