import ServerAPI
import Clientless
package import CommandLineTool
import Entitlement

/// The common part of the commands about boxes.
enum SignedInBoxes {
    static let operand = CommandOperand(
        "BOX", "The box as 'latchkeyd boxes list' names it, or its first digits", count: .optional)
    static let device = CommandOption.value(
        "device", "ID", "The box by its own ID, from 'latchkey status'; - reads it from standard input")

    /// When a sign-in ended, by whom and why.
    static func text(of end: SignInEnd) -> String {
        terminalSafe("\(end.sentence) at \(end.time.timeText)", limit: 200)
    }

    /// The one box that BOX or `--device` names.
    static func box(
        named name: String?, _ arguments: ParsedArguments, _ administration: Administration
    ) async throws -> SignedInBox {
        if let text = arguments.value("device") {
            guard name == nil else {
                throw arguments.fault("BOX and --device do not go together.")
            }
            guard let box = try await administration.operations.box(try CommonOptions.device(text, arguments)) else {
                throw Self.unknown
            }
            return box
        }
        guard let name else { throw arguments.fault("BOX or --device is missing.") }
        guard let typed = BoxName(name) else {
            throw arguments.fault(
                "A box is named by \(BoxName.lengths.lowerBound) to \(BoxName.lengths.upperBound) hex digits; --device "
                    + "takes what it calls itself.")
        }
        let boxes = try await administration.operations.boxes(named: typed)
        guard boxes.count <= 1 else {
            throw OperatorError(
                "There are \(boxes.count) boxes whose name begins so.", advice: "Give more of its digits.")
        }
        guard let box = boxes.first else { throw Self.unknown }
        return box
    }

    /// The credentials that made the sign-ins of a box, a line each, with the command that refuses the one in use.
    static func text(of credentials: [UsedCredential]) -> String {
        credentials.map {
            let advice = $0.isInUse ? "; '\($0.credential.revocation)' refuses it" : ""
            return "It called with \(terminalSafe($0.sentence, limit: 250))\(advice)."
        }.joined(separator: "\n")
    }

    private static var unknown: OperatorError {
        OperatorError(
            "Nothing is kept of such a box: no viewer signed in on it, or that is over for long.",
            advice: "'latchkeyd boxes list' shows those there are.")
    }
}

/// `latchkeyd boxes list`
package enum BoxListCommand: ServerCommand {
    private static let usualLimit = 1000

    package static let command = Command.ofStore(
        "list", "Show the boxes that are signed in, the newest first",
        discussion: [
            "Several options narrow the list together; without one it has all boxes. A box has a number of 16 "
                + "digits in two groups. The number stays the same over sign-ins and does not reveal the box's ID. "
                + "Its viewer, the log and the audit log use it, too. Ended sign-ins are kept for 30 days."
        ],
        options: [
            .flag("expired", "Also boxes whose sign-ins have all expired"),
            .flag("ended", "Boxes whose sign-ins were ended: when, by whom and why"),
            .value("limit", "NUMBER", "At most so many; \(usualLimit) when left out"), CommonOptions.json,
        ] + SignInOptions.all,
        examples: [
            CommandExample("latchkeyd boxes list --viewer anna", "which boxes does anna have?"),
            CommandExample("latchkeyd boxes list --requestor NORTHSPORT --since 2h", "new ones"),
        ])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let limit = try arguments.integer("limit", in: 1...100_000) ?? Self.usualLimit
        let now = context.now()
        let (boxes, hasMore, refusals) = try await StoreAccess.withAdministration(arguments, context) {
            administration, configuration in
            let selection = try await SignInOptions.selection(arguments, administration, configuration, now: now)
            let found =
                try await arguments.has("ended")
                ? administration.operations.boxes(ended: selection, limit: limit)
                : administration.operations.boxes(
                    selection, currentAt: arguments.has("expired") ? nil : now, limit: limit)
            let refusals = try arguments.value("viewer").map {
                SignInOptions.refusals($0, try Users.provider(arguments, of: configuration), administration)
            }
            return (found.boxes, found.hasMore, refusals)
        }
        try context.list(
            boxes, arguments, as: Shapes.box,
            [
                ("BOX", \.name), ("NAME", { terminalSafe($0.label ?? $0.model ?? "", limit: 40) }),
                ("REQUESTORS", { Self.each($0.signIns.map(\.requestor.text) + $0.ended.map(\.requestor.text)) }),
                ("PROVIDERS", { Self.each($0.signIns.map(\.mvpd.text) + $0.ended.map(\.mvpd.text)) }),
                ("SIGNED IN", { ($0.signIns.first?.created ?? $0.ended.first?.created)?.timeText ?? "" }),
                ("STATE", { Self.state(of: $0, now: now) }),
            ])
        if let refusals { context.console.say(refusals) }
        if hasMore { context.console.say("There are more; --limit shows more of them, and the options fewer.") }
        return .success
    }

    private static func state(of box: SignedInBox, now: Timestamp) -> String {
        guard box.signIns.isEmpty, let end = box.ended.first?.end
        else { return UseText.write(box.signIns.map(\.expires).max(), now: now) }
        return SignedInBoxes.text(of: end)
    }

    /// Each text once.
    private static func each(_ all: [String]) -> String {
        var texts: [String] = []
        for text in all where !texts.contains(text) { texts.append(text) }
        return texts.joined(separator: ", ")
    }
}

