import ServerAPI
package import CommandLineTool
import Clientless
import Entitlement

private let kindOperand = CommandOperand(
    "KIND",
    "authnAll: sign-in without the provider; authzAll: every permit given; authzNone: every permit refused")

private func kind(_ arguments: ParsedArguments) throws -> DegradationRule.Kind {
    guard let kind = DegradationRule.Kind(rawValue: arguments.operands[0]) else {
        let names = DegradationRule.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw arguments.fault("KIND is one of \(names).")
    }
    return kind
}

private func show(
    _ rules: [DegradationRule], _ arguments: ParsedArguments, _ context: CommandContext
) throws {
    let now = context.now()
    try context.list(
        rules.map { ($0, $0.isActive(at: now)) }, arguments, as: Shapes.degradation,
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

/// `latchkeyd degradation add`
package enum DegradationAddCommand: ServerCommand {
    package static let command = Command.ofStore(
        "add", "Put a rule in force that bypasses a TV provider",
        discussion: ["Without --provider the rule covers all providers, without --channel all channels."],
        options: [
            CommonOptions.requestor, CommonOptions.provider,
            .value("channel", "CHANNEL", "A channel it is about; may be repeated", isRepeatable: true),
            .value("for", "TIME", "How long it is in force, such as 90m, at most 7d; 4h when left out"),
            .value("message", "TEXT", "What viewers read when they are refused"), CommonOptions.json,
        ],
        operands: [kindOperand],
        examples: [
            CommandExample(
                "latchkeyd degradation add authzAll --requestor NORTHSPORT --provider CableNova --for 2h",
                "while the provider is down")
        ])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let kind = try kind(arguments)
        let resources = try CommonOptions.resources(arguments)
        let lifetime = try CommonOptions.duration(
            "for", in: DegradationRule.lifetimes, default: DegradationRule.defaultLifetime, arguments)
        let message = arguments.value("message") ?? ""
        let rule = try await StoreAccess.withAdministration(arguments, context) { administration, configuration in
            let requestor = try CommonOptions.requestor(arguments, of: configuration.catalogue)
            let now = context.now()
            let provider = try CommonOptions.provider(arguments, of: requestor)
            do throws(DegradationRuleFault) {
                return try await administration.degradations.add(
                    kind, requestor: requestor.id, mvpd: provider, resources: resources, message: message,
                    lifetime: lifetime, actor: CommandActor.text, now: now)
            } catch {
                throw Self.complaint(error, about: kind, arguments)
            }
        }
        if arguments.has("json") { try show([rule], arguments, context) }
        context.console.say("The rule is in force until \(rule.ends.timeText).")
        return .success
    }
}

extension DegradationAddCommand {
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
}

/// `latchkeyd degradation list`
package enum DegradationListCommand: ServerCommand {
    package static let command = Command.ofStore(
        "list", "Show the rules in force",
        options: [
            .flag("history", "Show those that ended, too"), CommonOptions.json,
        ],
        examples: [CommandExample("latchkeyd degradation list --json", "one JSON list")])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let rules = try await StoreAccess.withAdministration(arguments, context) { administration, _ in
            try await administration.degradations.rules(includingEnded: arguments.has("history"), now: context.now())
        }
        try show(rules, arguments, context)
        return .success
    }
}

/// `latchkeyd degradation end`
package enum DegradationEndCommand: ServerCommand {
    package static let command = Command.ofStore(
        "end", "End rules ahead of their time",
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
            CommandExample(
                "latchkeyd degradation end authzAll --requestor NORTHSPORT --provider CableNova",
                "the provider is back")
        ], also: [.failure])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let kind = try kind(arguments)
        let resources = try CommonOptions.resources(arguments)
        let ended = try await StoreAccess.withAdministration(arguments, context) { administration, configuration in
            let requestor = try CommonOptions.requestor(arguments, of: configuration.catalogue)
            let provider = try CommonOptions.provider(arguments, of: requestor)
            var ended: [DegradationRule] = []
            for resource in resources.isEmpty ? [nil] : resources.map(Optional.some) {
                ended += try await administration.degradations.end(
                    kind, requestor: requestor.id, mvpd: provider, resource: resource, actor: CommandActor.text,
                    now: context.now())
            }
            return ended
        }
        guard !ended.isEmpty else {
            throw OperatorError(
                "No such rule is in force.", advice: "'latchkeyd degradation list' shows those that are.")
        }
        if arguments.has("json") { try show(ended, arguments, context) }
        context.console.say(ended.count == 1 ? "1 rule is changed." : "\(ended.count) rules are changed.")
        return .success
    }
}
