import CommandLineTool
import Entitlement

/// `latchkeyd confirm-time`
enum ConfirmTimeCommand {
    static let command = ServerCommand(
        .store, "confirm-time", "Say that the clock is right, after the server doubted it",
        discussion: [
            "After its clock jumped, a server erases nothing for a day. Check the clock first ('timedatectl'). A "
                + "running server notices your confirmation within minutes."
        ],
        examples: ["latchkeyd confirm-time": "after a look at timedatectl"]
    ) { arguments, call in
        let now = call.now
        try await call.administration.operations.confirmTime(now, actor: CommandActor.text)
        call.say("\(now.timeText) is the right time.")
    }
}
