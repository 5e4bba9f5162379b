import JSON5
package import CommandLineTool

/// One command of the program: how it is called, and what it does.
package protocol ServerCommand: Sendable {
    static var command: Command { get }

    /// - Throws: `UsageError`, `OperatorError`, `ConfigurationFaults` or `Console.OutputError`; each is shown as it is.
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode
}
