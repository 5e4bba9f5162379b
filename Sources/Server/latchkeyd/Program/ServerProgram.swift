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
                subcommands: self.commands.map { $0.command } + self.groups.map(\.command))
        }

        /// What the words after this group's own lead to.
        func implementation(of words: ArraySlice<String>) -> (any ServerCommand.Type)? {
            guard let word = words.first else { return nil }
            if words.count == 1 { return self.commands.first { $0.command.name == word } }
            return self.groups.first { $0.name == word }?.implementation(of: words.dropFirst())
        }
    }

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
                name: "keys", summary: "What callers authenticate with, and what this server signs with",
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
                        commands: [ClientRevokeCommand.self]),
                    Group(
                        name: "signing", summary: "The keys this server signs with",
                        commands: [SigningKeyListCommand.self, SigningKeyRotateCommand.self]),
                ]),
            Group(
                name: "store", summary: "Where everything is kept",
                commands: [StoreCopyCommand.self, StoreCheckCommand.self]),
            Group(
                name: "user", summary: "Viewers of local TV providers",
                commands: [
                    UserAddCommand.self, UserPasswordCommand.self, UserMetadataCommand.self, UserListCommand.self,
                    UserImportCommand.self, UserRemoveCommand.self,
                ],
                groups: [
                    Group(
                        name: "passkeys", summary: "What opens a viewer's account beside the password",
                        commands: [PasskeyListCommand.self, PasskeyRemoveCommand.self]),
                    Group(
                        name: "channels", summary: "What a viewer may play",
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
                name: "devices", summary: "What is kept of a box: its sign-ins and permissions",
                commands: [DeviceListCommand.self, DeviceDeleteCommand.self]),
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
        version: CommandLineProgram.builtVersion)

    /// Runs what the arguments after the program's name ask for, and says what went wrong.
    package static func run(_ arguments: [String], _ context: CommandContext) async -> ExitCode {
        do {
            switch try Self.program.read(arguments) {
            case .print(let text):
                try context.console.result(text)
                return .success
            case .run(let path, let parsed):
                guard let command = Self.root.implementation(of: path[...]) else { return .internalError }
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
