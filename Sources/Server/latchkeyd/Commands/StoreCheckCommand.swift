package import CommandLineTool
import Entitlement

/// `latchkeyd store check`: the part of `latchkeyd check` that is about the store alone.
package enum StoreCheckCommand: ServerCommand {
    package static let command = Command(
        "check", "Look whether the store is whole",
        discussion: [
            "Does without the keys, so that the store of another machine can be looked at; 'latchkeyd check' holds "
                + "configuration, keys and store against one another. Changes nothing, and a server may run meanwhile. Lists "
                + "what is wrong on standard output.",
            "Of a store that is a file every page is read. A store on PostgreSQL is asked for settings that lose acknowledged "
                + "changes, for rights that the role of servers lacks, and for indexes and constraints that do not count.",
        ],
        options: [ConfigurationFile.option],
        examples: [CommandExample("latchkeyd store check", "after a copy of the store was put back")],
        exitCodes: [.success, .usage, .stateProblem, .configuration])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let configuration = try ConfigurationFile.locate(arguments, context).read()
        let damage = try await StoreAccess.damage(of: configuration)
        try StoreAccess.list(damage, of: configuration, context)
        guard damage.isEmpty else { return .stateProblem }
        context.console.say("The store is whole.")
        return .success
    }
}
