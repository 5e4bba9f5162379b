import Clientless
import CommandLineTool
import Entitlement
import Observability

/// The options that say which sign-ins a command is about: those that all of them hold for.
enum SignInOptions {
    static let all: [CommandOption] = [
        .value("viewer", "NAME", "Only of this viewer of a local provider"),
        .value("provider", "ID", "Only of this TV provider; for --viewer the one it is of")
            .offering(.list("provider list")),
        .value("requestor", "ID", "Obtained by this requestor").offering(.list("requestor list")),
        .value("since", "TIME", "Made then or later, \(MomentOption.forms)"),
        .value("until", "TIME", "Made before then"),
    ]

    /// - Throws: also for a viewer of whom nothing was ever kept.
    static func selection(_ call: CommandCall, code: String? = nil) async throws -> AuthNSelection {
        let (arguments, administration) = (call.arguments, try await call.administration)
        let catalogue = try call.configuration.catalogue
        var question = SignInQuestion()
        question.provider = arguments.value("provider")
        if let text = arguments.value("viewer") {
            question.provider = try call.localProvider().text
            guard let name = AccountName.canonical(text) else {
                throw arguments.fault("--viewer takes a name of 1 to 64 bytes without spaces.")
            }
            question.viewer = name
        }
        question.requestor = arguments.value("requestor")
        question.code = code
        (question.since, question.before) = try MomentOption.range(arguments, now: call.now)
        do throws(SignInQuestion.Fault) {
            return try await administration.operations.selection(question, catalogue)
        } catch {
            throw try Self.fault(error, question, catalogue, call, administration)
        }
    }

    private static func fault(
        _ fault: SignInQuestion.Fault, _ question: SignInQuestion, _ catalogue: Catalogue, _ call: CommandCall,
        _ administration: Administration
    ) throws -> any Error {
        switch fault {
        case .domain(let error): return error
        case .field(.code): return call.arguments.fault("--code takes a registration code.")
        case .field(.provider):
            return call.arguments.fault(
                "The configuration has no provider", unknown: question.provider ?? "",
                among: catalogue.mvpds.map(\.id.text))
        case .field(.requestor):
            return call.arguments.fault(
                "The configuration has no requestor", unknown: question.requestor ?? "",
                among: catalogue.requestors.map(\.id.text))
        case .field(.viewer):
            let (name, provider) = (question.viewer ?? "", try call.localProvider())
            return OperatorError(
                "There is no viewer \(terminalSafe(name)) of \(provider).",
                advice: try Self.refusals(name, provider, call, administration))
        }
    }

    /// The place in the log of a viewer's failed tries, in the form that the log has.
    static func refusals(
        _ name: String, _ provider: MVPDID, _ call: CommandCall, _ administration: Administration
    ) throws -> String {
        let viewer = administration.keys.loginName(name, of: provider)
        let isJSON = try call.configuration.log.format == .json
        let pattern = isJSON ? #"'"viewer":"\#(viewer)"'"# : "viewer=\(viewer)"
        return "To see the refused sign-ins of this name, run: journalctl -u latchkeyd -g \(pattern)"
    }
}

enum SignInsEndCommand {
    static let command = ServerCommand(
        .store, "end", "End sign-ins of many boxes, with their permits",
        discussion: [
            "Several options narrow the selection together. A running server tells the boxes within a second or "
                + "two. It does not tell the TV providers. With --dry-run the command only shows the number."
        ],
        options: [
            .value("code", "CODE", "Obtained through this registration code"),
            .value("device", "ID", "Of this box; - reads its ID from standard input"),
            .flag("all", "All there are"), .flag("dry-run", "Only count them"), CommonOptions.json,
        ] + SignInOptions.all,
        examples: [
            "latchkeyd sign-ins end --viewer anna": "whose password was stolen, after 'latchkeyd user passwd anna'",
            "latchkeyd sign-ins end --requestor NORTHSPORT --since yesterday --dry-run": "how many",
        ]
    ) { arguments, call in
        let device = try arguments.value("device").map { try arguments.device($0) }
        if device != nil { try Self.requireAlone("device", arguments) }
        let isRehearsal = arguments.has("dry-run")
        let (operations, actor) = (try await call.administration.operations, CommandActor.text)
        let count: Int
        if let device {
            count =
                isRehearsal
                ? try await operations.records(of: device).count
                : try await operations.deleteRecords(of: device, actor: actor, now: call.now).count
        } else {
            let selection = try await Self.selection(call)
            count =
                isRehearsal
                ? try await operations.countSignIns(selection)
                : try await operations.endSignIns(selection, actor: actor, now: call.now)
        }
        try call.shows(JSONLine.text(of: ["signIns": .integer(Int64(count)), "ended": .boolean(!isRehearsal)]))
        call.say(
            !isRehearsal
                ? Self.ended(count) : count == 1 ? "1 sign-in would end." : "\(count) sign-ins would end.")
    }

