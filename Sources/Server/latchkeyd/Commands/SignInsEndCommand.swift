import Clientless
package import CommandLineTool
import Entitlement
import FoundationEssentials
import Providers
import StoreSQLite

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

    /// How many sign-ins are read at a time to be counted.
    private static let page = 500

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let device = try arguments.value("device").map { try Operations.device($0, arguments) }
        let isRehearsal = arguments.has("dry-run")
        let count = try await Operations.withCore(arguments, context) { core in
            let operations = core.domain.operations
            if let device {
                try Self.requireAlone("device", arguments)
                guard !isRehearsal else { return try await operations.records(of: device).count }
                return try await operations.deleteRecords(of: device, actor: Operations.actor, now: context.now()).count
            }
            let (selection, subject) = try await Self.selection(arguments, core)
            guard !isRehearsal else { return try await Self.count(selection, operations) }
            return try await operations.endSignIns(
                selection, subject: subject, actor: Operations.actor, now: context.now())
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

    private static func count(
        _ selection: AuthNSelection, _ operations: Entitlement.Operations
    ) async throws(EntitlementError) -> Int {
        var (count, last): (Int, AuthNID?) = (0, nil)
        while true {
            let page = try await operations.records(selection, after: last, limit: Self.page)
            count += page.count
            guard page.count == Self.page, let next = page.last?.id else { return count }
            last = next
        }
    }

    /// What the options select, and what the audit log says of it.
    private static func selection(
        _ arguments: ParsedArguments, _ core: Operations.Core
    ) async throws -> (AuthNSelection, subject: String) {
        if arguments.has("all") {
            try Self.requireAlone("all", arguments)
            return (AuthNSelection(), "all")
        }
        var (selection, words) = (AuthNSelection(), [String]())
        if arguments.has("viewer") {
            let (provider, name, id) = try await Self.viewer(arguments, core)
            selection = .viewer(core.keys.userID(id, of: provider), of: provider)
            words.append("user \(provider) \(name)")
        } else if let text = arguments.value("provider") {
            guard let provider = core.configuration.catalogue.mvpds.first(where: { $0.id.text == text }) else {
                throw UsageError(
                    "The configuration has no provider '\(terminalSafe(text, limit: 80))'.",
                    commandPath: arguments.commandPath)
            }
            selection.mvpd = provider.id
            words.append("provider \(provider.id)")
        }
        if let text = arguments.value("code") {
            guard let code = RegistrationCodeText(text) else {
                throw UsageError("--code takes a registration code.", commandPath: arguments.commandPath)
            }
            selection.code = code
            // A code opens nothing once it was used; the log still does without it.
            words.append("one code")
        }
        if arguments.has("requestor") {
            let requestor = try CommonOptions.requestor(arguments, of: core.configuration.catalogue).id
            selection.requestor = requestor
            words.append("requestor \(requestor)")
        }
        selection.since = try Self.moment("since", arguments)
        selection.before = try Self.moment("until", arguments)
        if let since = selection.since { words.append("since \(since.timeText)") }
        if let before = selection.before { words.append("until \(before.timeText)") }
        guard !words.isEmpty else {
            throw UsageError(
                "Say whose sign-ins end, with one of the options; --all is all there are.",
                commandPath: arguments.commandPath)
        }
        return (selection, words.joined(separator: ", "))
    }

    /// A viewer whose account is gone is still named by what was the account's ID, its name in an old store.
    private static func viewer(
        _ arguments: ParsedArguments, _ core: Operations.Core
    ) async throws -> (provider: MVPDID, name: String, id: String) {
        let provider = try Users.provider(arguments, of: core.configuration.catalogue)
        guard let name = AccountName.canonical(arguments.value("viewer") ?? "") else {
            throw UsageError(
                "--viewer takes a name of 1 to 64 bytes without spaces.", commandPath: arguments.commandPath)
        }
        return (provider, name, try await core.store.account(name, of: provider)?.id ?? name)
    }

    private static func moment(_ option: String, _ arguments: ParsedArguments) throws(UsageError) -> Timestamp? {
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

extension AuthNSelection {
    /// The sign-ins of one viewer.
    /// - Parameter userID: ``AuthNRecord/userID``.
    static func viewer(_ userID: String, of mvpd: MVPDID) -> AuthNSelection {
        var selection = AuthNSelection()
        selection.mvpd = mvpd
        selection.userID = userID
        return selection
    }
}
