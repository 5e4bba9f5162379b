package import CommandLineTool
import Entitlement

/// The program `latchkeyd`: its commands, and how each of them may end.
package enum ServerProgram {
    /// The version of this source.
    package static let version = "0.1.0"

    private static let groups: [(name: String, summary: String, commands: [any ServerCommand.Type])] = [
        (
            "application", "Registered applications and their software statements",
            [
                ApplicationIssueCommand.self, ApplicationListCommand.self, ApplicationStatementCommand.self,
                ApplicationRevokeCommand.self,
            ]
        ),
        ("signing", "The keys this server signs with", [SigningKeyListCommand.self, SigningKeyRotateCommand.self]),
    ]
    private static let keyCommands: [any ServerCommand.Type] = [
        KeyPairIssueCommand.self, KeyPairListCommand.self, KeyPairRotateCommand.self, KeyPairRevokeCommand.self,
    ]
    private static let userCommands: [any ServerCommand.Type] = [
        UserAddCommand.self, UserPasswordCommand.self, UserListCommand.self, UserRemoveCommand.self,
    ]
    private static let otherCommands: [any ServerCommand.Type] = [
        InitCommand.self, CheckConfigCommand.self, ServeCommand.self, BackupCommand.self, VerifyMediaTokenCommand.self,
        OpenAPICommand.self,
    ]

    package static let program = CommandLineProgram(
        Command(
            "latchkeyd", "Pairs boxes with TV providers over a second screen",
            discussion: [
                "Commands that need the configuration look for it in --config, then in LATCHKEYD_CONFIG, then at "
                    + ConfigurationFile.usualPlaces.joined(separator: ", ") + "."
            ],
            examples: [
                CommandExample("latchkeyd init --demo", "a set-up to try things with, in the folder latchkeyd"),
                CommandExample("latchkeyd serve", "the server"),
            ],
            subcommands: Self.otherCommands.map { $0.command } + [
                Command(
                    "keys", "What callers authenticate with, and what this server signs with",
                    subcommands: Self.keyCommands.map { $0.command }
                        + Self.groups.map { group in
                            Command(group.name, group.summary, subcommands: group.commands.map { $0.command })
                        }),
                Command("user", "Viewers of local TV providers", subcommands: Self.userCommands.map { $0.command }),
            ]),
        version: Self.version)

    private static func implementation(of path: [String]) -> (any ServerCommand.Type)? {
        let commands =
            switch (path.first, path.count) {
            case ("keys", 2): Self.keyCommands
            case ("keys", 3): Self.groups.first { $0.name == path[1] }?.commands ?? []
            case ("user", 2): Self.userCommands
            case (_, 1): Self.otherCommands
            default: [any ServerCommand.Type]()
            }
        return commands.first { $0.command.name == path.last }
    }

    /// Runs what the arguments after the program's name ask for, and says what went wrong.
    package static func run(_ arguments: [String], _ context: CommandContext) async -> ExitCode {
        do {
            switch try Self.program.read(arguments) {
            case .print(let text):
                try context.console.result(text)
                return .success
            case .run(let path, let parsed):
                guard let command = Self.implementation(of: path) else { return .internalError }
                return try await command.run(parsed, context)
            }
        } catch let error as UsageError {
            context.console.say("latchkeyd: \(error)")
            return .usage
        } catch let error as OperatorError {
            context.console.say("latchkeyd: \(error)")
            return error.exitCode
        } catch let error as ConfigurationFaults {
            for fault in error.faults { context.console.say("latchkeyd: \(fault)") }
            return .configuration
        } catch let error as StoreError {
            let problem = StoreProblem.describe(error, file: nil)
            context.console.say("latchkeyd: \(problem)")
            return problem.exitCode
        } catch let error as Console.OutputError {
            context.console.say("latchkeyd: The result cannot be written: \(error).")
            return .stateProblem
        } catch {
            context.console.say("latchkeyd: Something unforeseen went wrong: \(error).")
            return .internalError
        }
    }
}
