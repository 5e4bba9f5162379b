import Clientless
import CommandLineTool
import Entitlement
import ServerAPI

enum RequestorCommands {
    static let group = ServerCommand(
        group: "requestor", "Requestors: channels and applications whose boxes sign in here", [add, list, edit, remove])

    private static let operand = CommandOperand("REQUESTOR", "The ID of the requestor, as boxes send it")
    private static let strictness = CommandOption.value(
        "strictness", "WORD", "strict for new boxes, compatible for deployed clients"
    ).offering(.words(Requestor.Strictness.allCases.map(\.rawValue)))

    /// The values of an option that names providers of the configuration, each once.
    private static func providers(
        _ option: String, _ arguments: ParsedArguments, of catalogue: Catalogue
    ) throws(UsageError) -> [MVPDID] {
        try arguments.values(option).map { (text) throws(UsageError) in
            try arguments.one(
                named: text, of: catalogue.mvpds, \.id.text, orElse: "The configuration has no provider"
            ).id
        }.eachOnce()
    }

    static let add = ServerCommand(
        .configuration, "add", "Add a requestor whose boxes sign in here",
        discussion: [
            "Writes the file latchkeyd.d/requestors/REQUESTOR.json5 beside the configuration. It takes all settings "
                + "of an entry of the list requestors, so you can edit the rest."
        ],
        options: [
            .value("name", "TEXT", "What people see; the ID when left out"),
            .value(
                "provider", "ID", "A provider its viewers may pick; may be repeated; left out, the only one there is",
                isRepeatable: true
            ).offering(.list("provider list")),
            .value("domain", "DOMAIN", "A domain of its pages and redirects; may be repeated", isRepeatable: true),
            Self.strictness,
        ],
        operands: [Self.operand],
        examples: [
            "latchkeyd requestor add NORTHSPORT --name 'North Sport' --provider CableNova": "one channel"
        ],
        also: [.failure, .stateProblem]
    ) { arguments, call in
        let id = try arguments.id(.requestorID)
        let strictness: Requestor.Strictness? = try arguments.word("strictness")
        var edit = try CatalogueEdit(call)
        let catalogue = edit.configuration.catalogue
        guard catalogue.requestor(id) == nil else {
            throw OperatorError(
                "There is a requestor \(id) already.", advice: "Change it with 'latchkeyd requestor edit'.")
        }
        var providers = try Self.providers("provider", arguments, of: catalogue)
        if providers.isEmpty {
            guard catalogue.mvpds.count <= 1 else {
                let names = catalogue.mvpds.map(\.id.text).joined(separator: ", ")
                throw arguments.fault("--provider is missing; there are \(names).")
            }
            providers = catalogue.mvpds.map(\.id)
        }
        let domains = arguments.values("domain")
        var fields: [String: JSON5Value] = [
            "id": .text(id.text), "name": .text(arguments.value("name") ?? id.text),
            "integrations": .list(providers.map { .object(["provider": .text($0.text)]) }),
        ]
        fields["strictness"] = strictness.map { .text($0.rawValue) }
        if !domains.isEmpty { fields["domains"] = .list(domains.map { .text($0) }) }
        try edit.put(id.text, fields, in: .requestors)
        try await edit.save("requestor.add", "requestor \(id)", call)
        if providers.isEmpty {
            call.say("It has no provider yet: 'latchkeyd provider add ID --requestor \(id)' gives it one.")
        }
        call.say("A box gets its credential with 'latchkeyd keys issue --requestor \(id) --setup-code'.")
    }

    private static let shape = Shape<Requestor>(
        .init("id", \.id), .init("name", \.name), .init("strictness", \.strictness.rawValue),
        .init("domains", \.domains), .init("providers") { $0.integrations.map(\.mvpd) },
        // Those of the providers that viewers cannot pick now.
        .init("disabledProviders") { $0.integrations.filter { !$0.isEnabled }.map(\.mvpd) })

