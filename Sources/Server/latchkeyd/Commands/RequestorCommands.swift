import Clientless
package import CommandLineTool
import Entitlement
import JSON5

/// What the commands about requestors share.
private enum Requestors {
    static let operand = CommandOperand("REQUESTOR", "The ID of the requestor, as boxes send it")
    static let list = "requestors"

    static func id(_ arguments: ParsedArguments) throws(UsageError) -> RequestorID {
        guard let id = RequestorID(arguments.operands[0]) else {
            throw UsageError(
                "'\(terminalSafe(arguments.operands[0], limit: 80))' cannot be the ID of a requestor.",
                commandPath: arguments.commandPath)
        }
        return id
    }

    static func unknown(_ id: RequestorID, _ edit: ConfigurationEdit) -> OperatorError {
        let known = edit.configuration.catalogue.requestors.map(\.id.text)
        let hint = nearestName(to: id.text, among: known).map { "Did you mean '\($0)'?" }
        return OperatorError(
            "The configuration has no requestor \(id).",
            advice: hint ?? "'latchkeyd requestor list' shows all of them.", exitCode: .failure)
    }

    /// The values of an option that names providers of the configuration, each once.
    static func providers(
        _ option: String, _ arguments: ParsedArguments, of catalogue: Catalogue
    ) throws(UsageError) -> [MVPDID] {
        var providers: [MVPDID] = []
        for text in arguments.values(option) {
            guard let id = MVPDID(text), catalogue.mvpd(id) != nil else {
                let hint =
                    nearestName(to: text, among: catalogue.mvpds.map(\.id.text)).map { " Did you mean '\($0)'?" } ?? ""
                throw UsageError(
                    "The configuration has no provider '\(terminalSafe(text, limit: 80))'.\(hint)",
                    commandPath: arguments.commandPath)
            }
            if !providers.contains(id) { providers.append(id) }
        }
        return providers
    }

    static func strictness(_ arguments: ParsedArguments) throws(UsageError) -> Requestor.Strictness? {
        guard let text = arguments.value("strictness") else { return nil }
        guard let strictness = Requestor.Strictness(rawValue: text) else {
            throw UsageError("--strictness takes strict or compatible.", commandPath: arguments.commandPath)
        }
        return strictness
    }

    static let strictnessOption = CommandOption.value(
        "strictness", "WORD", "strict for new boxes, compatible for deployed clients")
}

/// `latchkeyd requestor add`
package enum RequestorAddCommand: ServerCommand {
    package static let command = Command(
        "add", "Add a channel brand whose boxes sign in here",
        discussion: ["Writes it at the end of the requestors of the configuration; comments stay where they are."],
        options: [
            ConfigurationFile.option, .value("name", "TEXT", "What people see; the ID when left out"),
            .value(
                "provider", "ID", "A provider its viewers may pick; may be repeated; left out, the only one there is",
                isRepeatable: true),
            .value("domain", "DOMAIN", "A domain of its pages and redirects; may be repeated", isRepeatable: true),
            Requestors.strictnessOption,
        ],
        operands: [Requestors.operand],
        examples: [
            CommandExample("latchkeyd requestor add NORTHSPORT --name 'North Sport' --provider CableNova", "one brand")
        ],
        exitCodes: [.success, .failure, .usage, .stateProblem, .configuration])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let id = try Requestors.id(arguments)
        let strictness = try Requestors.strictness(arguments)
        var edit = try ConfigurationEdit(arguments, context)
        let catalogue = edit.configuration.catalogue
        guard catalogue.requestor(id) == nil else {
            throw OperatorError(
                "There is a requestor \(id) already.", advice: "Change it with 'latchkeyd requestor edit'.",
                exitCode: .failure)
        }
        var providers = try Requestors.providers("provider", arguments, of: catalogue)
        if providers.isEmpty {
            guard catalogue.mvpds.count <= 1 else {
                let names = catalogue.mvpds.map(\.id.text).joined(separator: ", ")
                throw UsageError("--provider is missing; there are \(names).", commandPath: arguments.commandPath)
            }
            providers = catalogue.mvpds.map(\.id)
        }
        let domains = arguments.values("domain")
        var fields: [JSON5Document.Field] = [
            .init("id", .text(id.text)), .init("name", .text(arguments.value("name") ?? id.text)),
        ]
        if let strictness { fields.append(.init("strictness", .text(strictness.rawValue))) }
        if !domains.isEmpty { fields.append(.init("domains", .list(domains.map { .text($0) }))) }
        fields.append(
            .init("integrations", .list(providers.map { .object(["provider": .text($0.text)]) })))
        try edit.append(.group(fields), to: Requestors.list)
        try await edit.save(.init(action: "requestor.add", subject: "requestor \(id)"), context)
        if providers.isEmpty {
            context.console.say(
                "It has no provider yet: 'latchkeyd provider add ID --requestor \(id)' gives it one.")
        }
        context.console.say("A box gets its credential with 'latchkeyd keys issue --requestor \(id) --setup-code'.")
        return .success
    }
}

