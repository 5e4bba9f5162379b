package import CommandLineTool
import Entitlement

/// `latchkeyd confirm-time`
package enum ConfirmTimeCommand: ServerCommand {
    package static let command = Command(
        "confirm-time", "Say that the clock is right, after the server doubted it",
        discussion: [
            "A server whose clock jumped erases nothing until the new time has gone on for a day. Look at the clock first "
                + "('timedatectl'); a server that runs follows within minutes."
        ],
        options: [ConfigurationFile.option],
        examples: [CommandExample("latchkeyd confirm-time", "after a look at timedatectl")],
        exitCodes: [.success, .usage, .keysUnusable, .stateProblem, .configuration])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        try await StoreAccess.withAdministration(arguments, context) { administration, _ in
            let now = context.now()
            try await administration.operations.confirmTime(now, actor: CommandActor.text)
            context.console.say("\(now.timeText) is the right time.")
            return .success
        }
    }
}
