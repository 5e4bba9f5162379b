import Clientless
package import CommandLineTool
import Entitlement

/// `latchkeyd user add`
package enum UserAddCommand: ServerCommand {
    package static let command = Command.ofStore(
        "add", "Add a viewer of a local provider",
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
        examples: [CommandExample("latchkeyd user add anna --channel 'North Sport HD'", "one channel")],
        also: [.failure, .invalidData])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let name = try Users.name(arguments)
        let lineUp = try Self.lineUp(arguments)
        let metadata = try MetadataOption.read(arguments)
        return try await StoreAccess.withAdministration(arguments, context) { administration, configuration in
            let provider = try Users.provider(arguments, of: configuration)
            guard try await administration.accounts.account(name, of: provider) == nil else {
                throw OperatorError(
                    "There is a viewer \(terminalSafe(name)) of \(provider) already.",
                    advice: "Change the password with 'latchkeyd user passwd', or remove the viewer first.")
            }
            let hash = try Users.passwordHash(arguments, context)
            let account = Account(
                mvpd: provider, name: name, passwordHash: hash, lineUp: lineUp, metadata: metadata)
            guard
                try await administration.accounts.add(account, actor: CommandActor.text, now: context.now())
            else { throw Users.changedMeanwhile(name, provider) }
            context.console.say(
                lineUp.isEmpty
                    ? "\(terminalSafe(name)) can sign in at \(provider), but may play nothing yet: "
                        + "'latchkeyd user channels add' gives channels."
                    : "\(terminalSafe(name)) can sign in at \(provider).")
            return .success
        }
    }

    private static func lineUp(_ arguments: ParsedArguments) throws -> [String] {
        let channels = arguments.values("channel")
        guard !arguments.has("every-channel") else {
            guard channels.isEmpty else {
                throw arguments.fault("--channel and --every-channel do not go together.")
            }
            return ["*"]
        }
        return try Users.channels(channels, of: "--channel", arguments)
    }
}

/// `latchkeyd user passwd`
package enum UserPasswordCommand: ServerCommand {
    package static let command = Command.ofStore(
        "passwd", "Change a viewer's password",
        discussion: [
            "Boxes stay signed in, and passkeys stay valid. 'latchkeyd user passkeys' removes those."
        ],
        options: [Users.provider, Users.passwordFile], operands: [Users.nameOperand],
        examples: [CommandExample("latchkeyd user passwd anna", "asks on the terminal")],
        also: [.failure, .invalidData])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        try await Users.withAccount(arguments, context) { account, administration in
            let hash = try Users.passwordHash(arguments, context)
            guard
                try await administration.accounts.setPassword(
                    hash, of: account, actor: CommandActor.text, now: context.now())
            else { throw Users.changedMeanwhile(account.name, account.mvpd) }
            let name = terminalSafe(account.name)
            context.console.say(
                "The password of \(name) at \(account.mvpd) is changed. Boxes that are signed in stay so; "
                    + "'latchkeyd sign-ins end --viewer \(name)' signs them out.")
            return .success
        }
    }
}

/// `latchkeyd user metadata`
package enum UserMetadataCommand: ServerCommand {
    package static let command = Command.ofStore(
        "metadata", "Set the facts that requestors get about a viewer",
        discussion: [
            "Replaces all earlier facts; without --metadata it removes them. Boxes that are signed in get the new "
                + "facts with their next decision.",
            "The keys are \(MetadataOption.keys).",
        ],
        options: [Users.provider, MetadataOption.option], operands: [Users.nameOperand],
        examples: [
            CommandExample(
                "latchkeyd user metadata anna --metadata householdID=H-1 --metadata maxRating.VCHIP=TV-PG",
                "a household and a parental limit")
        ], also: [.failure])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let metadata = try MetadataOption.read(arguments)
        return try await Users.withAccount(arguments, context) { account, administration in
            guard
                try await administration.accounts.setMetadata(
                    metadata, of: account, actor: CommandActor.text, now: context.now())
            else { throw Users.changedMeanwhile(account.name, account.mvpd) }
            context.console.say("The metadata of \(terminalSafe(account.name)) at \(account.mvpd) are set.")
            return .success
        }
    }
}

/// `latchkeyd user remove`
package enum UserRemoveCommand: ServerCommand {
    package static let command = Command.ofStore(
        "remove", "Remove a viewer, and sign the viewer's boxes out",
        discussion: ["If you add a viewer under the same name later, that is a new viewer, who inherits nothing."],
        options: [Users.provider], operands: [Users.nameOperand],
        examples: [CommandExample("latchkeyd user remove anna", "who moved out")], also: [.failure])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let name = try Users.name(arguments)
        return try await StoreAccess.withAdministration(arguments, context) { administration, configuration in
            let provider = try Users.provider(arguments, of: configuration)
            guard
                let count = try await administration.operations.removeAccount(
                    name, of: provider, actor: CommandActor.text, now: context.now())
            else { throw Users.unknown(name, provider) }
            context.console.say("\(terminalSafe(name)) of \(provider) is removed. \(SignInsEndCommand.ended(count))")
            return .success
        }
    }
}

/// `latchkeyd user list`
package enum UserListCommand: ServerCommand {
    package static let command = Command.ofStore(
        "list", "Show the viewers of local providers and what they may play",
        options: [CommonOptions.json],
        examples: [CommandExample("latchkeyd user list --json", "one JSON list")])

    private static let shape = Shape<Account>(
        .init("provider", \.mvpd), .init("name", \.name), .init("lineUp", \.lineUp),
        .init("metadata") { JSONValue.object($0.metadata.map { .init($0, $1.json) }) })

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        try await context.list(
            arguments, as: Self.shape,
            [
                ("PROVIDER", \.mvpd.text), ("NAME", { terminalSafe($0.name) }),
                (
                    "MAY PLAY",
                    {
                        $0.lineUp == ["*"]
                            ? "everything" : $0.lineUp.map { terminalSafe($0, limit: 80) }.joined(separator: ", ")
                    }
                ), ("METADATA", { MetadataOption.text(of: $0.metadata) }),
            ]
        ) { administration, _ in try await administration.accounts.all() }
    }
}
