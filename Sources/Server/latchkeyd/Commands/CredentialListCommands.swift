import Clientless
import CommandLineTool
import Entitlement
import ServerAPI

enum CredentialListCommands {
    static let clients = ServerCommand(
        group: "client", "Installations of registered applications", [clientList, clientRevoke])
    static let setUpCodes = ServerCommand(
        group: "setup-code", "One-time codes for new boxes", [setUpCodeList, setUpCodeRevoke])

    static let clientRevoke = ServerCommand(
        .store, "revoke", "Refuse one installation of an application at once, with its access tokens",
        discussion: [
            "The application and its other installations keep working. The audit log names clients by "
                + "their ID."
        ],
        operands: [CommandOperand("CLIENT-ID", "The client that the installation registered", count: .oneOrMore)],
        examples: [
            "latchkeyd keys client revoke 0d9c2a56-7b1e-4c63-8f0a-52e1b7d4c9aa": "after a theft"
        ], also: [.failure]
    ) { arguments, call in
        try await call.endEach(orElse: OperatorError("There is no client with this ID.")) {
            try await $0.credentials.revokeClient($1, actor: CommandActor.text, now: call.now)
                ? "\($1) was revoked." : nil
        }
    }

    private static let usualLimit = 100

    private static let clientShape = Shape<ClientRecord>(
        .init("clientID", \.clientID), .init("created", \.created), .init("lastUsed", \.lastUsed))

    static let clientList = ServerCommand(
        .store, "list", "Show the installations of an application, the newest first",
        options: [
            .value("limit", "NUMBER", "At most so many; \(usualLimit) when left out"),
            CommonOptions.json,
        ],
        operands: [CommandOperand("SOFTWARE-ID", "The application, as 'latchkeyd keys application list' names it")],
        examples: [
            "latchkeyd keys client list 5f0c2b7e-3f42-4a57-9a55-0c7d1be7a0d4": "the newest hundred"
        ], also: [.failure]
    ) { arguments, call in
        let softwareID = arguments.operands[0]
        let limit = try arguments.integer("limit", in: 1...100_000) ?? Self.usualLimit
        let credentials = try await call.administration.credentials
        guard try await credentials.applications().contains(where: { $0.softwareID == softwareID })
        else { throw unknownApplication }
        try call.list(
            try await credentials.clients(of: softwareID, limit: limit), as: Self.clientShape,
            [("CLIENT ID", \.clientID), ("MADE", \.created.timeText), ("LAST USED", \.lastUsed.timeText)])
    }

    private static let shape = Shape<SetUpCodeRecord>(
        .init("name", \.name), .init("requestor", \.requestor), .init("softwareID", optional: \.softwareID),
        .init("created", \.created), .init("expires", \.expires), .init("label", optional: \.label))

    static let setUpCodeList = ServerCommand(
        .store, "list", "Show the one-time codes that are still good, without the codes themselves",
        options: [CommonOptions.json],
        examples: ["latchkeyd keys setup-code list": "as a table"]
    ) { arguments, call in
        try call.list(
            try await call.administration.setUpCodes.all(now: call.now), as: Self.shape,
            [
                ("NAME", \.name), ("REQUESTOR", \.requestor.text), ("GIVES", { $0.softwareID ?? "key pair" }),
                ("MADE", \.created.timeText), ("GOOD UNTIL", \.expires.timeText),
                ("FOR", { terminalSafe($0.label ?? "", limit: 40) }),
            ])
    }

    static let setUpCodeRevoke = ServerCommand(
        .store, "revoke", "Take back one-time codes that no box has used yet",
        discussion: ["A box that has used its code has a key pair. 'latchkeyd keys revoke' revokes that."],
        operands: [CommandOperand("NAME", "The code as 'latchkeyd keys setup-code list' names it", count: .oneOrMore)],
        examples: ["latchkeyd keys setup-code revoke 3f7a90c1": "made by mistake"], also: [.failure]
    ) { arguments, call in
        try await call.endEach(
            orElse: OperatorError(
                "There is no code of this name that is still good.",
                advice: "'latchkeyd keys setup-code list' shows those there are. A box that used its code has a "
                    + "key pair: 'latchkeyd keys list' shows it, and 'latchkeyd keys revoke' revokes it.")
        ) {
            try await $0.setUpCodes.revoke($1, actor: CommandActor.text, now: call.now)
                ? "The code \($1) was taken back." : nil
        }
    }
}
