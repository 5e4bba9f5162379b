import Clientless
import CommandLineTool
import FoundationEssentials
import HTTPServer

enum InitCommand {
    static let command = ServerCommand(
        .nothing, "init", "Make a new set-up: keys, store and a commented configuration",
        discussion: [
            "Never changes an existing set-up. With --demo it also makes a demo programmer, provider and viewer, "
                + "and a configuration for the box program, so that you can try everything at once.",
            "With --provider and --requestor, boxes can pair at once. 'latchkeyd provider' and 'latchkeyd "
                + "requestor' add more. If a reverse proxy is in front of the server, name it with --trusted-proxy.",
            "With --certificate the server serves HTTPS itself, on every address and at the port of --public-url. "
                + "Ports below 1024 need root, so choose another one for the systemd unit, such as 8443.",
        ],
        options: [
            .flag("demo", "Add a demo programmer, provider, viewer and box"),
            .value("folder", "DIR", "The folder to make; latchkeyd when left out"),
            .value("public-url", "URL", "How people and boxes reach the server; http://localhost:8080 when left out"),
            .value("store", "FILE", "The store to make, an absolute path; in DIR when left out"),
            .value("provider", "ID", "A first TV provider, with accounts of this server"),
            .value("provider-name", "TEXT", "Its name for viewers; the ID when left out"),
            .value("requestor", "ID", "A first requestor, whose viewers sign in at --provider"),
            .value("requestor-name", "TEXT", "Its name for viewers; the ID when left out"),
            .value(
                "trusted-proxy", "ADDRESS", "A reverse proxy in front, such as 127.0.0.1; may be repeated",
                isRepeatable: true),
            .value("certificate", "FILE", "The certificate chain for HTTPS, PEM, as the configuration in DIR names it"),
            .value("certificate-key", "FILE", "Its private key, PEM"),
            .flag("lan", "Listen on every address, and take this machine's network address as the public URL"),
        ],
        examples: [
            "latchkeyd init --public-url https://tv.example --folder /etc/latchkeyd --trusted-proxy 127.0.0.1 "
                + "--provider CableNova --requestor NORTHSPORT": "behind a proxy, ready to pair",
            "latchkeyd init --demo --lan": "to try it with a phone",
        ],
        also: [.failure, .stateProblem]
    ) { arguments, call in
        let setUp = try Self.setUp(arguments)
        if arguments.has("demo") {
            let ofOwn = [
                "provider", "provider-name", "requestor", "requestor-name", "trusted-proxy", "certificate",
                "certificate-key",
            ]
            guard ofOwn.allSatisfy({ !arguments.has($0) }) else {
                throw arguments.fault(
                    "--demo brings a provider and requestors of its own, and has neither a proxy nor a certificate.")
            }
            try call.result(try await DemoSetUp.make(setUp, now: call.now))
        } else {
            try await setUp.make(
                settings: try Self.settings(arguments), dropIns: try Self.dropIns(arguments), now: call.now)
            let next =
                arguments.value("requestor").map {
                    "Look at \(setUp.configurationFile) and \(DropIn.folder) beside it, give boxes their credential with 'latchkeyd keys issue --requestor "
                        + "\($0) --setup-code' and viewers an account with 'latchkeyd user add', then:"
                } ?? arguments.value("provider").map {
                    "Add a requestor with 'latchkeyd requestor add ID --provider \($0)', then:"
                }
                ?? "Add providers and requestors with 'latchkeyd provider add' and 'latchkeyd requestor add', then:"
            try call.result(
                """
                A new set-up is in \(setUp.folder).
                \(next)
                  latchkeyd check-config \(setUp.configurationFile)
                  latchkeyd serve --config \(setUp.configurationFile)
                Keep a copy of \(setUp.keyFolder.path) in a safe place; without it nobody stays signed in.
                """)
            if arguments.has("certificate") {
                let file = ConfigurationFile(path: setUp.configurationFile)
                for fault in CheckConfigCommand.look(at: file, now: call.now).faults {
                    call.say("Still to do: \(fault)")
                }
            }
        }
        if case .tcp(_, let port) = setUp.listen, port > 0, port < 1024 {
            call.say(
                "Port \(port) is root's: a server that runs as another user, as the unit of systemd has it, cannot listen "
                    + "there. Give --public-url another port, such as 8443, or change server.listen.")
        }
    }

    private static func dropIns(_ arguments: ParsedArguments) throws(UsageError) -> [DropIn] {
        func name(_ option: String) -> JSON5Value? { arguments.value(option).map { .text($0) } }
        for option in ["provider", "requestor"] where arguments.has("\(option)-name") && !arguments.has(option) {
            throw arguments.fault("--\(option)-name needs --\(option).")
        }
        guard let provider = try arguments.values("provider", .mvpdID).last?.text else {
            guard !arguments.has("requestor") else {
                throw arguments.fault("--requestor needs --provider, where its viewers sign in.")
            }
            return []
        }
        let first = DropIn(
            .providers, id: provider,
            [
                "id": .text(provider), "name": name("provider-name") ?? .text(provider), "kind": .text(LocalKind.name),
            ])
        guard let requestor = try arguments.values("requestor", .requestorID).last?.text else { return [first] }
        return [
            first,
            DropIn(
                .requestors, id: requestor,
                [
                    "id": .text(requestor), "name": name("requestor-name") ?? .text(requestor),
                    "integrations": .list([.object(["provider": .text(provider)])]),
                ]),
        ]
    }

    private static func settings(_ arguments: ParsedArguments) throws(UsageError) -> [String: JSON5Value] {
        let proxies = try arguments.values("trusted-proxy", .network)
        var server: [String: JSON5Value] = [:]
        if !proxies.isEmpty { server["trustedProxies"] = .list(proxies.map { .text($0.description) }) }
        if let certificate = arguments.value("certificate") { server["certificate"] = .text(certificate) }
        if let key = arguments.value("certificate-key") { server["certificateKey"] = .text(key) }
        return server.isEmpty ? [:] : ["server": .object(server)]
    }

    private static func hasCertificate(_ arguments: ParsedArguments) throws(UsageError) -> Bool {
        let isGiven = arguments.has("certificate")
        guard isGiven == arguments.has("certificate-key") else {
            throw arguments.fault("--certificate and --certificate-key go together.")
        }
        guard !isGiven || arguments.value("public-url")?.hasPrefix("https://") == true else {
            throw arguments.fault("--certificate needs --public-url with an address of https.")
        }
        return isGiven
    }

    private static func setUp(_ arguments: ParsedArguments) throws -> SetUp {
        let folder = arguments.value("folder") ?? "latchkeyd"
        let isForNetwork = arguments.has("lan")
        let given = arguments.value("public-url")
        let parts = given.flatMap { URLComponents(string: $0) }
        let answersHTTPS = try Self.hasCertificate(arguments)
        let port = answersHTTPS ? parts?.port ?? 443 : parts.flatMap { $0.scheme == "http" ? $0.port : nil } ?? 8080
        let publicURL: String
        if let given {
            publicURL = given
        } else if isForNetwork {
            guard let address = LocalNetwork.address() else {
                throw OperatorError(
                    "This machine has no address in a network.", advice: "Say how it is reached with --public-url URL.")
            }
            publicURL = "http://\(address):\(port)"
        } else {
            publicURL = "http://localhost:\(port)"
        }
        return try SetUp(
            folder: folder, publicURL: publicURL,
            listen: .tcp(host: isForNetwork || answersHTTPS ? "" : "127.0.0.1", port: port),
            store: try arguments.values("store", .absolutePath).last)
    }
}
