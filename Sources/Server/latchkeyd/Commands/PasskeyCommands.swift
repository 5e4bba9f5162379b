import Clientless
import CommandLineTool
import Entitlement
import ServerAPI

enum PasskeyCommands {
    static let group = ServerCommand(
        group: "passkeys", "The passkeys of a viewer, who signs in with them instead of a password", [list, remove])

    private static let shape = Shape<Passkey>(
        .init("passkey", \.name), .init("created", \.created), .init("lastUsed", optional: \.lastUsed),
        .init("isSyncable", \.isSyncable))

    static let list = ServerCommand(
        .store, "list", "Show the passkeys of a viewer, the oldest first",
        options: [Users.provider, CommonOptions.json], operands: [Users.nameOperand],
        examples: ["latchkeyd user passkeys list anna": "what opens the account beside the password"],
        also: [.failure]
    ) { arguments, call in
        try call.list(
            try await call.accounts.passkeys(of: try await call.account()), as: Self.shape,
            [
                ("PASSKEY", \.name), ("ADDED", \.created.timeText), ("LAST USED", { $0.lastUsed?.timeText ?? "never" }),
                ("KEPT ON", { $0.isSyncable ? "the viewer's devices" : "one authenticator" }),
            ])
    }

    static let remove = ServerCommand(
        .store, "remove", "Remove passkeys of a viewer",
        discussion: [
            "The password stays valid, and boxes stay signed in. 'latchkeyd sign-ins end' signs them out."
        ],
        options: [Users.provider],
        operands: [
            Users.nameOperand,
            CommandOperand("PASSKEY", "The passkey, as 'latchkeyd user passkeys list' names it", count: .oneOrMore),
        ],
        examples: ["latchkeyd user passkeys remove anna 3f09aa51c2d4": "of a phone that was lost"],
        also: [.failure]
    ) { arguments, call in
        let (account, administration) = (try await call.account(), try await call.administration)
        let (name, provider) = (terminalSafe(account.name), account.mvpd)
        let passkeys = try await administration.accounts.passkeys(of: account)
        // All of them are looked for before one goes.
        let chosen = try arguments.operands.dropFirst().map { wanted in
            guard let passkey = passkeys.first(where: { $0.name == wanted.lowercased() }) else {
                throw OperatorError(
                    "The viewer \(name) of \(provider) has no passkey "
                        + "\(terminalSafe(wanted, limit: 80)).",
                    advice: "Nothing was removed. 'latchkeyd user passkeys list' shows all of them.")
            }
            return passkey
        }.eachOnce()
        for passkey in chosen {
            _ = try await administration.operations.removePasskey(
                passkey, of: account, actor: CommandActor.text, now: call.now)
        }
        let number = chosen.count == 1 ? "1 passkey" : "\(chosen.count) passkeys"
        call.say("\(number) of \(name) at \(provider) removed.")
    }
}
