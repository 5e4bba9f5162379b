import Clientless
import CommandLineTool
import Entitlement

/// `latchkeyd sign-ins end`
enum SignInsEndCommand {
    static let command = ServerCommand(
        .store, "end", "End sign-ins of many boxes, with their permits",
        discussion: [
            "Several options narrow the selection together. A running server tells the boxes within a second or "
                + "two. It does not tell the TV providers. With --dry-run the command only shows the number."
        ],
        options: [
            .value("code", "CODE", "Obtained through this registration code"),
            .value("device", "ID", "Of this box; - reads its ID from standard input"),
            .flag("all", "All there are"), .flag("dry-run", "Only count them"), CommonOptions.json,
        ] + SignInOptions.all,
        examples: [
            "latchkeyd sign-ins end --viewer anna": "whose password was stolen",
            "latchkeyd sign-ins end --requestor NORTHSPORT --since yesterday --dry-run": "how many",
        ]
    ) { arguments, call in
        let device = try arguments.value("device").map { try arguments.device($0) }
        if device != nil { try Self.requireAlone("device", arguments) }
        let isRehearsal = arguments.has("dry-run")
        let (operations, actor) = (try await call.administration.operations, CommandActor.text)
        let count: Int
        if let device {
            count =
                isRehearsal
                ? try await operations.records(of: device).count
                : try await operations.deleteRecords(of: device, actor: actor, now: call.now).count
        } else {
            let selection = try await Self.selection(call)
            count =
                isRehearsal
                ? try await operations.countSignIns(selection)
                : try await operations.endSignIns(selection, actor: actor, now: call.now)
        }
        try call.shows(["signIns": .integer(Int64(count)), "ended": .boolean(!isRehearsal)])
        call.say(
            !isRehearsal
                ? Self.ended(count) : count == 1 ? "1 sign-in would end." : "\(count) sign-ins would end.")
    }

    /// Says how many ended.
    static func ended(_ count: Int) -> String { count == 1 ? "1 sign-in ended." : "\(count) sign-ins ended." }

    private static func selection(_ call: CommandCall) async throws -> AuthNSelection {
        let arguments = call.arguments
        if arguments.has("all") {
            try Self.requireAlone("all", arguments)
            return .all
        }
        let selection = try await SignInOptions.selection(call, code: arguments.value("code"))
        guard selection != .all else {
            throw arguments.fault("Say whose sign-ins end, with one of the options; --all is all there are.")
        }
        return selection
    }

    private static func requireAlone(_ option: String, _ arguments: ParsedArguments) throws(UsageError) {
        let others = ["viewer", "provider", "code", "requestor", "since", "until", "device", "all"]
        guard others.allSatisfy({ $0 == option || !arguments.has($0) }) else {
            throw arguments.fault("--\(option) goes with no other selection.")
        }
    }
}
