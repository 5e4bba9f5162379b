import Clientless
package import CommandLineTool
import Entitlement
import POSIX

package enum ServerProgram {
    package static let version = CommandLineProgram.releasedVersion

    private static let topics: [(heading: String, commands: [String])] = [
        ("Set up", ["init", "requestor", "provider", "keys", "check", "check-config"]),
        ("Viewers and boxes", ["user", "boxes", "sign-ins", "explain", "trials"]),
        ("From day to day", ["serve", "report", "audit", "degradation", "confirm-time"]),
        ("Store and backup", ["backup", "restore", "migrate", "store"]),
    ]

    private static let root = ServerCommand(
        group: "latchkeyd", "Pairs boxes with TV providers over a second screen",
        discussion: [
            "Commands that need the configuration look for it in --config, then in LATCHKEYD_CONFIG, then at "
                + ConfigurationFile.usualPlaces.joined(separator: ", ") + "."
        ],
        examples: [
            "latchkeyd init --demo": "a set-up to try things with, in the folder latchkeyd",
            "latchkeyd serve": "the server",
        ],
        [
            InitCommand.command, CheckConfigCommand.command, CheckCommand.command, ServeCommand.command,
            MigrateCommand.command, BackupCommand.command, RestoreCommand.command, VerifyMediaTokenCommand.command,
            OpenAPICommand.command, AuditCommand.command, ConfirmTimeCommand.command, ExplainCommand.command,
            ReportCommand.command,
            ServerCommand(
                group: "keys", "Credentials of callers, and the keys that sign and seal",
                KeyPairCommands.all + [
                    RotateSealCommand.command, ApplicationCommands.group, CredentialListCommands.clients,
                    CredentialListCommands.setUpCodes, SigningKeyCommands.group,
                ]),
            ServerCommand(
                group: "store", "The store, which keeps codes, sign-ins and accounts",
                [StoreCopyCommand.command, StoreCopyCommand.takeBack, StoreCheckCommand.command]),
            ServerCommand(
                group: "user", "Viewers of local TV providers",
                UserCommands.all + [PasskeyCommands.group, UserChannelCommands.group]),
            RequestorCommands.group,
            ServerCommand(
                group: "provider", "TV providers of the configuration",
                ProviderCatalogueCommands.all + ProviderCommands.all + [ProviderMakeKeyCommand.command]),
            BoxCommands.group,
            ServerCommand(group: "sign-ins", "Sign-ins of many boxes at once", [SignInsEndCommand.command]),
            ServerCommand(group: "trials", "Trials of temporary passes", [TrialResetCommand.command]),
            DegradationCommands.group,
        ])

    package static let program = CommandLineProgram(
        Self.root.command, version: CommandLineProgram.builtVersion, topics: Self.topics,
        filePages: [ConfigurationFile.name: { Configuration.manualPage }])

    package static func run(_ arguments: [String], _ context: CommandContext) async -> ExitCode {
        await self.saying(context) {
            switch try Self.program.read(arguments) {
            case .print(let text):
                try context.console.result(text)
                return .success
            case .run(let path, let parsed):
                guard let work = Self.root.work(of: path[...]) else { return .internalError }
                guard work.isTranscribed, parsed.has(CommonOptions.json.name) else {
                    return try await work.run(parsed, context)
                }
                let transcript = Console.Transcript()
                let quiet = CommandContext(
                    console: context.console.writing(to: transcript), environment: context.environment,
                    now: context.now)
                let code = await self.saying(quiet) { try await work.run(parsed, quiet) }
                // The outcome of a command that has no JSON of its own.
                try context.console.result(
                    JSONLine.text(of: [
                        "exitCode": .integer(Int64(code.rawValue)), "results": .texts(transcript.results),
                        "messages": .texts(transcript.talk),
                    ]))
                return code
            }
        }
    }

    private static func saying(_ context: CommandContext, _ body: () async throws -> ExitCode) async -> ExitCode {
        do {
            return try await body()
        } catch {
            let (sentences, code) = Self.told(error)
            for sentence in sentences { context.console.say("latchkeyd: \(sentence)") }
            return code
        }
    }

    private static func told(_ error: any Error) -> (sentences: [String], code: ExitCode) {
        switch error {
        case let error as UsageError: (["\(error)"], .usage)
        case let error as OperatorError: (["\(error)"], error.exitCode)
        case let error as ConfigurationFaults: (error.faults.map(\.description), .configuration)
        case let error as StoreError: Self.told(StoreProblem.describe(error, file: nil))
        case is SystemError: (["The result cannot be written: \(error)."], .stateProblem)
        default: (["Something unforeseen went wrong: \(error)."], .internalError)
        }
    }
}
