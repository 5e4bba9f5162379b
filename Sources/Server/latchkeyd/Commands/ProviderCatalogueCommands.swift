import Clientless
import CommandLineTool
import Entitlement
import ServerAPI

enum ProviderCatalogueCommands {
    static let all = [add, list, remove]
    private static let operand = CommandOperand("PROVIDER", "The ID of the provider, as boxes send it")

    /// The options that belong to one kind, with the setting of its group that each of them is.
    private static let settings = ProviderKinds.all.flatMap { kind in
        kind.options.map { (kind: kind.name, group: kind.group, option: $0.option, setting: $0.setting) }
    }

    static let add = ServerCommand(
        .configuration, "add", "Add a TV provider",
        discussion: [
            "Writes the file latchkeyd.d/providers/PROVIDER.json5 beside the configuration. It takes all settings "
                + "of an entry of the list providers, so you can edit the rest. To change a provider later, edit that file. Without --kind it has local "
                + "accounts (see 'latchkeyd user')."
        ],
        options: [
            .value("name", "TEXT", "What people see; the ID when left out"),
            .value("kind", "KIND", "\(ProviderKinds.names.joined(separator: ", ")); local when left out")
                .offering(.words(ProviderKinds.names)),
            .value("requestor", "ID", "A requestor whose viewers may pick it; may be repeated", isRepeatable: true)
                .offering(.list("requestor list")),
        ]
            + Self.settings.map(\.option),
        operands: [Self.operand],
        examples: [
            "latchkeyd provider add CableNova --requestor NORTHSPORT": "with accounts of this server",
            "latchkeyd provider add Preview --kind temporaryPass --lifetime 10m": "a free preview",
            "latchkeyd provider add IslandTV --kind saml --metadata https://idp.island.example/metadata.xml "
                + "--key island-tv.pem --line-up-attribute channels": "a provider that speaks SAML",
        ],
        also: [.failure, .stateProblem]
    ) { arguments, call in
        let id = try arguments.id(.mvpdID)
        let kind = arguments.value("kind") ?? LocalKind.name
        guard ProviderKinds.names.contains(kind) else {
            let hint = nearestName(to: kind, among: ProviderKinds.names).map { " Did you mean '\($0)'?" } ?? ""
            throw arguments.fault("--kind takes one of \(ProviderKinds.names.joined(separator: ", ")).\(hint)")
        }
        var edit = try CatalogueEdit(call)
        guard edit.configuration.catalogue.mvpd(id) == nil else {
            throw OperatorError(
                "There is a provider \(id) already.",
                advice: "To change it, edit \(edit.path(of: id.text, in: .providers)), then run "
                    + "'latchkeyd check-config' and reload the server.")
        }
        var fields: [String: JSON5Value] = [
            "id": .text(id.text), "name": .text(arguments.value("name") ?? id.text), "kind": .text(kind),
        ]
        var values: [String: JSON5Value] = [:]
        for setting in Self.settings where arguments.has(setting.option.name) {
            guard setting.kind == kind else {
                throw arguments.fault("--\(setting.option.name) is about --kind \(setting.kind).")
            }
            let texts = arguments.values(setting.option.name).map { JSON5Value.text($0) }
            values[setting.setting] = setting.option.isRepeatable ? .list(texts) : texts[0]
            fields[setting.group] = .object(values)
        }
        try edit.put(id.text, fields, in: .providers)
        let requestors =
            try arguments.has("requestor")
            ? call.requestors().map(\.id) : []
        for requestor in requestors {
            var fields = try edit.fields(of: requestor.text, in: .requestors)
            fields.add([.object(["provider": .text(id.text)])], to: "integrations", key: "provider")
            try edit.put(requestor.text, fields, in: .requestors)
        }
        do {
            try Self.requireFiles(of: id, kind, in: try edit.result(call))
        } catch let error as ConfigurationFaults {
            for setting in Self.settings where setting.kind == kind {
                let name = "\(setting.group).\(setting.setting)"
                guard error.faults.contains(where: { "\($0.path)" == name }) else { continue }
                call.say("The option --\(setting.option.name) gives \(name).")
            }
            throw error
        }
        let changed = try await edit.save("provider.add", "provider \(id)", call)
        ProviderCommands.sayAddresses(of: id, in: changed, call)
        if requestors.isEmpty {
            call.say(
                "No requestor has it yet: 'latchkeyd requestor edit REQUESTOR --add-provider \(id)' gives it to one.")
        }
    }

