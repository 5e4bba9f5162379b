import ServerAPI
import CommandLineTool
import Clientless
import Entitlement

let unknownApplication = OperatorError(
    "There is no application with this software ID.", advice: "'latchkeyd keys application list' shows all of them.")

enum ApplicationCommands {
    static let group = ServerCommand(
        group: "application", "Registered applications and their software statements",
        [issue, list, statement, revoke])

    static let issue = ServerCommand(
        .store, "issue", "Register an application and sign its software statement",
        discussion: ["Prints the software ID and the statement, which you build into the application."],
        options: [
            CommonOptions.requestors, CommonOptions.serverToServer, CommonOptions.json,
            .value("name", "NAME", "The application, as people know it"),
            .value("version", "VERSION", "Its version; 1 when left out"),
            .value(
                "scope", "SCOPE", "What it may do; api:client:v1 when left out; may be repeated", isRepeatable: true),
            .value(
                "redirect", "TARGET",
                "A domain or a URL scheme of its own that its redirects may use; may be "
                    + "repeated",
                isRepeatable: true),
        ],
        examples: [
            "latchkeyd keys application issue --name 'North Sport' --requestor NORTHSPORT --redirect hcplayer":
                "with an own scheme",
            "latchkeyd keys application issue --name Operations --requestor NORTHSPORT --scope decisions:owner":
                "for a program that sets degradation rules",
        ]
    ) { arguments, call in
        let name = try arguments.required("name")
        let version = arguments.value("version") ?? "1"
        let scopes: [Scope] = try arguments.values("scope").map { try arguments.word($0, of: "--scope") }.eachOnce()
        let targets = try Self.redirectTargets(arguments)
        let label = SettingKind<String>.label(1...120)
        for option in ["name", "version"] { _ = try arguments.values(option, label) }
        let credentials = try await call.administration.credentials
        let configuration = try call.configuration
        let requestors = try call.requestors().map(\.id)
        // The key first: an application without a statement would be of no use.
        let key = try configuration.keyFolder.newestSoftwareStatementKey()
        let record = try await credentials.registerApplication(
            name: name, version: version, requestors: requestors, redirectTargets: targets,
            scopes: scopes.isEmpty ? [.clientV1] : scopes, isServerToServer: arguments.has("server-to-server"),
            actor: CommandActor.text, now: call.now)
        let statement = try credentials.statement(
            for: record, issuer: configuration.issuer, signingWith: key, now: call.now)
        if try !call.shows(JSONLine.text(of: (record, statement, configuration.boxes), Shapes.statedApplication)) {
            try call.result("software ID         \(record.softwareID)\nsoftware statement  \(statement)")
        }
    }

    private static func redirectTargets(_ arguments: ParsedArguments) throws -> [String] {
        try arguments.values("redirect").map { text in
            // People write a scheme with and without what follows it.
            let bare = text.hasSuffix("://") ? String(text.dropLast(3)) : text
            let (domain, scheme) = (SettingKind<String>.domain, SettingKind<String>.redirectScheme)
            // A word without a dot is a scheme, so that none that a browser runs gets in as a domain.
            let isDomain = (bare.contains(".") || bare == "localhost") && domain.read(.text(bare)) != nil
            guard isDomain || scheme.read(.text(bare)) != nil else {
                throw arguments.fault("--redirect takes \(domain.expects), or \(scheme.expects).")
            }
            return bare
        }.eachOnce()
    }

    static let list = ServerCommand(
        .store, "list", "Show all registered applications",
        options: [CommonOptions.json],
        examples: ["latchkeyd keys application list": "as a table"]
    ) { arguments, call in
        let now = call.now
        try call.list(
            try await call.administration.credentials.applications(), as: Shapes.application,
            [
                ("SOFTWARE ID", \.softwareID), ("NAME", { terminalSafe($0.name, limit: 40) }),
                ("MADE", \.created.timeText), ("STATE", { UseText.write($0.ends, now: now) }),
                ("REQUESTORS", { $0.requestors.map(\.text).joined(separator: ", ") }),
                ("SCOPES", { $0.scopes.joined(separator: ", ") }),
            ])
    }

    static let statement = ServerCommand(
        .store, "statement", "Sign a software statement again, with the newest key",
        discussion: [
            "Earlier statements of the application stay valid as long as the key that signed them is there.",
            """
            With --setup-code you get a one-time code instead, for the person who sets up one box. 'latchkey init \
            --code' exchanges it for a statement.
            """,
        ],
        options: [CommonOptions.json] + SetUpCodeOptions.all + [
            .value("requestor", "ID", "The requestor of the box, if the application has several")
        ],
        operands: [CommandOperand("SOFTWARE-ID", "The application")],
        examples: [
            "latchkeyd keys application statement 5f0c2b7e-3f42-4a57-9a55-0c7d1be7a0d4 > statement.jwt": "to a file"
        ], also: [.failure]
    ) { arguments, call in
        let (softwareID, now) = (arguments.operands[0], call.now)
        let credentials = try await call.administration.credentials
        let configuration = try call.configuration
        let key = try configuration.keyFolder.newestSoftwareStatementKey()
        guard let application = try await credentials.applications().first(where: { $0.softwareID == softwareID })
        else { throw unknownApplication }
        if let ends = application.ends, !application.isActive(at: now) {
            throw OperatorError("The application \(softwareID) was revoked at \(ends.timeText).")
        }
        if arguments.has("setup-code") {
            return try await SetUpCodeOptions.issue(
                for: try Self.requestor(of: application, arguments), application: application, call)
        }
        for option in ["valid", "requestor", "json"] where arguments.has(option) {
            throw arguments.fault("--\(option) is about --setup-code.")
        }
        try call.result(
            try credentials.statement(
                for: application, issuer: configuration.issuer, signingWith: key, now: now))
    }

    /// The requestor that the box is for: the application's only one, or the one that is named.
    private static func requestor(
        of application: ApplicationRecord, _ arguments: ParsedArguments
    ) throws -> RequestorID {
        let names = application.requestors.map(\.text).joined(separator: ", ")
        guard !application.isServerToServer, application.scopes.contains(Scope.clientV1.rawValue) else {
            throw arguments.fault("The application is not one of boxes.")
        }
        guard let text = arguments.value("requestor") else {
            guard application.requestors.count == 1 else {
                throw arguments.fault("--requestor is missing: a code is for one of \(names).")
            }
            return application.requestors[0]
        }
        guard let requestor = application.requestors.first(where: { $0.text == text }) else {
            throw arguments.fault("The application is for \(names).")
        }
        return requestor
    }

    static let revoke = ServerCommand(
        .store, "revoke", "Refuse an application and all its installations at once",
        operands: [CommandOperand("SOFTWARE-ID", "The application", count: .oneOrMore)],
        examples: [
            "latchkeyd keys application revoke 5f0c2b7e-3f42-4a57-9a55-0c7d1be7a0d4": "after a leak"
        ], also: [.failure]
    ) { arguments, call in
        try await call.endEach(orElse: unknownApplication) {
            try await $0.credentials.revokeApplication($1, actor: CommandActor.text, now: call.now)
                .map { "\($0.softwareID) \(UseText.write($0.ends, now: call.now))." }
        }
    }
}
