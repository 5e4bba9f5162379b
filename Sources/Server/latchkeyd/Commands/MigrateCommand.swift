package import CommandLineTool
import Entitlement

/// `latchkeyd migrate`: the one command that changes the schema of a store.
package enum MigrateCommand: ServerCommand {
    package static let command = Command(
        "migrate", "Bring the store of an older version up to date",
        discussion: [
            "Copies a store that is a file beside itself first, under its name and .schema with the number of what it was. To go "
                + "back, stop the server and put the copy in place of the store for the older version; what was "
                + "changed since is not in it.",
            "Stop servers of the older version first. 'latchkeyd serve' does the same when it starts; no other command "
                + "does.",
            "A store on PostgreSQL is changed by this command alone, as store.migrationConnection says, and not copied; "
                + "servers of the version before go on beside it.",
        ],
        options: [ConfigurationFile.option],
        examples: [CommandExample("latchkeyd migrate", "before the new version starts")],
        exitCodes: [.success, .usage, .stateProblem, .configuration])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let configuration = try ConfigurationFile.locate(arguments, context).read()
        let store = configuration.shownStoreFile.map { "store \($0)" } ?? "store"
        let opened = try await StoreAccess.open(configuration, for: .migrating)
        await opened.close()
        guard let upgrade = opened.upgrade else {
            context.console.say("The \(store) is up to date.")
            return .success
        }
        context.console.say("The \(store) is brought up to date. \(upgrade)")
        return .success
    }
}
