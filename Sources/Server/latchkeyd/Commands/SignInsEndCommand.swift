import Clientless
package import CommandLineTool
import Entitlement

/// `latchkeyd sign-ins end`
package enum SignInsEndCommand: ServerCommand {
    package static let command = Command.ofStore(
        "end", "End sign-ins of many boxes, with their permits",
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
            CommandExample("latchkeyd sign-ins end --viewer anna", "whose password was stolen"),
            CommandExample(
                "latchkeyd sign-ins end --requestor NORTHSPORT --since yesterday --dry-run", "how many"),
        ])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let device = try arguments.value("device").map { try CommonOptions.device($0, arguments) }
        if device != nil { try Self.requireAlone("device", arguments) }
        let isRehearsal = arguments.has("dry-run")
        let count = try await StoreAccess.withAdministration(arguments, context) { administration, configuration in
            let selection: SignInSelection
            if let device {
                selection = .device(device)
            } else {
                selection = try await Self.selection(arguments, administration, configuration, now: context.now())
            }
            guard !isRehearsal else { return try await administration.operations.countSignIns(selection) }
            return try await administration.operations.endSignIns(
                selection, actor: CommandActor.text, now: context.now())
        }
        try context.shows(["signIns": .integer(Int64(count)), "ended": .boolean(!isRehearsal)], arguments)
        context.console.say(
            !isRehearsal
                ? Self.ended(count) : count == 1 ? "1 sign-in would end." : "\(count) sign-ins would end.")
        return .success
    }

    /// Says how many ended.
    static func ended(_ count: Int) -> String { count == 1 ? "1 sign-in ended." : "\(count) sign-ins ended." }

    private static func selection(
        _ arguments: ParsedArguments, _ administration: Administration, _ configuration: Configuration, now: Timestamp
    ) async throws -> SignInSelection {
        if arguments.has("all") {
            try Self.requireAlone("all", arguments)
            return .all
        }
        let selection = try await SignInOptions.selection(
            arguments, administration, configuration, code: arguments.value("code"), now: now)
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
