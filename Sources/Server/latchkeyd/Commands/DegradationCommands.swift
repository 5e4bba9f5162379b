import ServerAPI
import CommandLineTool
import Clientless
import Entitlement

private let kindOperand = CommandOperand(
    "KIND",
    "authnAll: sign-in without the provider; authzAll: every permit given; authzNone: every permit refused")

private func show(_ rules: [DegradationRule], _ call: CommandCall) throws {
    let now = call.now
    try call.list(
        rules.map { ($0, $0.isActive(at: now)) }, as: Shapes.degradation,
        [
            ("KIND", \.rule.kind.rawValue), ("REQUESTOR", \.rule.requestor.text),
            ("PROVIDER", { $0.rule.mvpd?.text ?? "all" }),
            (
                "CHANNELS",
                {
                    $0.rule.resources.isEmpty
                        ? "all" : $0.rule.resources.map { terminalSafe($0.text, limit: 40) }.joined(separator: ", ")
                }
            ),
            ("STATE", { UseText.write($0.rule.ends, now: now) }),
            ("MESSAGE", { terminalSafe($0.rule.message, limit: 60) }),
        ])
}

enum DegradationCommands {
    static let group = ServerCommand(
        group: "degradation", "Rules that bypass a TV provider for a while", [add, list, end])

    static let add = ServerCommand(
        .store, "add", "Put a rule in force that bypasses a TV provider",
        discussion: ["Without --provider or --channel it covers all of them; it opens a free preview only by name."],
        options: [
            CommonOptions.requestor, CommonOptions.provider,
            .value("channel", "CHANNEL", "A channel it is about; may be repeated", isRepeatable: true),
            .value("for", "TIME", "How long it is in force, such as 90m, at most 7d; 4h when left out"),
            .value("message", "TEXT", "The sentence for viewers who are refused"), CommonOptions.json,
        ],
        operands: [kindOperand],
        examples: [
            "latchkeyd degradation add authzAll --requestor NORTHSPORT --provider CableNova --for 2h":
                "while the provider is down"
        ]
    ) { arguments, call in
        let kind: DegradationRule.Kind = try arguments.word(arguments.operands[0], of: kindOperand.name)
        let resources = try arguments.resources()
        let lifetime = try arguments.duration(
            "for", in: DegradationRule.lifetimes, default: DegradationRule.defaultLifetime)
        let message = arguments.value("message") ?? ""
        let degradations = try await call.administration.degradations
        let requestor = try call.requestor()
        let provider = try call.provider(of: requestor)
        let rules: [DegradationRule]
        do throws(DegradationRuleFault) {
            rules = try await degradations.add(
                kind, requestor: requestor.id, mvpds: [provider], resources: resources, message: message,
                lifetime: lifetime, actor: CommandActor.text, now: call.now)
        } catch {
            throw Self.complaint(error, about: kind, arguments)
        }
        if arguments.has("json") { try show(rules, call) }
        call.say("The rule is in force until \((call.now + lifetime).timeText).")
    }

    private static func complaint(
        _ fault: DegradationRuleFault, about kind: DegradationRule.Kind, _ arguments: ParsedArguments
    ) -> any Error {
        let sentence: String
        switch fault {
        case .resources:
            sentence =
                kind == .authnAll
                ? "A sign-in has no --channel."
                : "A rule takes at most \(DegradationRule.maximumResources) times --channel."
        case .lifetime: sentence = "--for takes at most 7d."
        case .message:
            sentence =
                "--message takes at most \(DegradationRule.maximumMessage) bytes of text without control characters."
        case .tooMany:
            return OperatorError(
                "The requestor has \(DegradationRule.maximumInForce) rules in force already.",
                advice: "End some with 'latchkeyd degradation end'.")
        case .domain(let error): return error
        }
        return arguments.fault(sentence)
    }

    static let list = ServerCommand(
        .store, "list", "Show the rules in force",
        options: [
            .flag("history", "Show those that ended, too"), CommonOptions.json,
        ],
        examples: ["latchkeyd degradation list --json": "one JSON list"]
    ) { arguments, call in
        let degradations = try await call.administration.degradations
        try show(try await degradations.rules(includingEnded: arguments.has("history"), now: call.now), call)
    }

    static let end = ServerCommand(
        .store, "end", "End rules ahead of their time",
        discussion: [
            "Ends the rules of one kind for a requestor and a provider; without --provider, for all providers. "
                + "--channel only takes a channel out of the rules that name it; a rule without a channel left "
                + "ends."
        ],
        options: [
            CommonOptions.requestor, CommonOptions.provider,
            .value("channel", "CHANNEL", "A channel they are about; may be repeated", isRepeatable: true),
            CommonOptions.json,
        ],
        operands: [kindOperand],
        examples: [
            "latchkeyd degradation end authzAll --requestor NORTHSPORT --provider CableNova": "the provider is back"
        ], also: [.failure]
    ) { arguments, call in
        let kind: DegradationRule.Kind = try arguments.word(arguments.operands[0], of: kindOperand.name)
        let resources = try arguments.resources()
        let administration = try await call.administration
        let requestor = try call.requestor()
        let provider = try call.provider(of: requestor)
        var ended: [DegradationRule] = []
        for resource in resources.isEmpty ? [nil] : resources.map(Optional.some) {
            let changed = try await administration.degradations.end(
                kind, requestor: requestor.id, mvpd: provider, resource: resource, actor: CommandActor.text,
                now: call.now)
            // A rule that loses several channels is shown once, as it is after the last.
            ended = ended.filter { rule in !changed.contains { $0.id == rule.id } } + changed
        }
        guard !ended.isEmpty else {
            throw OperatorError(
                "No such rule is in force.", advice: "'latchkeyd degradation list' shows those that are.")
        }
        if arguments.has("json") { try show(ended, call) }
        call.say(ended.count == 1 ? "1 rule is changed." : "\(ended.count) rules are changed.")
    }
}