    static let list = ServerCommand(
        .configuration, "list", "Show the requestors of the configuration",
        options: [CommonOptions.json],
        examples: ["latchkeyd requestor list --json": "one JSON list"]
    ) { arguments, call in
        try call.list(
            call.configuration.catalogue.requestors, as: Self.shape,
            [
                ("ID", \.id.text), ("NAME", { terminalSafe($0.name, limit: 40) }),
                ("STRICTNESS", \.strictness.rawValue),
                (
                    "PROVIDERS",
                    {
                        $0.integrations.map { $0.isEnabled ? $0.mvpd.text : "\($0.mvpd) (off)" }
                            .joined(separator: ", ")
                    }
                ), ("DOMAINS", { $0.domains.joined(separator: ", ") }),
            ])
    }

    static let edit = ServerCommand(
        .configuration, "edit", "Change a requestor",
        discussion: [
            "Rewrites its file in latchkeyd.d/requestors. If the requestor is in the main configuration file, edit it "
                + "there."
        ],
        options: [
            .value("name", "TEXT", "What people see"), Self.strictness,
            .value("add-provider", "ID", "A provider its viewers may pick from now on", isRepeatable: true)
                .offering(.list("provider list")),
            .value("remove-provider", "ID", "A provider they may no longer pick", isRepeatable: true)
                .offering(.list("provider list")),
            .value("add-domain", "DOMAIN", "A domain of its pages and redirects", isRepeatable: true),
            .value("remove-domain", "DOMAIN", "A domain that is no longer its own", isRepeatable: true),
        ],
        operands: [Self.operand],
        examples: ["latchkeyd requestor edit NORTHSPORT --add-provider FreePreview": "one provider more"],
        also: [.failure, .stateProblem]
    ) { arguments, call in
        let id = try arguments.id(.requestorID)
        let strictness: Requestor.Strictness? = try arguments.word("strictness")
        var edit = try CatalogueEdit(call)
        let before = try edit.fields(of: id.text, in: .requestors)
        var fields = before
        if let name = arguments.value("name") { fields["name"] = .text(name) }
        if let strictness { fields["strictness"] = .text(strictness.rawValue) }
        let providers = try Self.providers("add-provider", arguments, of: edit.configuration.catalogue)
        try Self.change("integrations", of: &fields, removing: arguments.values("remove-provider"), key: "provider")
        fields.add(providers.map { .object(["provider": .text($0.text)]) }, to: "integrations", key: "provider")
        try Self.change("domains", of: &fields, removing: arguments.values("remove-domain"))
        fields.add(arguments.values("add-domain").map { .text($0) }, to: "domains")
        guard fields != before else {
            call.say("\(id) is so already; nothing was changed.")
            return
        }
        try edit.put(id.text, fields, in: .requestors)
        try await edit.save("requestor.edit", "requestor \(id)", call)
    }

    private static func change(
        _ list: String, of fields: inout [String: JSON5Value], removing entries: [String], key: String? = nil
    ) throws(OperatorError) {
        for text in entries {
            guard fields.remove(text, from: list, key: key) else {
                throw OperatorError(
                    "The requestor has no '\(terminalSafe(text, limit: 80))' among its \(list).",
                    advice: "Nothing was changed. 'latchkeyd requestor list' shows what it has.")
            }
        }
    }

    static let remove = ServerCommand(
        .configuration, "remove", "Take a requestor out of the configuration",
        discussion: [
            "After a reload the server refuses boxes of the requestor. Their sign-ins stay until they expire, and are "
                + "valid again if you add it again. 'latchkeyd sign-ins end --requestor' ends them."
        ],
        operands: [Self.operand],
        examples: ["latchkeyd requestor remove NORTHSPORT": "a channel that has ended"],
        also: [.failure, .stateProblem]
    ) { arguments, call in
        let id = try arguments.id(.requestorID)
        var edit = try CatalogueEdit(call)
        try edit.remove(id.text, from: .requestors)
        try await edit.save("requestor.remove", "requestor \(id)", call)
    }
}
