package import CommandLineTool

/// `latchkeyd store check`: the part of `latchkeyd check` that is about the store alone.
package enum StoreCheckCommand: ServerCommand {
    package static let command = Command(
        "check", "Look whether the store is whole",
        discussion: [
            "Needs no keys, so you can check the store of another machine. 'latchkeyd check' also compares "
                + "configuration, keys and store. Changes nothing, and a server may run meanwhile. Faults go to "
                + "standard output.",
            "Reads every page of a store file. On PostgreSQL it looks for settings that lose acknowledged changes, "
                + "for missing rights of the servers' role, and for invalid indexes and constraints.",
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
