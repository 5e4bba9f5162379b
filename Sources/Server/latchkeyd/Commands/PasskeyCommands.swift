import Clientless
package import CommandLineTool
import Entitlement

/// `latchkeyd user passkeys list`
package enum PasskeyListCommand: ServerCommand {
    package static let command = Command.ofStore(
        "list", "Show the passkeys of a viewer, the oldest first",
        options: [Users.provider, CommonOptions.json], operands: [Users.nameOperand],
        examples: [CommandExample("latchkeyd user passkeys list anna", "what opens the account beside the password")],
        also: [.failure])

    private static let shape = Shape<Passkey>(
        .init("passkey", \.name), .init("created", \.created), .init("lastUsed", optional: \.lastUsed),
        .init("isSyncable", \.isSyncable))

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let passkeys = try await Users.withAccount(arguments, context) { account, administration in
            try await administration.accounts.passkeys(of: account)
        }
        try context.list(
            passkeys, arguments, as: Self.shape,
            [
                ("PASSKEY", \.name), ("ADDED", \.created.timeText), ("LAST USED", { $0.lastUsed?.timeText ?? "never" }),
                ("KEPT ON", { $0.isSyncable ? "the viewer's devices" : "one authenticator" }),
            ])
        return .success
    }
}

/// `latchkeyd user passkeys remove`
package enum PasskeyRemoveCommand: ServerCommand {
    package static let command = Command.ofStore(
        "remove", "Remove passkeys of a viewer",
        discussion: [
            "The password stays valid, and boxes stay signed in. 'latchkeyd sign-ins end' signs them out."
        ],
        options: [Users.provider],
        operands: [
            Users.nameOperand,
            CommandOperand(
                "PASSKEY", "The passkey, as 'latchkeyd user passkeys list' names it", count: .oneOrMore),
        ],
        examples: [CommandExample("latchkeyd user passkeys remove anna 3f09aa51c2d4", "of a phone that was lost")],
        also: [.failure])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        try await Users.withAccount(arguments, context) { account, administration in
            let (name, provider) = (terminalSafe(account.name), account.mvpd)
            let passkeys = try await administration.accounts.passkeys(of: account)
            // All of them are looked for before one goes.
            var chosen: [Passkey] = []
            for wanted in arguments.operands.dropFirst() {
                guard let passkey = passkeys.first(where: { $0.name == wanted.lowercased() }) else {
                    throw OperatorError(
                        "The viewer \(name) of \(provider) has no passkey "
                            + "\(terminalSafe(wanted, limit: 80)).",
                        advice: "Nothing was removed. 'latchkeyd user passkeys list' shows all of them.")
                }
                if !chosen.contains(passkey) { chosen.append(passkey) }
            }
            for passkey in chosen {
                _ = try await administration.operations.removePasskey(
                    passkey, of: account, actor: CommandActor.text, now: context.now())
            }
            let number = chosen.count == 1 ? "1 passkey" : "\(chosen.count) passkeys"
            context.console.say("\(number) of \(name) at \(provider) removed.")
            return .success
        }
    }
}
