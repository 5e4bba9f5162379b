import CommandLineTool
import Clientless
import Entitlement
import Providers

/// The options that say which sign-ins a command is about: those that all of them hold for.
enum SignInOptions {
    static let all: [CommandOption] = [
        .value("viewer", "NAME", "Of this viewer of a local provider"),
        .value("provider", "ID", "Of this TV provider; for --viewer the one it is of")
            .offering(.list("provider list")),
        .value("requestor", "ID", "Obtained by this requestor").offering(.list("requestor list")),
        .value("since", "TIME", "Made then or later, \(MomentOption.forms)"),
        .value("until", "TIME", "Made before then"),
    ]

    /// - Throws: also for a viewer of whom nothing was ever kept.
    static func selection(
        _ arguments: ParsedArguments, _ administration: Administration, _ configuration: Configuration, now: Timestamp
    ) async throws -> SignInSelection {
        var selection = SignInSelection.all
        if arguments.has("viewer") {
            selection = try await Self.viewer(arguments, administration, configuration)
        } else if let text = arguments.value("provider") {
            let known = configuration.catalogue.mvpds.map(\.id)
            guard let id = known.first(where: { $0.text == text }) else {
                throw arguments.fault("The configuration has no provider", unknown: text, among: known.map(\.text))
            }
            selection.provider = id
        }
        if arguments.has("requestor") {
            selection.requestor = try CommonOptions.requestor(arguments, of: configuration.catalogue).id
        }
        selection.since = try MomentOption.read("since", arguments, now: now)
        selection.before = try MomentOption.read("until", arguments, now: now)
        return selection
    }

    /// Where the log has what a viewer tried in vain.
    static func refusals(_ name: String, _ provider: MVPDID, _ administration: Administration) -> String {
        "What was refused under this name: "
            + "journalctl -u latchkeyd -g viewer=\(administration.keys.loginName(name, of: provider))"
    }

    /// A viewer whose account is gone is still named by what was the account's ID, its name in an old store.
    private static func viewer(
        _ arguments: ParsedArguments, _ administration: Administration, _ configuration: Configuration
    ) async throws -> SignInSelection {
        let provider = try Users.provider(arguments, of: configuration)
        guard let name = AccountName.canonical(arguments.value("viewer") ?? "") else {
            throw arguments.fault("--viewer takes a name of 1 to 64 bytes without spaces.")
        }
        if let account = try await administration.accounts.account(name, of: provider) {
            return .viewer(account.id, of: provider)
        }
        let selection = SignInSelection.viewer(name, of: provider)
        guard try await administration.operations.countSignIns(selection) > 0 else {
            throw OperatorError(
                "There is no viewer \(terminalSafe(name)) of \(provider).",
                advice: Self.refusals(name, provider, administration))
        }
        return selection
    }
}
