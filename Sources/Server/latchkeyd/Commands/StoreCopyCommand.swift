import CommandLineTool
import Entitlement

/// `latchkeyd store copy`
enum StoreCopyCommand {
    static let command = ServerCommand(
        .configuration, "copy", "Carry everything from one kind of store to another",
        discussion: [
            "Copies codes, sign-ins, permits, accounts, keys, trials, rules, reports and the audit log, and "
                + "compares each row with what the new store returns. The configuration describes both stores; "
                + "store.kind chooses the one that servers use.",
            "Stop all servers first; the command refuses a store that is in use. To resume an interrupted copy, "
                + "call the command again. It refuses a new store that has other rows. Then change store.kind, and "
                + "start the servers with the same keys. The old store stays as it is. No server may use it again.",
        ],
        options: [
            .value("from", "KIND", "sqlite or postgres"),
            .value("to", "KIND", "sqlite or postgres"),
        ],
        examples: ["latchkeyd store copy --from sqlite --to postgres": "when one machine is not enough"],
        also: [.stateProblem]
    ) { arguments, call in
        let source = try Self.kind("from", arguments)
        let target = try Self.kind("to", arguments)
        guard source != target else {
            throw arguments.fault("--from and --to are the same.")
        }
        let configuration = try call.configuration
        var (rows, added) = (0, 0)
        try await StoreAccess.copy(of: configuration, from: source, to: target, now: call.context.now) { outcome in
            (rows, added) = (rows + outcome.rows, added + outcome.added)
            guard outcome.rows > 0 else { return }
            call.say("\(outcome.table): \(outcome.rows) rows, \(outcome.added) of them copied now")
        }
        call.say(
            "The store of kind \(target.rawValue) has all \(rows) rows; \(added) were copied now. To use it, set "
                + "store.kind to \(target.rawValue).")
    }

    private static func kind(_ option: String, _ arguments: ParsedArguments) throws -> StoreSettings.KindName {
        guard let kind = StoreSettings.KindName(rawValue: try arguments.required(option)) else {
            throw arguments.fault("--\(option) takes sqlite or postgres.")
        }
        return kind
    }
}
