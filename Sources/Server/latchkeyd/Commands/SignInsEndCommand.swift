import Clientless
package import CommandLineTool
import Entitlement
import FoundationEssentials
import Providers

/// `latchkeyd sign-ins end`
package enum SignInsEndCommand: ServerCommand {
    package static let command = Command(
        "end", "End sign-ins of many boxes, with their permissions",
        discussion: [
            "What several options select is what all of them say. A running server tells the boxes within a second or "
                + "two; the TV providers are not told. With --dry-run nothing ends, and the number is shown."
        ],
        options: [
            ConfigurationFile.option,
            .value("viewer", "NAME", "Of this viewer of a local provider"),
            .value("provider", "ID", "Of this TV provider; for --viewer the one it is of"),
            .value("code", "CODE", "Obtained through this registration code"),
            .value("requestor", "ID", "Obtained by this requestor"),
            .value("since", "TIME", "Made then or later, such as 2026-01-31T20:00:00Z"),
            .value("until", "TIME", "Made before then"),
            .value("device", "ID", "Of this box; - reads its ID from standard input"),
            .flag("all", "All there are"), .flag("dry-run", "Only count them"), CommonOptions.json,
        ],
        examples: [
            CommandExample("latchkeyd sign-ins end --viewer anna", "whose password was stolen"),
            CommandExample(
                "latchkeyd sign-ins end --requestor NORTHSPORT --since 2026-01-31T20:00:00Z --dry-run", "how many"),
        ],
        exitCodes: [.success, .usage, .keysUnusable, .stateProblem, .configuration])

    private struct Output: Encodable {
        let signIns: Int
        let ended: Bool
    }

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let device = try arguments.value("device").map { try CommonOptions.device($0, arguments) }
        if device != nil { try Self.requireAlone("device", arguments) }
        let isRehearsal = arguments.has("dry-run")
        let count = try await StoreAccess.withAdministration(arguments, context) { administration, configuration in
            let selection: SignInSelection
            if let device {
                selection = .device(device)
            } else {
                selection = try await Self.selection(arguments, administration, configuration)
            }
            guard !isRehearsal else { return try await administration.operations.countSignIns(selection) }
            return try await administration.operations.endSignIns(
                selection, actor: CommandActor.text, now: context.now())
        }
        if arguments.has("json") {
            try context.console.result(JSONLine.text(of: Output(signIns: count, ended: !isRehearsal)))
        }
        context.console.say(
            !isRehearsal
                ? Self.ended(count) : count == 1 ? "1 sign-in would end." : "\(count) sign-ins would end.")
        return .success
    }

    /// Says how many ended.
    static func ended(_ count: Int) -> String { count == 1 ? "1 sign-in ended." : "\(count) sign-ins ended." }

    private static func selection(
        _ arguments: ParsedArguments, _ administration: Administration, _ configuration: Configuration
    ) async throws -> SignInSelection {
        if arguments.has("all") {
            try Self.requireAlone("all", arguments)
            return .all
        }
        var selection = SignInSelection.all
        if arguments.has("viewer") {
            selection = try await Self.viewer(arguments, administration, configuration)
        } else if let text = arguments.value("provider") {
            guard let provider = configuration.catalogue.mvpds.first(where: { $0.id.text == text }) else {
                throw UsageError(
                    "The configuration has no provider '\(terminalSafe(text, limit: 80))'.",
                    commandPath: arguments.commandPath)
            }
            selection.provider = provider.id
        }
        if let text = arguments.value("code") {
            guard let code = RegistrationCodeText(text) else {
                throw UsageError("--code takes a registration code.", commandPath: arguments.commandPath)
            }
            selection.code = code
        }
        if arguments.has("requestor") {
            selection.requestor = try CommonOptions.requestor(arguments, of: configuration.catalogue).id
        }
        selection.since = try Self.moment("since", arguments)
        selection.before = try Self.moment("until", arguments)
        guard selection != .all else {
            throw UsageError(
                "Say whose sign-ins end, with one of the options; --all is all there are.",
                commandPath: arguments.commandPath)
        }
        return selection
    }

    /// A viewer whose account is gone is still named by what was the account's ID, its name in an old store.
    static func viewer(
        _ arguments: ParsedArguments, _ administration: Administration, _ configuration: Configuration
    ) async throws -> SignInSelection {
        let provider = try Users.provider(arguments, of: configuration)
        guard let name = AccountName.canonical(arguments.value("viewer") ?? "") else {
            throw UsageError(
                "--viewer takes a name of 1 to 64 bytes without spaces.", commandPath: arguments.commandPath)
        }
        let account = try await administration.accounts.account(name, of: provider)
        return .viewer(account?.id ?? name, of: provider)
    }

    static func moment(_ option: String, _ arguments: ParsedArguments) throws(UsageError) -> Timestamp? {
        guard let text = arguments.value(option) else { return nil }
        guard text.utf8.count <= 40, let date = try? Date(text, strategy: .iso8601) else {
            throw UsageError(
                "--\(option) takes a time such as 2026-01-31T20:00:00Z.", commandPath: arguments.commandPath)
        }
        return Timestamp(seconds: Int64(date.timeIntervalSince1970))
    }

    private static func requireAlone(_ option: String, _ arguments: ParsedArguments) throws(UsageError) {
        let others = ["viewer", "provider", "code", "requestor", "since", "until", "device", "all"]
        guard others.allSatisfy({ $0 == option || !arguments.has($0) }) else {
            throw UsageError("--\(option) goes with no other selection.", commandPath: arguments.commandPath)
        }
    }
}