    /// - Throws: if a file that the provider needs is not there, open to others or unfit.
    private static func requireFiles(of id: MVPDID, _ kind: String, in changed: Configuration) throws(OperatorError) {
        guard let provider = changed.providers[id], case let faults = changed.fileFaults(of: provider), !faults.isEmpty
        else { return }
        let missing = provider.files.filter(\.isSecret).map { changed.path($0.name) }
            .filter { PrivateFiles.status($0) == nil }
        // The path may be a secret in the wrong place, which is in no message; a private key is not typed.
        let advice =
            switch kind {
            case _ where missing.isEmpty: ""
            case SAMLKind.name:
                missing.map { terminalSafe($0) }
                    .map { " 'latchkeyd provider make-key \($0)' makes the file \($0)." }.joined()
            default:
                " Write the secret to a file such as \(terminalSafe(changed.path("\(id).secret"))), with mode 0600, "
                    + "name that file, and add the provider then."
            }
        throw OperatorError(
            faults.joined(separator: "\n"), advice: "Nothing was changed.\(advice)", exitCode: .configuration)
    }

    private typealias Row = (mvpd: MVPD, kind: String, requestors: [RequestorID])
    private static let shape = Shape<Row>(
        .init("id", \.mvpd.id), .init("name", \.mvpd.displayName), .init("kind", \.kind),
        .init("requestors", \.requestors))

    static let list = ServerCommand(
        .configuration, "list", "Show the TV providers of the configuration",
        options: [CommonOptions.json],
        examples: ["latchkeyd provider list --json": "one JSON list"]
    ) { arguments, call in
        let configuration = try call.configuration
        let catalogue = configuration.catalogue
        let rows = catalogue.mvpds.map { mvpd -> Row in
            (
                mvpd, configuration.providers[mvpd.id].map { type(of: $0.kind).name } ?? "unknown",
                catalogue.requestors.map(\.id).filter { catalogue.integration($0, mvpd.id) != nil }
            )
        }
        try call.list(
            rows, as: Self.shape,
            [
                ("ID", \.mvpd.id.text), ("NAME", { terminalSafe($0.mvpd.displayName, limit: 40) }), ("KIND", \.kind),
                ("REQUESTORS", { $0.requestors.map(\.text).joined(separator: ", ") }),
            ])
    }

    static let remove = ServerCommand(
        .configuration, "remove", "Take a TV provider out of the configuration",
        discussion: [
            "After a reload its viewers cannot sign in, and boxes that are signed in with it cannot play. Accounts "
                + "stay until you remove them, sign-ins until they expire."
        ],
        options: [
            .flag("everywhere", "Also remove it from all requestors")
        ],
        operands: [Self.operand],
        examples: ["latchkeyd provider remove CableNova --everywhere": "a contract that ended"],
        also: [.failure, .stateProblem]
    ) { arguments, call in
        let id = try arguments.id(.mvpdID)
        var edit = try CatalogueEdit(call)
        try edit.remove(id.text, from: .providers)
        let users = edit.configuration.catalogue.requestors.filter { requestor in
            requestor.integrations.contains { $0.mvpd == id }
        }
        guard users.isEmpty || arguments.has("everywhere") else {
            throw OperatorError(
                "The provider \(id) is that of \(users.map(\.id.text).joined(separator: ", ")).",
                advice: "Nothing was changed. With --everywhere it is taken from them, too.")
        }
        for requestor in users {
            var fields = try edit.fields(of: requestor.id.text, in: .requestors)
            _ = fields.remove(id.text, from: "integrations", key: "provider")
            try edit.put(requestor.id.text, fields, in: .requestors)
        }
        try await edit.save("provider.remove", "provider \(id)", call)
    }
}
