import Clientless
import CommandLineTool
import Entitlement

enum CheckCommand {
    static let command = ServerCommand(
        .store, "check", "Check everything: configuration, keys, store and TV providers",
        discussion: [
            "Reads every page of the store and changes nothing. The server may run meanwhile. Faults go to standard "
                + "output.",
            "On PostgreSQL it looks for settings that lose acknowledged changes, for missing rights of the servers' "
                + "role, and for invalid indexes and constraints. 'latchkeyd migrate' grants the rights. To check "
                + "the pages, use pg_amcheck and data checksums.",
            "It includes 'check-config', 'store check' and 'provider check'. With --offline it asks no provider.",
        ],
        options: [.flag("offline", "Ask no TV provider")],
        examples: ["latchkeyd check": "after a crash, and before a backup is trusted"],
        also: [.invalidData, .unreachable]
    ) { arguments, call in
        let file = try call.file
        let (faults, warnings) = CheckConfigCommand.look(at: file, now: call.now, readsPlaces: true)
        for warning in warnings { call.say("\(file.path): warning: \(warning.sentence).") }
        guard faults.isEmpty else {
            for fault in faults { try call.result(DropIn.place(of: fault, in: file)) }
            // The same faults with what to do about them.
            if let folder = try? file.read().keyFolder, let advice = folder.faults().first.map(folder.error)?.advice {
                call.say(advice)
            }
            return call.exitCode = .configuration
        }
        let configuration = try file.read()
        let folder = configuration.keyFolder
        _ = try folder.load(now: call.now)
        // A damaged file need not be readable.
        guard try await StoreAccess.isWhole(configuration, call) else { return call.exitCode = .stateProblem }
        let fit = try await KeyFit(of: call.administration, in: folder)
        if let misfit = fit.fault(folder: folder.path) {
            try call.result("keys.folder: \(misfit)")
            call.say(fit.advice)
            return call.exitCode = .keysUnusable
        }
        let strays = await ConfigurationWarning.strays(
            from: configuration.catalogue, try call.administration.operations, now: call.now)
        let goneKeys = await ConfigurationWarning.goneKeys(
            in: configuration, try call.administration.keyMark, now: call.now)
        for warning in strays + goneKeys { call.say("\(file.path): warning: \(warning.sentence).") }
        let store = configuration.shownStoreFile.map { " \($0)" } ?? ""
        call.say(
            strays.isEmpty
                ? goneKeys.isEmpty
                    ? "Configuration, keys and the store\(store) are whole and belong together."
                    : "The configuration and the store\(store) are whole; keys are missing."
                : "Keys and the store\(store) are whole. Put back the IDs that the configuration lacks, or end their key "
                    + "pairs and sign-ins.")
        guard !arguments.has("offline") else { return }
        call.exitCode = try await ProviderCommands.checkAll(of: configuration, call)
    }
}