/// `latchkeyd boxes show`
package enum BoxShowCommand: ServerCommand {
    package static let command = Command.ofStore(
        "show", "Show the sign-ins of one box, also those that were ended, and its permits",
        options: [SignedInBoxes.device, CommonOptions.json],
        operands: [SignedInBoxes.operand],
        examples: [CommandExample("latchkeyd boxes show 3f7a90c1", "by the digits of a list or of the log")],
        also: [.failure])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let now = context.now()
        let (box, permits, names, credentials) = try await StoreAccess.withAdministration(arguments, context) {
            administration, _ in
            let box = try await SignedInBoxes.box(named: arguments.operands.first, arguments, administration)
            // The names of viewers whose accounts are here; of others there is what their provider calls them.
            var names: [String: String] = [:]
            for signIn in box.signIns {
                names[signIn.userID] = try await administration.explanations.accountName(of: signIn)
            }
            return (
                box, try await administration.operations.decisions(of: box.device), names,
                try await administration.credentials.used(by: box, now: now)
            )
        }
        guard try !context.shows(Shapes.wholeBox.json((box, permits, credentials), .civil), arguments)
        else { return .success }
        let rows =
            box.signIns.map {
                [
                    "sign-in", $0.id.text, $0.requestor.text, $0.mvpd.text,
                    terminalSafe(names[$0.userID] ?? $0.userID, limit: 64), $0.created.timeText,
                    UseText.write($0.expires, now: now),
                ]
            }
            + box.ended.map {
                [
                    "ended", $0.id.text, $0.requestor.text, $0.mvpd.text,
                    terminalSafe(names[$0.userID] ?? $0.userID, limit: 64), $0.created.timeText,
                    SignedInBoxes.text(of: $0.end),
                ]
            }
            + permits.map {
                [
                    "permit", terminalSafe($0.resource.text, limit: 40), $0.requestor.text, $0.mvpd.text, "",
                    $0.created.timeText, UseText.write($0.expires, now: now),
                ]
            }
        let name = [box.label, box.model].compactMap(\.self).map { terminalSafe($0, limit: 80) }.joined(separator: ", ")
        try context.console.result("box \(box.name)\(name.isEmpty ? "" : " (\(name))")")
        try context.console.result(
            TextTable(
                heading: ["KIND", "NAME", "REQUESTOR", "PROVIDER", "VIEWER", "MADE", "STATE"], rows: rows
            ).text)
        if !credentials.isEmpty { try context.console.result(SignedInBoxes.text(of: credentials)) }
        return .success
    }
}

/// `latchkeyd boxes sign-out`
package enum BoxSignOutCommand: ServerCommand {
    package static let command = Command.ofStore(
        "sign-out", "Sign a box out, and forget its permits",
        discussion: [
            "Without --sign-in all of its sign-ins end. A running server tells the box within a second or two. A stolen box "
                + "still has its key pair or application: the command names it, and the command that refuses it."
        ],
        options: [
            SignedInBoxes.device,
            .value("sign-in", "ID", "Only this sign-in, as 'latchkeyd boxes show' names it"), CommonOptions.json,
        ],
        operands: [SignedInBoxes.operand],
        examples: [CommandExample("latchkeyd boxes sign-out 3f7a90c1-d2e4b586", "a box that was stolen")],
        also: [.failure])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let (name, ended, credentials) = try await StoreAccess.withAdministration(arguments, context) {
            administration, _ in
            let box = try await SignedInBoxes.box(named: arguments.operands.first, arguments, administration)
            let (operations, actor, now) = (administration.operations, CommandActor.text, context.now())
            let used = try await administration.credentials.used(by: box, now: now).filter(\.isInUse)
            guard let id = arguments.value("sign-in") else {
                let ended = try await operations.deleteRecords(of: box.device, actor: actor, now: now)
                return (box.name, ended.count, used)
            }
            guard let record = box.signIns.first(where: { $0.id.text == id }) else {
                throw OperatorError(
                    "The box has no such sign-in.", advice: "'latchkeyd boxes show' shows those it has.")
            }
            _ = try await operations.deleteRecord(record.id, actor: actor, now: now)
            return (box.name, 1, used)
        }
        try context.shows(
            [
                "box": .string(name), "signIns": .integer(Int64(ended)),
                "credentials": .array(credentials.map { .string($0.credential.words) }),
            ], arguments)
        let what = arguments.has("sign-in") ? "" : "The box \(name) is signed out. "
        context.console.say("\(what)\(SignInsEndCommand.ended(ended))")
        if !credentials.isEmpty { context.console.say(SignedInBoxes.text(of: credentials)) }
        return .success
    }
}
