import Clientless
package import CommandLineTool
import Entitlement
import JSON5

/// What the commands share that change the providers of the configuration.
private enum CatalogueProviders {
    static let operand = CommandOperand("PROVIDER", "The ID of the provider, as boxes send it")
    static let list = "providers"

    static func id(_ arguments: ParsedArguments) throws(UsageError) -> MVPDID {
        guard let id = MVPDID(arguments.operands[0]) else {
            throw UsageError(
                "'\(terminalSafe(arguments.operands[0], limit: 80))' cannot be the ID of a provider.",
                commandPath: arguments.commandPath)
        }
        return id
    }
}

/// `latchkeyd provider add`
package enum ProviderAddCommand: ServerCommand {
    /// The options that belong to one kind, with the group and the setting that each of them is.
    private static let settings: [(option: String, kind: String, group: String, setting: String)] = [
        ("lifetime", TemporaryPassKind.name, "trial", "lifetime"),
        ("issuer", OpenIDConnectKind.name, "oidc", "issuer"),
        ("client-id", OpenIDConnectKind.name, "oidc", "clientID"),
        ("client-secret", OpenIDConnectKind.name, "oidc", "clientSecret"),
        ("line-up-claim", OpenIDConnectKind.name, "oidc", "lineUpClaim"),
    ]

    package static let command = Command(
        "add", "Add a TV provider",
        discussion: [
            "Writes it at the end of the providers of the configuration; comments stay where they are. Without --kind its "
                + "viewers are those of 'latchkeyd user'.",
            "A provider of kind saml has more settings than fit here: the commented configuration lists them.",
        ],
        options: [
            ConfigurationFile.option, .value("name", "TEXT", "What people see; the ID when left out"),
            .value("kind", "KIND", "local, temporaryPass or oidc; local when left out"),
            .value("requestor", "ID", "A brand whose viewers may pick it; may be repeated", isRepeatable: true),
            .value("lifetime", "TIME", "How long a trial of kind temporaryPass lasts, such as 10m"),
            .value("issuer", "URL", "Of kind oidc: the provider's issuer"),
            .value("client-id", "TEXT", "Of kind oidc: what the provider calls this server"),
            .value("client-secret", "FILE", "Of kind oidc: the file with the secret of this server"),
            .value("line-up-claim", "CLAIM", "Of kind oidc: the claim with the channels a viewer may play"),
        ],
        operands: [CatalogueProviders.operand],
        examples: [
            CommandExample("latchkeyd provider add CableNova --requestor NORTHSPORT", "with accounts of this server"),
            CommandExample("latchkeyd provider add Preview --kind temporaryPass --lifetime 10m", "a free preview"),
        ],
        exitCodes: [.success, .failure, .usage, .stateProblem, .configuration])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let id = try CatalogueProviders.id(arguments)
        let group = try Self.group(arguments)
        var edit = try ConfigurationEdit(arguments, context)
        guard edit.configuration.catalogue.mvpd(id) == nil else {
            throw OperatorError(
                "There is a provider \(id) already.", advice: "'latchkeyd provider list' shows all of them.",
                exitCode: .failure)
        }
        let requestors =
            try arguments.has("requestor")
            ? CommonOptions.requestors(arguments, of: edit.configuration.catalogue) : []
        var fields: [JSON5Document.Field] = [
            .init("id", .text(id.text)), .init("name", .text(arguments.value("name") ?? id.text)),
            .init("kind", .text(arguments.value("kind") ?? LocalKind.name)),
        ]
        if let group { fields.append(group) }
        try edit.append(.group(fields), to: CatalogueProviders.list)
        for requestor in requestors {
            guard let place = edit.place(of: requestor.text, in: "requestors") else { continue }
            try edit.append(.value(.object(["provider": .text(id.text)])), to: "integrations", of: place)
        }
        try await edit.save(.init(action: "provider.add", subject: "provider \(id)"), context)
        if requestors.isEmpty {
            context.console.say(
                "No brand has it yet: 'latchkeyd requestor edit REQUESTOR --add-provider \(id)' gives it to one.")
        }
        return .success
    }

    /// The group of settings of the kind; `nil` where none was given.
    private static func group(_ arguments: ParsedArguments) throws(UsageError) -> JSON5Document.Field? {
        let kind = arguments.value("kind") ?? LocalKind.name
        let names = [LocalKind.name, TemporaryPassKind.name, OpenIDConnectKind.name]
        guard names.contains(kind) else {
            throw UsageError(
                "--kind takes one of \(names.joined(separator: ", ")).", commandPath: arguments.commandPath)
        }
        var (group, values): (String?, [String: JSON5Value]) = (nil, [:])
        for setting in Self.settings {
            guard let text = arguments.value(setting.option) else { continue }
            guard setting.kind == kind else {
                throw UsageError(
                    "--\(setting.option) is about --kind \(setting.kind).", commandPath: arguments.commandPath)
            }
            group = setting.group
            values[setting.setting] = .text(text)
        }
        return group.map { JSON5Document.Field($0, .object(values)) }
    }
}

