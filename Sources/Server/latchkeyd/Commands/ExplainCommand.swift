import Clientless
import CommandLineTool
import Entitlement
import ServerAPI

enum ExplainCommand {
    struct Line {
        let step: String
        let answer: String
        /// Absent where the next step is asked.
        let mayPlay: Bool?
    }

    private static let shape = Shape<
        (box: String, requestor: RequestorID, channel: String, steps: [Line], mayPlay: Bool?)
    >(
        .init("box", \.box), .init("requestor", \.requestor), .init("channel", \.channel),
        .init(
            "steps",
            of: Shape(.init("step", \.step), .init("answer", \.answer), .init("mayPlay", optional: \.mayPlay)), \.steps),
        .init("mayPlay", optional: \.mayPlay))

    static let command = ServerCommand(
        .store, "explain", "Say why a box may play a channel, or why not, step by step",
        discussion: [
            "If the last sign-in of the box was ended and no other counts, the answer begins with that. Then come "
                + "the steps of an authorization in their order: credential, sign-in, the operator's rules, the "
                + "household's rating, and the provider. The command changes nothing. It only asks providers of kind "
                + "local, so the answer of others stays open."
        ],
        options: [
            .value("box", "BOX", "The box as 'latchkeyd boxes list' names it").offering(.list("boxes list")),
            SignedInBoxes.device, .value("channel", "CHANNEL", "The channel that it wants to play, as it asks for it"),
            .value("requestor", "ID", "The requestor it asks for; left out, that of its newest sign-in"),
            CommonOptions.json,
        ],
        examples: ["latchkeyd explain --box 3f7a90c1 --channel 'North Sport HD'": "one box, one channel"],
        also: [.notAuthorized, .failure]
    ) { arguments, call in
        let resource = try arguments.resource(try arguments.required("channel"))
        let administration = try await call.administration
        let box = try await SignedInBoxes.box(named: arguments.value("box"), call)
        let requestor = try arguments.has("requestor") ? call.requestor().id : box.newestRequestor
        let (steps, mayPlay) = try await Self.answer(
            on: resource, by: box, requestor: requestor, administration.explanations, administration.accounts,
            call.configuration, now: call.now)
        if mayPlay == false { call.exitCode = .notAuthorized }
        if try !call.shows(JSONLine.text(of: (box.name, requestor, resource.text, steps, mayPlay), Self.shape)) {
            try call.result(
                "box \(box.name), requestor \(requestor), channel \(terminalSafe(resource.text, limit: 80))")
            for (number, line) in steps.enumerated() {
                try call.result("\(number + 1). \(line.step): \(line.answer)")
            }
            try call.result(mayPlay.map { $0 ? "It may play." : "It may not play." } ?? "Only the TV provider knows.")
        }
    }

    /// The steps in words, and whether the box may play; `nil` if only the provider knows.
    static func answer(
        on resource: Resource, by box: SignedInBox, requestor: RequestorID, _ explanations: Explanations,
        _ accounts: Accounts, _ configuration: Configuration, now: Timestamp
    ) async throws(EntitlementError) -> (lines: [Line], mayPlay: Bool?) {
        let steps = try await explanations.steps(on: resource, by: box, requestor: requestor, now: now)
        var lines = steps.map { Self.line($0, requestor, configuration) }
        let verdict = steps.compactMap(\.mayPlay).first
        if case .permit(let permit, let viewer)? = steps.last, permit.origin == .provider,
            try await Self.asked(permit.mvpd, viewer, resource, accounts, configuration).mayPlay == false,
            let given = lines.popLast()
        {
            let answer =
                "\(given.answer); the account no longer has the channel, but the permit was given before; "
                + "'latchkeyd boxes sign-out \(box.name)' ends it at once"
            lines.append(Line(step: given.step, answer: answer, mayPlay: given.mayPlay))
        }
        guard case .provider(let mvpd, let viewer)? = steps.last, verdict == nil else { return (lines, verdict) }
        let last = try await Self.asked(mvpd, viewer, resource, accounts, configuration)
        lines.append(last)
        return (lines, last.mayPlay)
    }

