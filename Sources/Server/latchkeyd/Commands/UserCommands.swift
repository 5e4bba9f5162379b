import Clientless
import CommandLineTool
import Entitlement
import ServerAPI

enum UserCommands {
    static let all = [add, password, metadata, list, UserImportCommand.command, remove]

    static let add = ServerCommand(
        .store, "add", "Add a viewer of a local provider",
        discussion: [
            "The command asks for the password on the terminal. It is never an argument, since other users could "
                + "see it."
        ],
        options: [
            Users.provider, Users.passwordFile,
            .value("channel", "CHANNEL", "A channel the viewer may play; may be repeated", isRepeatable: true),
            .flag("every-channel", "The viewer may play everything"), MetadataOption.option,
        ],
        operands: [Users.nameOperand],
        examples: ["latchkeyd user add anna --channel 'North Sport HD'": "one channel"],
        also: [.failure, .invalidData]
    ) { arguments, call in
        let name = try Users.name(arguments)
        let lineUp = try Users.channels(arguments.values("channel"), of: "--channel", arguments) ?? ["*"]
        let metadata = try MetadataOption.read(arguments)
        let accounts = try await call.accounts
        let provider = try call.localProvider()
        guard try await accounts.account(name, of: provider) == nil else {
            throw OperatorError(
                "There is a viewer \(terminalSafe(name)) of \(provider) already.",
                advice: "Change the password with 'latchkeyd user passwd', or remove the viewer first.")
        }
        let hash = try Users.passwordHash(call)
        try await Users.warnOfMisspelling(lineUp, call)
        let account = Account(mvpd: provider, name: name, passwordHash: hash, lineUp: lineUp, metadata: metadata)
        guard try await accounts.add(account, actor: CommandActor.text, now: call.now)
        else { throw Users.changedMeanwhile(name, provider) }
        call.say(
            lineUp.isEmpty
                ? "\(terminalSafe(name)) can sign in at \(provider), but may play nothing yet: "
                    + "'latchkeyd user channels add' gives channels."
                : "\(terminalSafe(name)) can sign in at \(provider).")
    }

    static let password = ServerCommand(
        .store, "passwd", "Change a viewer's password",
        discussion: ["Boxes stay signed in, and passkeys stay valid. 'latchkeyd user passkeys' removes those."],
        options: [Users.provider, Users.passwordFile], operands: [Users.nameOperand],
        examples: ["latchkeyd user passwd anna": "asks on the terminal"],
        also: [.failure, .invalidData]
    ) { arguments, call in
        let account = try await call.account()
        let hash = try Users.passwordHash(call)
        guard try await call.accounts.setPassword(hash, of: account, actor: CommandActor.text, now: call.now)
        else { throw Users.changedMeanwhile(account.name, account.mvpd) }
        let name = terminalSafe(account.name)
        call.say(
            "The password of \(name) at \(account.mvpd) is changed. Boxes that are signed in stay so; "
                + "'latchkeyd sign-ins end --viewer \(name)' signs them out.")
        let passkeys = try await call.accounts.passkeys(of: account).count
        guard passkeys > 0 else { return }
        call.say("Passkeys that stay valid: \(passkeys). 'latchkeyd user passkeys list \(name)' shows them.")
    }

    static let metadata = ServerCommand(
        .store, "metadata", "Set the facts that requestors get about a viewer",
        discussion: [
            "Replaces all earlier facts; without --metadata it removes them. Boxes that are signed in get the new "
                + "facts with the next decision by the account's channels: a preauthorization, or an authorization "
                + "without a permit from before. A new parental limit counts when a box next asks to play a programme "
                + "that has a rating, and ends an earlier permit for it.",
            "The keys are \(MetadataOption.keys).",
        ],
        options: [Users.provider, MetadataOption.option], operands: [Users.nameOperand],
        examples: [
            "latchkeyd user metadata anna --metadata householdID=H-1 --metadata maxRating.VCHIP=TV-PG":
                "a household and a parental limit"
        ], also: [.failure]
    ) { arguments, call in
        let metadata = try MetadataOption.read(arguments)
        let account = try await call.account()
        guard try await call.accounts.setMetadata(metadata, of: account, actor: CommandActor.text, now: call.now)
        else { throw Users.changedMeanwhile(account.name, account.mvpd) }
        call.say("The metadata of \(terminalSafe(account.name)) at \(account.mvpd) are set.")
    }

    static let remove = ServerCommand(
        .store, "remove", "Remove a viewer, and sign the viewer's boxes out",
        discussion: ["If you add a viewer under the same name later, that is a new viewer, who inherits nothing."],
        options: [Users.provider], operands: [Users.nameOperand],
        examples: ["latchkeyd user remove anna": "who moved out"], also: [.failure]
    ) { arguments, call in
        let name = try Users.name(arguments)
        let operations = try await call.administration.operations
        let provider = try call.localProvider()
        guard
            let count = try await operations.removeAccount(name, of: provider, actor: CommandActor.text, now: call.now)
        else { throw Users.unknown(name, provider) }
        call.say("\(terminalSafe(name)) of \(provider) is removed. \(SignInsEndCommand.ended(count))")
    }

    private static let shape = Shape<Account>(
        .init("provider", \.mvpd), .init("name", \.name), .init("lineUp", \.lineUp),
        .init("metadata") { JSONValue.object($0.metadata.map { .init($0, $1.json) }) })

    static let list = ServerCommand(
        .store, "list", "Show the viewers of local providers and what they may play",
        options: [CommonOptions.json],
        examples: ["latchkeyd user list --json": "one JSON list"]
    ) { arguments, call in
        try call.list(
            try await call.administration.accounts.all(), as: Self.shape,
            [
                ("PROVIDER", \.mvpd.text), ("NAME", { terminalSafe($0.name) }),
                (
                    "MAY PLAY",
                    {
                        $0.lineUp == ["*"]
                            ? "everything" : $0.lineUp.map { terminalSafe($0, limit: 80) }.joined(separator: ", ")
                    }
                ), ("METADATA", { MetadataOption.text(of: $0.metadata) }),
            ])
    }
}
