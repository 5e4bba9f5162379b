import Clientless
package import CommandLineTool
import Cryptography
import Entitlement
import FoundationEssentials
import HTTPServer

/// `latchkeyd init`: keys, store and a commented configuration in one folder.
package enum InitCommand: ServerCommand {
    package static let command = Command(
        "init", "Make a new set-up: keys, store and a commented configuration",
        discussion: [
            "Never changes a set-up that is there. With --demo there is a made-up programmer, provider and viewer "
                + "in it, and a configuration for the box program, so that everything can be tried at once."
        ],
        options: [
            .flag("demo", "Add a demo programmer, provider, viewer and box"),
            .value("folder", "DIR", "Where to make it; the folder latchkeyd when left out"),
            .value("public-url", "URL", "How people and boxes reach the server; http://localhost:8080 when left out"),
            .value("store", "FILE", "Where to make the store, an absolute path; in DIR when left out"),
            .flag("lan", "Listen on every address, and be reached by this machine's address in the network"),
        ],
        examples: [
            CommandExample("latchkeyd init --public-url https://tv.example --folder /etc/latchkeyd", "behind a proxy"),
            CommandExample("latchkeyd init --demo --lan", "to try it with a phone"),
        ],
        exitCodes: [.success, .failure, .usage, .stateProblem])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let setUp = try Self.setUp(arguments)
        if arguments.has("demo") {
            let demo = try await DemoSetUp.make(setUp, now: context.now())
            try context.console.result(demo.text(of: setUp))
        } else {
            try await setUp.make(settings: [:], now: context.now())
            try context.console.result(
                """
                A new set-up is in \(setUp.folder).
                Name providers and requestors in \(setUp.configurationFile), then:
                  latchkeyd check-config \(setUp.configurationFile)
                  latchkeyd serve --config \(setUp.configurationFile)
                Keep a copy of \(setUp.keyFolder.path) in a safe place; without it nobody stays signed in.
                """)
        }
        return .success
    }

    private static func store(_ arguments: ParsedArguments) throws -> String? {
        guard let path = arguments.value("store") else { return nil }
        guard path.hasPrefix("/") else {
            throw UsageError("--store takes an absolute path.", commandPath: arguments.commandPath)
        }
        return path
    }

    private static func setUp(_ arguments: ParsedArguments) throws -> SetUp {
        let folder = arguments.value("folder") ?? "latchkeyd"
        let isForNetwork = arguments.has("lan")
        let given = arguments.value("public-url")
        let port = given.flatMap { URLComponents(string: $0) }.flatMap { $0.scheme == "http" ? $0.port : nil } ?? 8080
        let publicURL: String
        if let given {
            publicURL = given
        } else if isForNetwork {
            guard let address = LocalNetwork.address() else {
                throw OperatorError(
                    "This machine has no address in a network.", advice: "Say how it is reached with --public-url URL.",
                    exitCode: .failure)
            }
            publicURL = "http://\(address):\(port)"
        } else {
            publicURL = "http://localhost:\(port)"
        }
        return try SetUp(
            folder: folder, publicURL: publicURL,
            listen: .tcp(host: isForNetwork ? "" : "127.0.0.1", port: port), store: try Self.store(arguments))
    }
}
