import Clientless
import CommandLineTool
import Cryptography
import Entitlement
import FoundationEssentials
import Providers
import ServerAPI

extension DemoSetUp {
    private static func text(of setUp: SetUp, password: String) -> String {
        """
        A demo set-up is in \(setUp.folder).

        Start the server:
          latchkeyd serve --config \(setUp.configurationFile)
        Pair a box with the box's configuration:
          latchkey pair --config \(DemoSetUp.boxFile(of: setUp))
        Sign in on the page \(DemoSetUp.page(of: setUp)):
          TV provider  Demo TV
          account      \(DemoSetUp.account)
          password     \(password)
        or pick Free preview there, which asks for nothing and lasts ten minutes.
        This account may play \(DemoSetUp.lineUp.joined(separator: " and ")), but not \(DemoSetUp.otherChannel):
          latchkey authorize --config \(DemoSetUp.boxFile(of: setUp)) '\(DemoSetUp.lineUp[0])'

        The password is shown because this is a demo; it is a new one each time.\(Self.reach(setUp))
        """
    }

    /// How a phone gets in, where the address leads it to itself.
    private static func reach(_ setUp: SetUp) -> String {
        let host = URLComponents(string: setUp.publicURL)?.host ?? ""
        guard host == "localhost" || host.hasPrefix("127.") || host == "[::1]" else { return "" }
        return """

            Only this computer can open that address. To pair with a phone, make the set-up with --lan:
              latchkeyd init --demo --lan
            """
    }

    static func page(of setUp: SetUp) -> String { "\(setUp.publicURL)/activate" }
    static func boxFile(of setUp: SetUp) -> String { "\(setUp.folder)/latchkey.json5" }
    static func classicBoxFile(of setUp: SetUp) -> String { "\(setUp.folder)/latchkey-classic.json5" }

    /// Makes the set-up, the demo's records, and the files of those who call.
    /// - Returns: the facts that a person needs to try the demo.
    static func make(_ setUp: SetUp, now: Timestamp) async throws -> String {
        var generator = SecureRandomGenerator()
        let password = Self.password(using: &generator)
        let issuer = URLComponents(string: setUp.publicURL)?.host ?? setUp.publicURL
        guard let strict = RequestorID(Self.strictRequestor), let compatible = RequestorID(Self.compatibleRequestor),
            let provider = MVPDID(Self.provider)
        else { preconditionFailure("the demo's identifiers are of their grammar") }
        try await setUp.make(settings: Self.settings, now: now) { administration, folder, made in
            let (credentials, actor) = (administration.credentials, CommandActor.text)
            let account = Account(
                mvpd: provider, name: Self.account, passwordHash: try PasswordHash.make(Secret(password)).text,
                lineUp: Self.lineUp, metadata: ["householdID": .text("demo-household"), "zip": .list(["12345"])])
            // A new store has no account.
            _ = try await administration.accounts.add(account, actor: actor, now: now)
            let pair = try await credentials.issueKeyPair(for: [strict, compatible], actor: actor, now: now)
            let key = try folder.newestSoftwareStatementKey()
            func statement(for application: ApplicationRecord) throws -> String {
                try credentials.statement(for: application, issuer: issuer, signingWith: key, now: now)
            }
            let application = try await credentials.registerApplication(
                name: "Demo box", version: "1", requestors: [strict], redirectTargets: ["demo.example"],
                scopes: [.clientV1], actor: actor, now: now)
            try Self.writeFiles(
                setUp, made, pair: pair, application: application, statement: try statement(for: application))
            let operations = try await credentials.registerApplication(
                name: "Demo operations", version: "1", requestors: [strict, compatible],
                scopes: [.temporaryPasses, .decisions, .devices, .credentials, .analytics], actor: actor, now: now)
            try Self.writeApplication(
                operations, to: "\(setUp.folder)/demo-operator.json", made, statement: try statement(for: operations))
        }
        return Self.text(of: setUp, password: password)
    }

    private static func writeApplication(
        _ application: ApplicationRecord, to file: String, _ made: MadeFiles, statement: String
    ) throws {
        let text = JSONLine.text(of: (application, statement, nil), Shapes.statedApplication)
        try made.file(file, Data((text + "\n").utf8))
    }

    private static func writeFiles(
        _ setUp: SetUp, _ made: MadeFiles, pair: IssuedKeyPair, application: ApplicationRecord, statement: String
    ) throws {
        let keyPair = JSONLine.text(of: (pair, nil), Shapes.issuedKeyPair)
        try made.file("\(setUp.folder)/demo-key-pair.json", Data((keyPair + "\n").utf8))
        try Self.writeApplication(application, to: "\(setUp.folder)/demo-application.json", made, statement: statement)
        let boxes: [(file: String, about: String, settings: [(String, JSON5Value)])] = [
            (
                Self.boxFile(of: setUp), "A box of the demo's strict requestor, which registers itself",
                [("requestor", .text(Self.strictRequestor)), ("softwareStatement", .text(statement))]
            ),
            (
                Self.classicBoxFile(of: setUp), "A box of the demo's compatible requestor, which signs each call",
                [
                    ("requestor", .text(Self.compatibleRequestor)),
                    (
                        "keyPair",
                        .object(["publicKey": .text(pair.record.publicKey), "privateKey": .text(pair.privateText)])
                    ),
                ]
            ),
        ]
        let shared: [(String, JSON5Value)] =
            [
                ("server", .text(setUp.publicURL)), ("activationURL", .text(Self.page(of: setUp))),
            ] + (setUp.publicURL.hasPrefix("http://") ? [("insecure", .flag(true))] : [])
        for box in boxes {
            let lines = (shared + box.settings).map { "    \($0.0): \($0.1.source)," }
            let text = "// \(box.about), for 'latchkey --config'.\n{\n\(lines.joined(separator: "\n"))\n}\n"
            try made.file(box.file, Data(text.utf8))
        }
    }
}
