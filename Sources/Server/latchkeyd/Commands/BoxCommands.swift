import ServerAPI
import Clientless
import CommandLineTool
import Entitlement

enum SignedInBoxes {
    static let operand = CommandOperand(
        "BOX", "The box as 'latchkeyd boxes list' names it, or its first digits", count: .optional)
    static let device = CommandOption.value(
        "device", "ID", "The box by its own ID, from 'latchkey status'; - reads it from standard input")

    static func text(of end: SignInEnd) -> String {
        terminalSafe("\(end.sentence) at \(end.time.timeText)", limit: 200)
    }

    static func box(named name: String?, _ call: CommandCall) async throws -> SignedInBox {
        let (arguments, operations) = (call.arguments, try await call.administration.operations)
        if let text = arguments.value("device") {
            guard name == nil else { throw arguments.fault("BOX and --device do not go together.") }
            guard let box = try await operations.box(try arguments.device(text)) else { throw Self.unknown }
            return box
        }
        guard let name else { throw arguments.fault("BOX or --device is missing.") }
        guard let typed = BoxName(name) else {
            throw arguments.fault(
                "A box is named by \(BoxName.lengths.lowerBound) to \(BoxName.lengths.upperBound) hex digits; --device "
                    + "takes what it calls itself.")
        }
        let boxes = try await operations.boxes(named: typed)
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

enum BoxCommands {
    static let group = ServerCommand(group: "boxes", "Boxes that are signed in", [list, show, signOut])
    private static let usualLimit = 1000

    static let list = ServerCommand(
        .store, "list", "Show the boxes that are signed in, the newest first",
        discussion: [
            "Several options narrow the list together; without one it has all boxes. A box has a number of 16 "
                + "digits in two groups. The number stays the same over sign-ins and does not reveal the box's ID. "
                + "Its viewer, the log and the audit log use it, too. Ended sign-ins are kept for 30 days."
        ],
        options: [
            .flag("expired", "Also boxes whose sign-ins have all expired"),
            .flag("ended", "Boxes whose sign-ins ended: when, by whom and why; --since and --until are about the end"),
            .value("limit", "NUMBER", "At most so many; \(usualLimit) when left out"), CommonOptions.json,
        ] + SignInOptions.all,
        examples: [
            "latchkeyd boxes list --viewer anna": "which boxes does anna have?",
            "latchkeyd boxes list --requestor NORTHSPORT --since 2h": "new ones",
        ]
    ) { arguments, call in
        let limit = try arguments.integer("limit", in: 1...100_000) ?? Self.usualLimit
        try arguments.requireAtMostOne(of: "ended", "expired")
        let now = call.now
        let administration = try await call.administration
        let selection = try await SignInOptions.selection(call)
        let found =
            try await arguments.has("ended")
            ? administration.operations.boxes(ended: selection, limit: limit)
            : administration.operations.boxes(selection, currentAt: arguments.has("expired") ? nil : now, limit: limit)
        try call.list(
            found.boxes, as: Shapes.box,
            [
                ("BOX", \.name), ("NAME", { terminalSafe($0.label ?? $0.model ?? "", limit: 40) }),
                ("REQUESTORS", { Self.list($0.signIns.map(\.requestor.text) + $0.ended.map(\.requestor.text)) }),
                ("PROVIDERS", { Self.list($0.signIns.map(\.mvpd.text) + $0.ended.map(\.mvpd.text)) }),
                ("SIGNED IN", { ($0.signIns.first?.created ?? $0.ended.first?.created)?.timeText ?? "" }),
                ("STATE", { Self.state(of: $0, now: now) }),
            ])
        if let viewer = arguments.value("viewer") {
            call.say(try SignInOptions.refusals(viewer, try call.localProvider(), call, administration))
        }
        if found.hasMore { call.say("There are more; --limit shows more of them, and the options fewer.") }
    }

    private static func list(_ names: [String]) -> String { names.eachOnce().joined(separator: ", ") }

    private static func state(of box: SignedInBox, now: Timestamp) -> String {
        guard box.signIns.isEmpty, let end = box.ended.first?.end
        else { return UseText.write(box.signIns.map(\.expires).max(), now: now) }
        return SignedInBoxes.text(of: end)
    }

    static let show = ServerCommand(
        .store, "show", "Show the sign-ins of one box, also those that were ended, and its permits",
        options: [SignedInBoxes.device, CommonOptions.json],
        operands: [SignedInBoxes.operand],
        examples: ["latchkeyd boxes show 3f7a90c1": "by the digits of a list or of the log"],
        also: [.failure]
    ) { arguments, call in
        let now = call.now
        let administration = try await call.administration
        var box = try await SignedInBoxes.box(named: arguments.operands.first, call)
        for signIn in box.signIns {
            box.accountNames[signIn.userID] = try await administration.explanations.accountName(of: signIn)
        }
        if box.ended.contains(where: { box.accountNames[$0.userID] == nil }) {
            for account in try await administration.accounts.all() {
                box.accountNames[administration.keys.userID(account.id, of: account.mvpd)] = account.name
            }
        }
        let permits = try await administration.operations.decisions(of: box.device)
        let credentials = try await administration.credentials.used(by: box, now: now)
        guard try !call.shows(JSONLine.text(of: (box, permits, credentials), Shapes.wholeBox)) else { return }
        func viewer(_ userID: String) -> String { terminalSafe(box.accountNames[userID] ?? userID, limit: 64) }
        let rows =
            box.signIns.map {
                [
                    "sign-in", $0.id.text, $0.requestor.text, $0.mvpd.text, viewer($0.userID), $0.created.timeText,
                    UseText.write($0.expires, now: now),
                ]
            }
            + box.ended.map {
                [
                    "ended", $0.id.text, $0.requestor.text, $0.mvpd.text, viewer($0.userID), $0.created.timeText,
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
        try call.result("box \(box.name)\(name.isEmpty ? "" : " (\(name))")")
        try call.result(textTable(["KIND", "NAME", "REQUESTOR", "PROVIDER", "VIEWER", "MADE", "STATE"], rows))
        if !credentials.isEmpty { try call.result(SignedInBoxes.text(of: credentials)) }
    }

    static let signOut = ServerCommand(
        .store, "sign-out", "Sign a box out, and forget its permits",
        discussion: [
            "Without --sign-in all of its sign-ins end. A running server tells the box within a second or two. A stolen box "
                + "still has its key pair or application: the command names it, and the command that refuses it."
        ],
        options: [
            SignedInBoxes.device,
            .value("sign-in", "ID", "Only this sign-in, as 'latchkeyd boxes show' names it"), CommonOptions.json,
        ],
        operands: [SignedInBoxes.operand],
        examples: ["latchkeyd boxes sign-out 3f7a90c1-d2e4b586": "a box that was stolen"],
        also: [.failure]
    ) { arguments, call in
        let administration = try await call.administration
        let box = try await SignedInBoxes.box(named: arguments.operands.first, call)
        let (operations, actor, now) = (administration.operations, CommandActor.text, call.now)
        let credentials = try await administration.credentials.used(by: box, now: now).filter(\.isInUse)
        let ended: Int
        if let id = arguments.value("sign-in") {
            guard let record = box.signIns.first(where: { $0.id.text == id }) else {
                throw OperatorError(
                    "The box has no such sign-in.", advice: "'latchkeyd boxes show' shows those it has.")
            }
            _ = try await operations.deleteRecord(record.id, actor: actor, now: now)
            ended = 1
        } else {
            ended = try await operations.deleteRecords(of: box.device, actor: actor, now: now).count
        }
        try call.shows(
            JSONLine.text(of: [
                "box": .string(box.name), "signIns": .integer(Int64(ended)),
                "credentials": .array(credentials.map { .string($0.credential.words) }),
            ]))
        let what = arguments.has("sign-in") ? "" : "The box \(box.name) is signed out. "
        call.say("\(what)\(SignInsEndCommand.ended(ended))")
        if !credentials.isEmpty { call.say(SignedInBoxes.text(of: credentials)) }
    }
}
