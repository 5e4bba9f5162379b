package import CommandLineTool
import Entitlement

/// `latchkeyd check`: everything that `check-config`, `store check` and `provider check` look at, and the keys.
package enum CheckCommand: ServerCommand {
    package static let command = Command.ofStore(
        "check", "Check everything: configuration, keys, store and TV providers",
        discussion: [
            "Reads every page of the store and changes nothing. The server may run meanwhile. Faults go to standard "
                + "output.",
            "On PostgreSQL it looks for settings that lose acknowledged changes, for missing rights of the servers' "
                + "role, and for invalid indexes and constraints. 'latchkeyd migrate' grants the rights. To check "
                + "the pages, use pg_amcheck and data checksums.",
            "It includes 'check-config', 'store check' and 'provider check'. With --offline it asks no provider.",
        ],
        options: [.flag("offline", "Ask no TV provider")],
        examples: [CommandExample("latchkeyd check", "after a crash, and before a backup is trusted")],
        also: [.invalidData, .unreachable])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let file = try ConfigurationFile.locate(arguments, context)
        let (faults, warnings) = CheckConfigCommand.look(at: file, now: context.now(), readsPlaces: true)
        for warning in warnings { context.console.say("\(file.path): warning: \(warning.sentence).") }
        guard faults.isEmpty else {
            for fault in faults { try context.console.result(DropIn.place(of: fault, in: file)) }
            return .configuration
        }
        let configuration = try file.read()
        let folder = KeyFolder(configuration.path(configuration.keys.folder))
        let keys = try folder.load(now: context.now()).serverKeys
        let damage = try await StoreAccess.damage(of: configuration)
        // A damaged file need not be readable.
        let misfit =
            damage.isEmpty
            ? try await StoreAccess.withAdministration(of: configuration, context) { administration in
                KeyFit(try await administration.credentials.keyPairs(), under: keys).fault(folder: folder.path)
            } : nil
        try StoreAccess.list(damage, of: configuration, context)
        if let misfit { try context.console.result("keys.folder: \(misfit)") }
        guard damage.isEmpty else { return .stateProblem }
        guard misfit == nil else { return .keysUnusable }
        context.console.say("Configuration, keys and store are whole and belong together.")
        guard !arguments.has("offline") else { return .success }
        return try await ProviderCheckCommand.all(of: configuration, context)
    }
}