/// `latchkeyd provider list`
package enum ProviderListCommand: ServerCommand {
    package static let command = Command(
        "list", "Show the TV providers of the configuration",
        options: [ConfigurationFile.option, CommonOptions.json],
        examples: [CommandExample("latchkeyd provider list --json", "one JSON list")],
        exitCodes: [.success, .usage, .configuration])

    private struct Output: Encodable {
        let id: String
        let name: String
        let kind: String
        let requestors: [String]
    }

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let configuration = try ConfigurationFile.locate(arguments, context).read()
        let catalogue = configuration.catalogue
        let output = catalogue.mvpds.map { mvpd in
            Output(
                id: mvpd.id.text, name: mvpd.displayName,
                kind: configuration.providerKinds[mvpd.id].map { type(of: $0).name } ?? "unknown",
                requestors: catalogue.requestors.filter { catalogue.integration($0.id, mvpd.id) != nil }.map(\.id.text))
        }
        if arguments.has("json") {
            try context.console.result(JSONLine.text(of: output))
            return .success
        }
        let rows = output.map {
            [$0.id, terminalSafe($0.name, limit: 40), $0.kind, $0.requestors.joined(separator: ", ")]
        }
        try context.console.result(TextTable(heading: ["ID", "NAME", "KIND", "REQUESTORS"], rows: rows).text)
        return .success
    }
}

/// `latchkeyd provider remove`
package enum ProviderRemoveCommand: ServerCommand {
    package static let command = Command(
        "remove", "Take a TV provider out of the configuration",
        discussion: [
            "Once the server has read the configuration again, its viewers cannot sign in, and boxes that are signed in "
                + "with it play nothing. Accounts and sign-ins stay until they are removed or over."
        ],
        options: [
            ConfigurationFile.option, .flag("everywhere", "Take it from the brands that have it, too"),
        ],
        operands: [CatalogueProviders.operand],
        examples: [CommandExample("latchkeyd provider remove CableNova --everywhere", "a contract that ended")],
        exitCodes: [.success, .failure, .usage, .stateProblem, .configuration])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let id = try CatalogueProviders.id(arguments)
        var edit = try ConfigurationEdit(arguments, context)
        guard let place = edit.place(of: id.text, in: CatalogueProviders.list) else {
            let known = edit.configuration.catalogue.mvpds.map(\.id.text)
            let hint = nearestName(to: id.text, among: known).map { "Did you mean '\($0)'?" }
            throw OperatorError(
                "The configuration has no provider \(id).",
                advice: hint ?? "'latchkeyd provider list' shows all of them.", exitCode: .failure)
        }
        let users = edit.configuration.catalogue.requestors.filter { requestor in
            requestor.integrations.contains { $0.mvpd == id }
        }
        guard users.isEmpty || arguments.has("everywhere") else {
            throw OperatorError(
                "The provider \(id) is that of \(users.map(\.id.text).joined(separator: ", ")).",
                advice: "Nothing was changed. With --everywhere it is taken from them, too.", exitCode: .failure)
        }
        for requestor in users {
            guard let user = edit.place(of: requestor.id.text, in: "requestors"),
                let index = edit.index(of: id.text, key: "provider", in: edit.value("integrations", of: user))
            else { continue }
            try edit.remove(user + [.key("integrations"), .index(index)])
        }
        try edit.remove(place)
        try await edit.save(.init(action: "provider.remove", subject: "provider \(id)"), context)
        return .success
    }
}