    static func ended(_ count: Int) -> String { count == 1 ? "1 sign-in ended." : "\(count) sign-ins ended." }

    private static func selection(_ call: CommandCall) async throws -> AuthNSelection {
        let arguments = call.arguments
        if arguments.has("all") {
            try Self.requireAlone("all", arguments)
            return .all
        }
        let selection = try await SignInOptions.selection(call, code: arguments.value("code"))
        guard selection != .all else {
            throw arguments.fault("Say whose sign-ins end, with one of the options; --all is all there are.")
        }
        return selection
    }

    private static func requireAlone(_ option: String, _ arguments: ParsedArguments) throws(UsageError) {
        let others = ["viewer", "provider", "code", "requestor", "since", "until", "device", "all"]
        guard others.allSatisfy({ $0 == option || !arguments.has($0) }) else {
            throw arguments.fault("--\(option) goes with no other selection.")
        }
    }
}

enum TrialResetCommand {
    static let command = ServerCommand(
        .store, "reset", "Forget trials, so that they may begin anew",
        discussion: [
            "Without --device and --person it forgets every trial of the requestor at the provider. Boxes stay "
                + "signed in until their trial would have ended."
        ],
        options: [
            CommonOptions.requestor, CommonOptions.provider,
            .value("device", "DEVICE-ID", "Only this box's; - reads it from standard input"),
            .value("person", "TEXT", "Only this person's, as the programmer names it in generic_data"),
            CommonOptions.json,
        ],
        examples: ["latchkeyd trials reset --requestor NORTHSPORT --provider FreePreview": "for everybody"]
    ) { arguments, call in
        let administration = try await call.administration
        let requestor = try call.requestor()
        let provider = try Self.provider(of: requestor, call)
        let count = try await administration.trials.reset(
            of: try Self.identity(arguments, administration), requestor: requestor.id, mvpd: provider,
            actor: CommandActor.text, now: call.now)
        try call.shows(JSONLine.text(of: ["reset": .integer(Int64(count))]))
        call.say(count == 1 ? "1 trial is forgotten." : "\(count) trials are forgotten.")
    }

    private static func provider(of requestor: Requestor, _ call: CommandCall) throws -> MVPDID {
        let catalogue = try call.configuration.catalogue
        let passes = requestor.integrations.map(\.mvpd).filter { catalogue.mvpd($0)?.trial != nil }
        guard let provider = try call.provider(of: requestor), passes.contains(provider) else {
            let names = passes.isEmpty ? "it has none" : "it has \(passes.map(\.text).joined(separator: ", "))"
            throw call.arguments.fault("--provider takes a temporary pass of \(requestor.id); \(names).")
        }
        return provider
    }

    private static func identity(
        _ arguments: ParsedArguments, _ administration: Administration
    ) throws -> TrialIdentity? {
        switch (arguments.value("device"), arguments.value("person")) {
        case (nil, nil): return nil
        case (let device?, nil):
            return .device(administration.keys.deviceHash(try arguments.device(device)))
        case (nil, let person?): return administration.trials.person(person)
        case (_?, _?):
            throw arguments.fault("--device and --person do not go together.")
        }
    }
}
