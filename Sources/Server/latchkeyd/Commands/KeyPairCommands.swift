import ServerAPI
import CommandLineTool
import Clientless
import Entitlement

private let unknownKeyPair = OperatorError(
    "There is no key pair with this public key.", advice: "'latchkeyd keys list' shows all of them.")

private func show(_ issued: IssuedKeyPair, _ call: CommandCall) throws {
    let (record, boxes) = (issued.record, try call.configuration.boxes)
    guard try !call.shows(JSONLine.text(of: (issued, boxes), Shapes.issuedKeyPair)) else { return }
    let label = record.label.map { "\nfor          \(terminalSafe($0))" } ?? ""
    try call.result(
        """
        public key   \(record.publicKey)
        private key  \(issued.privateText)
        requestors   \(record.requestors.map(\.text).joined(separator: ", "))\(label)
        """)
    call.say("The private key is shown this once; the server keeps it sealed.")
}

enum KeyPairCommands {
    static let all = [issue, list, rotate, revoke]

    static let issue = ServerCommand(
        .store, "issue", "Make an HMAC key pair",
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
            "latchkeyd keys issue --requestor NORTHSPORT": "for boxes of one requestor",
            "latchkeyd keys issue --requestor NORTHSPORT --server-to-server": "for its servers",
            "latchkeyd keys issue --requestor NORTHSPORT --setup-code --for 'Kodi, living room'": "for one new box",
        ]
    ) { arguments, call in
        let administration = try await call.administration
        try await KeyFit.require(of: try call.configuration.keyFolder.path, for: administration)
        let requestors = try call.requestors().map(\.id)
        let label = try Self.label(arguments)
        if arguments.has("setup-code") {
            guard requestors.count == 1, !arguments.has("server-to-server") else {
                throw arguments.fault("A set-up code is for one box of one requestor.")
            }
            return try await SetUpCodeOptions.issue(for: requestors[0], application: nil, label: label, call)
        }
        guard !arguments.has("valid") else { throw arguments.fault("--valid is about --setup-code.") }
        let issued = try await administration.credentials.issueKeyPair(
            for: requestors, isServerToServer: arguments.has("server-to-server"), label: label,
            actor: CommandActor.text, now: call.now)
        try show(issued, call)
    }

    private static func label(_ arguments: ParsedArguments) throws(UsageError) -> String? {
        guard let text = arguments.value("for") else { return nil }
        guard let label = CredentialLabel.canonical(text) else {
            throw arguments.fault(
                "--for takes 1 to \(CredentialLabel.lengths.upperBound) bytes without control characters.")
        }
        return label
    }

    static let list = ServerCommand(
        .store, "list", "Show all HMAC key pairs, without their private halves",
        options: [CommonOptions.json],
        examples: ["latchkeyd keys list --json": "one JSON list"]
    ) { arguments, call in
        let now = call.now
        try call.list(
            try await call.administration.credentials.keyPairs(), as: Shapes.keyPair,
            [
                ("PUBLIC KEY", \.publicKey), ("MADE", \.created.timeText),
                ("STATE", { UseText.write($0.ends, now: now) }),
                ("USED BY", { $0.isServerToServer ? "server" : "box" }),
                ("REQUESTORS", { $0.requestors.map(\.text).joined(separator: ", ") }),
                ("FOR", { terminalSafe($0.label ?? "", limit: 40) }),
            ])
    }

    static let rotate = ServerCommand(
        .store, "rotate", "Make a new HMAC key pair in place of an old one",
        discussion: ["The old pair is accepted until the overlap is over, so that boxes can be changed one by one."],
        options: [
            CommonOptions.json,
            .value("overlap", "TIME", "How long the old pair is still accepted, such as 36h; 7d when left out"),
        ],
        operands: [CommandOperand("PUBLIC-KEY", "The old pair's public key")],
        examples: [
            "latchkeyd keys rotate P3wYh8Gd5sKe1uJfVn6tBqZo0aXcMr2L --overlap 36h": "a day and a half"
        ], also: [.failure]
    ) { arguments, call in
        let overlap = try arguments.duration(
            "overlap", in: .seconds(0) ... .seconds(366 * 86_400), default: .seconds(7 * 86_400))
        let now = call.now
        let publicKey = arguments.operands[0]
        let administration = try await call.administration
        try await KeyFit.require(of: try call.configuration.keyFolder.path, for: administration)
        let credentials = administration.credentials
        guard
            let (old, new) = try await credentials.rotateKeyPair(
                publicKey, overlap: overlap, actor: CommandActor.text, now: now)
        else {
            let pair = try await credentials.keyPairs().first { $0.publicKey == publicKey }
            throw pair.flatMap(\.ends).map { Self.ended(publicKey, $0) } ?? unknownKeyPair
        }
        try show(new, call)
        if let ends = old.ends { call.say("The old pair is accepted until \(ends.timeText).") }
    }

    private static func ended(_ publicKey: String, _ end: Timestamp) -> OperatorError {
        OperatorError(
            "The key pair \(publicKey) ended at \(end.timeText).",
            advice: "Make a new one with 'latchkeyd keys issue'.")
    }

    static let revoke = ServerCommand(
        .store, "revoke", "Stop accepting HMAC key pairs at once",
        operands: [CommandOperand("PUBLIC-KEY", "The pair's public key", count: .oneOrMore)],
        examples: ["latchkeyd keys revoke P3wYh8Gd5sKe1uJfVn6tBqZo0aXcMr2L": "after a leak"],
        also: [.failure]
    ) { arguments, call in
        try await call.endEach(orElse: unknownKeyPair) {
            try await $0.credentials.revokeKeyPair($1, actor: CommandActor.text, now: call.now)
                .map { "\($0.publicKey) \(UseText.write($0.ends, now: call.now))." }
        }
    }
}
