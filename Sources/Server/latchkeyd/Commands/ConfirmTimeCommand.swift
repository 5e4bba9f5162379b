package import CommandLineTool
import Entitlement

/// `latchkeyd confirm-time`
package enum ConfirmTimeCommand: ServerCommand {
    package static let command = Command.ofStore(
        "confirm-time", "Say that the clock is right, after the server doubted it",
        discussion: [
            "After its clock jumped, a server erases nothing for a day. Check the clock first ('timedatectl'). A "
                + "running server notices your confirmation within minutes."
        ],
        examples: [CommandExample("latchkeyd confirm-time", "after a look at timedatectl")])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        try await StoreAccess.withAdministration(arguments, context) { administration, _ in
            let now = context.now()
            try await administration.operations.confirmTime(now, actor: CommandActor.text)
            context.console.say("\(now.timeText) is the right time.")
            return .success
        }
    }
}
