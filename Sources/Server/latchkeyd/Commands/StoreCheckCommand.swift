import CommandLineTool

enum StoreCheckCommand {
    static let command = ServerCommand(
        .configuration, "check", "Look whether the store is whole",
        discussion: [
            "Needs no keys, so you can check the store of another machine. 'latchkeyd check' also compares "
                + "configuration, keys and store. Changes nothing, and a server may run meanwhile. Faults go to "
                + "standard output.",
            "Reads every page of a store file. On PostgreSQL it looks for settings that lose acknowledged changes, "
                + "for missing rights of the servers' role, and for invalid indexes and constraints.",
        ],
        examples: ["latchkeyd store check": "after a copy of the store was put back"],
        also: [.stateProblem]
    ) { arguments, call in
        guard try await StoreAccess.isWhole(call.configuration, call) else { return call.exitCode = .stateProblem }
        call.say("The store is whole.")
    }
}
