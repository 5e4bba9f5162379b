import Clientless
import CommandLineTool
import Entitlement

/// `latchkeyd check`: everything that `check-config`, `store check` and `provider check` look at, and the keys.
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
            return call.exitCode = .configuration
        }
        let configuration = try file.read()
        let folder = configuration.keyFolder
        _ = try folder.load(now: call.now)
        let damage = try await StoreAccess.damage(of: configuration)
        // A damaged file need not be readable.
        let misfit =
            damage.isEmpty ? try await KeyFit(of: call.administration, in: folder).fault(folder: folder.path) : nil
        try StoreAccess.list(damage, of: configuration, call)
        if let misfit { try call.result("keys.folder: \(misfit)") }
        guard damage.isEmpty else { return call.exitCode = .stateProblem }
        guard misfit == nil else { return call.exitCode = .keysUnusable }
        let strange = try await Self.strangers(call.administration, configuration.catalogue)
        if !strange.isEmpty {
            call.say(
                "\(file.path): warning: the store has credentials or viewers of what is not configured "
                    + "(\(strange.joined(separator: ", "))). Boxes and viewers of these are refused.")
        }
        let store = configuration.shownStoreFile.map { " \($0)" } ?? ""
        call.say("Configuration, keys and the store\(store) are whole and belong together.")
        guard !arguments.has("offline") else { return }
        call.exitCode = try await ProviderCommands.checkAll(of: configuration, call)
    }

    /// The requestors of key pairs in use and the providers of accounts that a catalogue does not have.
    private static func strangers(_ administration: Administration, _ catalogue: Catalogue) async throws -> [String] {
        let requestors = try await administration.credentials.keyPairs().filter { $0.ends == nil }
            .flatMap { $0.requestors.map(\.text) }
        let providers = try await administration.accounts.all().map(\.mvpd.text)
        return Set(requestors).subtracting(catalogue.requestors.map(\.id.text)).sorted().map { "requestor \($0)" }
            + Set(providers).subtracting(catalogue.mvpds.map(\.id.text)).sorted().map { "provider \($0)" }
    }
}
