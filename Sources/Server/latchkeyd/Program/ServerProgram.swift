import Clientless
import JSON5
package import CommandLineTool
import Entitlement

/// The program `latchkeyd`: its commands, and how each of them may end.
package enum ServerProgram {
    package static let version = CommandLineProgram.releasedVersion

    /// Commands that are called with a word of their own in front.
    private struct Group: Sendable {
        let name: String
        let summary: String
        let commands: [any ServerCommand.Type]
        var groups: [Group] = []

        var command: Command {
            Command(
                self.name, self.summary,
                subcommands: self.commands.map(ServerProgram.command) + self.groups.map(\.command))
        }

        /// The command that the words after this group's own lead to.
        func implementation(of words: ArraySlice<String>) -> (any ServerCommand.Type)? {
            guard let word = words.first else { return nil }
            if words.count == 1 { return self.commands.first { $0.command.name == word } }
            return self.groups.first { $0.name == word }?.implementation(of: words.dropFirst())
        }
    }

    /// As the command declares itself, with `--json`, which every command has whose end is waited for.
    private static func command(_ type: any ServerCommand.Type) -> Command {
        let command = type.command
        let hasResult = type != ServeCommand.self && type != OpenAPICommand.self
        return hasResult && !self.writesJSON(type) ? command.adding(options: [CommonOptions.json]) : command
    }

    private static func writesJSON(_ type: any ServerCommand.Type) -> Bool {
        type.command.options.contains { $0.name == CommonOptions.json.name }
    }

    private static let topics: [(heading: String, commands: [String])] = [
        ("Set up", ["init", "requestor", "provider", "keys", "check", "check-config"]),
        ("Viewers and boxes", ["user", "boxes", "sign-ins", "explain", "trials"]),
        ("From day to day", ["serve", "report", "audit", "degradation", "confirm-time"]),
        ("Store and backup", ["backup", "restore", "migrate", "store"]),
    ]

    private static let root = Group(
        name: "latchkeyd", summary: "Pairs boxes with TV providers over a second screen",
        commands: [
            InitCommand.self, CheckConfigCommand.self, CheckCommand.self, ServeCommand.self, MigrateCommand.self,
            BackupCommand.self, RestoreCommand.self, VerifyMediaTokenCommand.self, OpenAPICommand.self,
            AuditCommand.self, ConfirmTimeCommand.self, ExplainCommand.self,
            ReportCommand.self,
        ],
        groups: [
            Group(
                name: "keys", summary: "Credentials of callers, and the keys that sign and seal",
                commands: [
                    KeyPairIssueCommand.self, KeyPairListCommand.self, KeyPairRotateCommand.self,
                    KeyPairRevokeCommand.self, RotateSealCommand.self,
                ],
                groups: [
                    Group(
                        name: "application", summary: "Registered applications and their software statements",
                        commands: [
                            ApplicationIssueCommand.self, ApplicationListCommand.self,
                            ApplicationStatementCommand.self, ApplicationRevokeCommand.self,
                        ]),
                    Group(
                        name: "client", summary: "Installations of registered applications",
                        commands: [ClientListCommand.self, ClientRevokeCommand.self]),
                    Group(
                        name: "setup-code", summary: "One-time codes for new boxes",
                        commands: [SetUpCodeListCommand.self, SetUpCodeRevokeCommand.self]),
                    Group(
                        name: "signing", summary: "The keys this server signs with",
                        commands: [SigningKeyListCommand.self, SigningKeyRotateCommand.self]),
                ]),
            Group(
                name: "store", summary: "The store, which keeps codes, sign-ins and accounts",
                commands: [StoreCopyCommand.self, StoreCheckCommand.self]),
            Group(
                name: "user", summary: "Viewers of local TV providers",
                commands: [
                    UserAddCommand.self, UserPasswordCommand.self, UserMetadataCommand.self, UserListCommand.self,
                    UserImportCommand.self, UserRemoveCommand.self,
                ],
                groups: [
                    Group(
                        name: "passkeys",
                        summary: "The passkeys of a viewer, who signs in with them instead of a password",
                        commands: [PasskeyListCommand.self, PasskeyRemoveCommand.self]),
                    Group(
                        name: "channels", summary: "The channels that a viewer may play",
                        commands: [UserChannelsAddCommand.self, UserChannelsRemoveCommand.self]),
                ]),
            Group(
                name: "requestor", summary: "Channel brands of the configuration",
                commands: [
                    RequestorAddCommand.self, RequestorListCommand.self, RequestorEditCommand.self,
                    RequestorRemoveCommand.self,
                ]),
            Group(
                name: "provider", summary: "TV providers of the configuration",
                commands: [
                    ProviderAddCommand.self, ProviderListCommand.self, ProviderRemoveCommand.self,
                    ProviderCheckCommand.self, ProviderTryMappingCommand.self, ProviderMakeKeyCommand.self,
                ]),
            Group(
                name: "boxes", summary: "Boxes that are signed in",
                commands: [BoxListCommand.self, BoxShowCommand.self, BoxSignOutCommand.self]),
            Group(
                name: "sign-ins", summary: "Sign-ins of many boxes at once", commands: [SignInsEndCommand.self]),
            Group(name: "trials", summary: "Trials of temporary passes", commands: [TrialResetCommand.self]),
            Group(
                name: "degradation", summary: "Rules that bypass a TV provider for a while",
                commands: [DegradationAddCommand.self, DegradationListCommand.self, DegradationEndCommand.self]),
        ])

    package static let program = CommandLineProgram(
        Command(
            Self.root.name, Self.root.summary,
            discussion: [
                "Commands that need the configuration look for it in --config, then in LATCHKEYD_CONFIG, then at "
                    + ConfigurationFile.usualPlaces.joined(separator: ", ") + "."
            ],
            examples: [
                CommandExample("latchkeyd init --demo", "a set-up to try things with, in the folder latchkeyd"),
                CommandExample("latchkeyd serve", "the server"),
            ],
            subcommands: Self.root.command.subcommands),
        version: CommandLineProgram.builtVersion, topics: Self.topics,
        filePages: [ConfigurationFile.name: { Configuration.manualPage }])

    /// The outcome of a command that has no JSON of its own.
    private static let outcome = Shape<(code: ExitCode, transcript: Console.Transcript)>(
        .init("exitCode") { Int($0.code.rawValue) }, .init("results", \.transcript.results),
        .init("messages", \.transcript.talk))

    /// Runs what the arguments after the program's name ask for, and says what went wrong.
    package static func run(_ arguments: [String], _ context: CommandContext) async -> ExitCode {
        await self.saying(context) {
            switch try Self.program.read(arguments) {
            case .print(let text):
                try context.console.result(text)
                return .success
            case .run(let path, let parsed):
                guard let command = Self.root.implementation(of: path[...]) else { return .internalError }
                let wraps =
                    Self.command(command).options.contains { $0.name == CommonOptions.json.name }
                    && !Self.writesJSON(command) && parsed.has(CommonOptions.json.name)
                guard wraps else { return try await command.run(parsed, context) }
                let transcript = Console.Transcript()
                let quiet = CommandContext(
                    console: context.console.writing(to: transcript), environment: context.environment,
                    now: context.now)
                let code = await self.saying(quiet) { try await command.run(parsed, quiet) }
                try context.console.result(
                    JSONLine.text(of: (code, transcript), Self.outcome))
                return code
            }
        }
    }

    /// Runs `body`, and says what went wrong.
    private static func saying(
        _ context: CommandContext, _ body: () async throws -> ExitCode
    ) async -> ExitCode {
        do {
            return try await body()
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