    private static func line(
        _ step: ExplanationStep, _ requestor: RequestorID, _ configuration: Configuration
    ) -> Line {
        func line(_ name: String, _ answer: String) -> Line {
            Line(step: name, answer: answer, mayPlay: step.mayPlay)
        }
        return switch step {
        case .ended(let ended):
            line(
                "ended",
                "the sign-in at \(ended.mvpd) of \(ended.created.timeText) was \(terminalSafe(ended.end.sentence)) at "
                    + ended.end.time.timeText)
        case .credentials(let keyPairs, let applications, let used):
            line("credential", self.answer(keyPairs, applications, of: requestor, used))
        case .foreignCredential(let used, let isShared):
            line(
                "credential",
                "\(self.call(used)); it may not speak for this requestor, "
                    + (isShared
                        ? "so the answers below only count if the box has another one for \(requestor)"
                        : "so the server refuses the call"))
        case .noSignIn: line("sign-in", "no sign-in of the box counts for \(requestor); a viewer has to sign in on it")
        case .switchedOff(let mvpd): line("sign-in", "'enabled' is false for \(mvpd), so its sign-ins do not count")
        case .signInOver(let record): line("sign-in", "the one at \(record.mvpd) ended at \(record.expires.timeText)")
        case .signIn(let record): line("sign-in", self.text(of: record, for: requestor))
        case .degradation(.refuse(let message)?):
            line("rules", "a rule refuses it" + (message.isEmpty ? "" : ": \(terminalSafe(message, limit: 200))"))
        case .degradation(.grant(let end)?): line("rules", "a rule grants it until \(end.timeText)")
        case .degradation(nil): line("rules", "none is about it")
        case .sealed:
            line(
                "session",
                "no key of this server opens it, so the server answers with an error; 'latchkeyd check' compares keys "
                    + "and store")
        case .rating(true): line("rating", "within what the household allows")
        case .rating(false): line("rating", "above what the household allows")
        case .granted(let end): line("provider", "is not asked until \(end.timeText)")
        case .trial(.permit(let end)): line("trial", "good until \(end.timeText)")
        case .trial(.exhausted): line("trial", "its time or its channels are used up")
        case .permit(let permit, _):
            line("permit", "given at \(permit.created.timeText), until \(permit.expires.timeText)")
        case .provider(let mvpd, _) where configuration.providers[mvpd]?.point == nil:
            line("permit", "none is kept, so \(mvpd) decides")
        case .provider(let mvpd, _):
            line("permit", "none is kept, so the authorization endpoint of \(mvpd) decides")
        }
    }

    private static func answer(
        _ keyPairs: Int, _ applications: Int, of requestor: RequestorID, _ used: UsedCredential?
    ) -> String {
        let inForce =
            keyPairs + applications == 0
            ? "\(requestor) has none in force, so every call is refused; 'latchkeyd keys issue' makes one"
            : "\(requestor) has \(keyPairs == 1 ? "1 key pair" : "\(keyPairs) key pairs") and "
                + "\(applications == 1 ? "1 application" : "\(applications) applications") in force"
        return inForce + (used.map { "; \(self.call($0))" } ?? "")
    }

    private static func text(of record: AuthNRecord, for requestor: RequestorID) -> String {
        "at \(record.mvpd), of \(record.created.timeText), until \(record.expires.timeText)"
            + (record.requestor == requestor ? "" : ", obtained by \(record.requestor)")
    }

    private static func call(_ used: UsedCredential) -> String {
        "the box called with \(terminalSafe(used.sentence, limit: 250))"
    }

    /// The answer of a provider that keeps its viewers here; others cannot be asked.
    private static func asked(
        _ mvpd: MVPDID, _ viewer: String, _ resource: Resource, _ accounts: Accounts,
        _ configuration: Configuration
    ) async throws(EntitlementError) -> Line {
        guard let provider = configuration.providers[mvpd], provider.kind is LocalKind, provider.point == nil else {
            return Line(step: "provider", answer: "\(mvpd) is asked when the box asks", mayPlay: nil)
        }
        guard let account = try await accounts.account(id: viewer, of: mvpd) else {
            return Line(step: "provider", answer: "the viewer's account is gone", mayPlay: false)
        }
        switch LineUp(entries: account.lineUp).decide(resource) {
        case .permitted, .restricted:
            return Line(step: "provider", answer: "\(terminalSafe(account.name)) has the channel", mayPlay: true)
        case .deny(let reason), .denyByHousehold(let reason):
            let sentence = reason.map { "\($0) " } ?? ""
            let answer =
                "\(terminalSafe(account.name)) does not have the channel; 'latchkeyd user channels add' gives it"
            let near = Users.channel(like: resource.text, among: account.lineUp).map { "; the account has \($0)" } ?? ""
            return Line(step: "provider", answer: sentence + answer + near, mayPlay: false)
        case .unanswered:
            return Line(step: "provider", answer: "\(mvpd) does not say", mayPlay: false)
        }
    }
}
