import CommandLineTool
import Entitlement

enum StoreCopyCommand {
    private static let kinds = StoreSettings.Kind.allCases.map(\.rawValue).joined(separator: " or ")

    static let command = ServerCommand(
        .configuration, "copy", "Carry everything from one kind of store to another",
        discussion: [
            "Copies codes, sign-ins, permits, accounts, keys, trials, rules, reports and the audit log, and "
                + "compares each row with what the new store returns. The configuration describes both stores; "
                + "store.kind chooses the one that servers use.",
            "Stop all servers first, and run no other command; a store that is in use is refused. To resume an "
                + "interrupted copy, call the command again. It refuses a new store that has other rows. Then change "
                + "store.kind, and start the servers with the same keys.",
            "The old store keeps its rows and a mark that it was copied: servers and commands refuse it until "
                + "'latchkeyd store take-back'. A copy that failed may leave tables in the new store. Serve from it "
                + "only after a copy that ended.",
        ],
        options: [
            .value("from", "KIND", Self.kinds),
            .value("to", "KIND", Self.kinds),
        ],
        examples: ["latchkeyd store copy --from sqlite --to postgres": "when one machine is not enough"],
        also: [.stateProblem]
    ) { arguments, call in
        let source: StoreSettings.Kind = try arguments.word(try arguments.required("from"), of: "--from")
        let target: StoreSettings.Kind = try arguments.word(try arguments.required("to"), of: "--to")
        guard source != target else { throw arguments.fault("--from and --to are the same.") }
        let configuration = try call.configuration
        var (rows, added) = (0, 0)
        try await StoreAccess.copy(of: configuration, from: source, to: target, now: call.context.now) { outcome in
            (rows, added) = (rows + outcome.rows, added + outcome.added)
            guard outcome.rows > 0 else { return }
            call.say("\(outcome.table): \(outcome.rows) rows, \(outcome.added) of them copied now")
        }
        call.say(
            "The store of kind \(target.rawValue) has all \(rows) rows; \(added) were copied now. To use it, set "
                + "store.kind to \(target.rawValue). Servers and commands refuse the other one from now on.")
        if !target.isFile {
            call.say("'latchkeyd backup' copies no store of kind \(target.rawValue): back it up by its own means.")
        }
    }

    static let takeBack = ServerCommand(
        .configuration, "take-back", "Use a store again that was copied to another one",
        discussion: [
            "Removes the mark that 'latchkeyd store copy' leaves in the store it copied. The store lacks what was "
                + "changed in the other one since. Stop the servers of the other one first: boxes that sign in there "
                + "are not known here. Without --yes the command says since when, and changes nothing."
        ],
        options: [.flag("yes", "Lose what was changed in the other store since")],
        examples: ["latchkeyd store take-back --yes": "for the store that store.kind names"],
        also: [.stateProblem]
    ) { arguments, call in
        let configuration = try call.configuration
        let name = configuration.shownStoreFile.map { "store \($0)" } ?? "store"
        call.say(
            try await StoreAccess.takeBack(configuration, isConfirmed: arguments.has("yes"), now: call.now)
                ? "Servers can use the \(name) again."
                    + (configuration.store.others.isEmpty
                        ? " This configuration does not say where the copy is; make sure that no server uses it." : "")
                : "The \(name) was not copied to another one.")
    }
}
