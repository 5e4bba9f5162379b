package import CommandLineTool
import Entitlement

/// `latchkeyd keys client revoke`
package enum ClientRevokeCommand: ServerCommand {
    package static let command = Command(
        "revoke", "Refuse one installation of an application at once, with its access tokens",
        discussion: ["The application and its other installations go on. The audit log names clients that act."],
        options: [ConfigurationFile.option],
        operands: [CommandOperand("CLIENT-ID", "The client that the installation registered", count: .oneOrMore)],
        examples: [
            CommandExample("latchkeyd keys client revoke 0d9c2a56-7b1e-4c63-8f0a-52e1b7d4c9aa", "after a theft")
        ],
        exitCodes: [.success, .failure, .usage, .keysUnusable, .stateProblem, .configuration])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        try await StoreAccess.withAdministration(arguments, context) { administration, _ in
            for clientID in arguments.operands {
                guard
                    try await administration.credentials.revokeClient(
                        clientID, actor: CommandActor.text, now: context.now())
                else { throw OperatorError("There is no client with this ID.", exitCode: .failure) }
                context.console.say("\(clientID) was revoked.")
            }
            return .success
        }
    }
}
