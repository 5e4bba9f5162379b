import ServerAPI
package import CommandLineTool
import Clientless
import Entitlement

private let unknownKeyPair = OperatorError(
    "There is no key pair with this public key.", advice: "'latchkeyd keys list' shows all of them.")

private func show(
    _ issued: IssuedKeyPair, _ configuration: Configuration, _ arguments: ParsedArguments, _ context: CommandContext
) throws {
    let record = issued.record
    guard try !context.shows(Shapes.issuedKeyPair.json((issued, configuration.boxes), .civil), arguments)
    else { return }
    let label = record.label.map { "\nfor          \(terminalSafe($0))" } ?? ""
    try context.console.result(
        """
        public key   \(record.publicKey)
        private key  \(issued.privateText)
        requestors   \(record.requestors.map(\.text).joined(separator: ", "))\(label)
        """)
    context.console.say("The private key is shown this once; the server keeps it sealed.")
}

/// `latchkeyd keys issue`
package enum KeyPairIssueCommand: ServerCommand {
    package static let command = Command.ofStore(
        "issue", "Make an HMAC key pair",
        discussion: [
            "The private key is shown once. A running server accepts the pair within a second or two.",
            """
            With --setup-code you get a one-time code instead, for the person who sets up one box. 'latchkey init \
            --code' exchanges it for a pair that only that box knows. The code works once, for an hour or the time of \
            --valid. If the terminal has room, a QR code shows the box's command, for a phone to copy.
            """,
        ],
        options: [
            CommonOptions.requestors, CommonOptions.serverToServer,
            .value("for", "LABEL", "A note for you, which 'latchkeyd keys list' shows"), CommonOptions.json,
        ] + SetUpCodeOptions.all,
        examples: [
            CommandExample("latchkeyd keys issue --requestor NORTHSPORT", "for boxes of one brand"),
            CommandExample("latchkeyd keys issue --requestor NORTHSPORT --server-to-server", "for its servers"),
            CommandExample(
                "latchkeyd keys issue --requestor NORTHSPORT --setup-code --for 'Kodi, living room'", "for one new box"),
        ])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        try await StoreAccess.withAdministration(arguments, context) { administration, configuration in
            let requestors = try CommonOptions.requestors(arguments, of: configuration.catalogue)
            let label = try Self.label(arguments)
            if arguments.has("setup-code") {
                guard requestors.count == 1, !arguments.has("server-to-server") else {
                    throw arguments.fault("A set-up code is for one box of one requestor.")
                }
                return try await SetUpCodeOptions.issue(
                    for: requestors[0], application: nil, label: label, administration, configuration, arguments,
                    context)
            }
            guard !arguments.has("valid") else {
                throw arguments.fault("--valid is about --setup-code.")
            }
            let issued = try await administration.credentials.issueKeyPair(
                for: requestors, isServerToServer: arguments.has("server-to-server"), label: label,
                actor: CommandActor.text, now: context.now())
            try show(issued, configuration, arguments, context)
            return .success
        }
    }

    private static func label(_ arguments: ParsedArguments) throws(UsageError) -> String? {
        guard let text = arguments.value("for") else { return nil }
        guard let label = CredentialLabel.canonical(text) else {
            throw arguments.fault(
                "--for takes 1 to \(CredentialLabel.lengths.upperBound) bytes without control characters.")
        }
        return label
    }
}

/// `latchkeyd keys list`
package enum KeyPairListCommand: ServerCommand {
    package static let command = Command.ofStore(
        "list", "Show all HMAC key pairs, without their private halves",
        options: [CommonOptions.json],
        examples: [CommandExample("latchkeyd keys list --json", "one JSON list")])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let now = context.now()
        return try await context.list(
            arguments, as: Shapes.keyPair,
            [
                ("PUBLIC KEY", \.publicKey), ("MADE", \.created.timeText),
                ("STATE", { UseText.write($0.ends, now: now) }),
                ("USED BY", { $0.isServerToServer ? "server" : "box" }),
                ("REQUESTORS", { $0.requestors.map(\.text).joined(separator: ", ") }),
                ("FOR", { terminalSafe($0.label ?? "", limit: 40) }),
            ]
        ) { administration, _ in try await administration.credentials.keyPairs() }
    }
}

/// `latchkeyd keys rotate`
package enum KeyPairRotateCommand: ServerCommand {
    package static let command = Command.ofStore(
        "rotate", "Make a new HMAC key pair in place of an old one",
        discussion: ["The old pair is accepted until the overlap is over, so that boxes can be changed one by one."],
        options: [
            CommonOptions.json,
            .value("overlap", "TIME", "How long the old pair is still accepted, such as 36h; 7d when left out"),
        ],
        operands: [CommandOperand("PUBLIC-KEY", "The old pair's public key")],
        examples: [
            CommandExample("latchkeyd keys rotate P3wYh8Gd5sKe1uJfVn6tBqZo0aXcMr2L --overlap 36h", "a day and a half")
        ], also: [.failure])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let overlap = try CommonOptions.duration(
            "overlap", in: .seconds(0) ... .seconds(366 * 86_400), default: .seconds(7 * 86_400), arguments)
        let now = context.now()
        let publicKey = arguments.operands[0]
        return try await StoreAccess.withAdministration(arguments, context) { administration, configuration in
            let credentials = administration.credentials
            guard
                let (old, new) = try await credentials.rotateKeyPair(
                    publicKey, overlap: overlap, actor: CommandActor.text, now: now)
            else {
                let pair = try await credentials.keyPairs().first { $0.publicKey == publicKey }
                throw pair.flatMap(\.ends).map { Self.ended(publicKey, $0) } ?? unknownKeyPair
            }
            try show(new, configuration, arguments, context)
            if let ends = old.ends { context.console.say("The old pair is accepted until \(ends.timeText).") }
            return .success
        }
    }
}

extension KeyPairRotateCommand {
    private static func ended(_ publicKey: String, _ end: Timestamp) -> OperatorError {
        OperatorError(
            "The key pair \(publicKey) ended at \(end.timeText).",
            advice: "Make a new one with 'latchkeyd keys issue'.")
    }
}

/// `latchkeyd keys revoke`
package enum KeyPairRevokeCommand: ServerCommand {
    package static let command = Command.ofStore(
        "revoke", "Stop accepting HMAC key pairs at once",
        operands: [CommandOperand("PUBLIC-KEY", "The pair's public key", count: .oneOrMore)],
        examples: [CommandExample("latchkeyd keys revoke P3wYh8Gd5sKe1uJfVn6tBqZo0aXcMr2L", "after a leak")],
        also: [.failure])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        try await context.endEach(arguments, orElse: { _ in unknownKeyPair }) {
            try await $0.credentials.revokeKeyPair($1, actor: CommandActor.text, now: context.now())
                .map { "\($0.publicKey) \(UseText.write($0.ends, now: context.now()))." }
        }
    }
}