/// `latchkeyd requestor list`
package enum RequestorListCommand: ServerCommand {
    package static let command = Command(
        "list", "Show the channel brands of the configuration",
        options: [ConfigurationFile.option, CommonOptions.json],
        examples: [CommandExample("latchkeyd requestor list --json", "one JSON list")],
        exitCodes: [.success, .usage, .configuration])

    private struct Output: Encodable {
        let id: String
        let name: String
        let strictness: String
        let domains: [String]
        let providers: [String]
        /// Those of the providers that viewers cannot pick now.
        let disabledProviders: [String]
    }

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let requestors = try ConfigurationFile.locate(arguments, context).read().catalogue.requestors
        if arguments.has("json") {
            let output = requestors.map { requestor in
                Output(
                    id: requestor.id.text, name: requestor.name, strictness: requestor.strictness.rawValue,
                    domains: requestor.domains, providers: requestor.integrations.map(\.mvpd.text),
                    disabledProviders: requestor.integrations.filter { !$0.isEnabled }.map(\.mvpd.text))
            }
            try context.console.result(JSONLine.text(of: output))
            return .success
        }
        let rows = requestors.map { requestor in
            [
                requestor.id.text, terminalSafe(requestor.name, limit: 40), requestor.strictness.rawValue,
                requestor.integrations.map { $0.isEnabled ? $0.mvpd.text : "\($0.mvpd) (off)" }
                    .joined(separator: ", "),
                requestor.domains.joined(separator: ", "),
            ]
        }
        try context.console.result(
            TextTable(heading: ["ID", "NAME", "STRICTNESS", "PROVIDERS", "DOMAINS"], rows: rows).text)
        return .success
    }
}

/// `latchkeyd requestor edit`
package enum RequestorEditCommand: ServerCommand {
    package static let command = Command(
        "edit", "Change a channel brand",
        options: [
            ConfigurationFile.option, .value("name", "TEXT", "What people see"), Requestors.strictnessOption,
            .value("add-provider", "ID", "A provider its viewers may pick from now on", isRepeatable: true),
            .value("remove-provider", "ID", "A provider they may no longer pick", isRepeatable: true),
            .value("add-domain", "DOMAIN", "A domain of its pages and redirects", isRepeatable: true),
            .value("remove-domain", "DOMAIN", "A domain that is its own no longer", isRepeatable: true),
        ],
        operands: [Requestors.operand],
        examples: [
            CommandExample("latchkeyd requestor edit NORTHSPORT --add-provider FreePreview", "one provider more")
        ],
        exitCodes: [.success, .failure, .usage, .stateProblem, .configuration])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let id = try Requestors.id(arguments)
        let strictness = try Requestors.strictness(arguments)
        var edit = try ConfigurationEdit(arguments, context)
        guard let place = edit.place(of: id.text, in: Requestors.list) else { throw Requestors.unknown(id, edit) }
        let untouched = edit.document
        if let name = arguments.value("name") { try edit.set("name", .text(name), of: place) }
        if let strictness { try edit.set("strictness", .text(strictness.rawValue), of: place) }
        let (integrations, domains) = (edit.value("integrations", of: place), edit.value("domains", of: place))
        // The last place first: what goes moves those behind it.
        try Self.remove("remove-provider", from: "integrations", integrations, key: "provider", place, &edit, arguments)
        try Self.remove("remove-domain", from: "domains", domains, key: "", place, &edit, arguments)
        for provider in try Requestors.providers("add-provider", arguments, of: edit.configuration.catalogue)
        where edit.index(of: provider.text, key: "provider", in: integrations) == nil {
            try edit.append(
                .value(.object(["provider": .text(provider.text)])), to: "integrations", of: place)
        }
        for domain in arguments.values("add-domain") where edit.index(of: domain, key: "", in: domains) == nil {
            try edit.append(.value(.text(domain)), to: "domains", of: place)
        }
        guard edit.document != untouched else {
            context.console.say("\(id) is so already; nothing was changed.")
            return .success
        }
        try await edit.save(.init(action: "requestor.edit", subject: "requestor \(id)"), context)
        return .success
    }

    private static func remove(
        _ option: String, from list: String, _ entries: JSON5Value?, key: String, _ place: [JSON5Document.Step],
        _ edit: inout ConfigurationEdit, _ arguments: ParsedArguments
    ) throws {
        var gone: Set<Int> = []
        for text in arguments.values(option) {
            guard let index = edit.index(of: text, key: key, in: entries) else {
                throw OperatorError(
                    "The requestor has no '\(terminalSafe(text, limit: 80))' among its \(list).",
                    advice: "Nothing was changed. 'latchkeyd requestor list' shows what it has.", exitCode: .failure)
            }
            gone.insert(index)
        }
        for index in gone.sorted(by: >) { try edit.remove(place + [.key(list), .index(index)]) }
    }
}

/// `latchkeyd requestor remove`
package enum RequestorRemoveCommand: ServerCommand {
    package static let command = Command(
        "remove", "Take a channel brand out of the configuration",
        discussion: [
            "Once the server has read the configuration again, boxes of the brand are refused. Their sign-ins stay until "
                + "they are over, and count again if it is added again; 'latchkeyd sign-ins end --requestor' ends them."
        ],
        options: [ConfigurationFile.option], operands: [Requestors.operand],
        examples: [CommandExample("latchkeyd requestor remove NORTHSPORT", "a brand that is no more")],
        exitCodes: [.success, .failure, .usage, .stateProblem, .configuration])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let id = try Requestors.id(arguments)
        var edit = try ConfigurationEdit(arguments, context)
        guard let place = edit.place(of: id.text, in: Requestors.list) else { throw Requestors.unknown(id, edit) }
        try edit.remove(place)
        try await edit.save(.init(action: "requestor.remove", subject: "requestor \(id)"), context)
        return .success
    }
}
