import Clientless
package import Entitlement
package import Observability
import POSIX
import Synchronization

/// Counts what the domain tells, and says it in the log: networks are told, no addresses, and never a code or a token.
///
/// Strangers cause most of it, so each kind has ten lines a minute, of what concerns providers for each of them, and each
/// step of boxes three hundred. The first line after that tells how many were dropped; the counters miss none.
package final class Evidence: Sendable {
    private enum Kind: Hashable {
        case closings(Int)
        case refusals(Int)
        case providers(MVPDID)
        case notices(MVPDID)
        case boxes(BoxStep.Kind)
    }

    private let logger: Logger
    private let uptime: Uptime
    private let closings: CounterTable
    private let limitsMet: CounterTable
    private let noncesInMemory: Gauge
    private let boxes: BoxEvidence
    private let rates = Mutex<[Kind: LineRate]>([:])

    package init(_ metrics: Metrics, logger: Logger, uptime: @escaping Uptime) {
        self.logger = logger
        self.uptime = uptime
        self.boxes = BoxEvidence(metrics)
        self.closings = metrics.counterTable(
            "latchkey_guessing_closed_total", help: "Budgets of wrong codes, passwords and set-up codes that ended.",
            labels: [
                LabelSet("kind", ["code", "password", "set-up"]),
                LabelSet("scope", GuessScope.allCases.map(\.rawValue)),
            ], showsZeros: true)
        self.limitsMet = metrics.counterTable(
            "latchkey_limits_met_total", help: "Calls refused, as their source has all that it may have.",
            labels: [LabelSet("limit", ["issuance", "clients", "calls"])], showsZeros: true)
        self.noncesInMemory = metrics.gauge(
            "latchkey_nonces_in_memory", help: "1 while nonces are held in memory, as the store keeps none.")
    }

    package func publish(_ domain: Entitlements, in metrics: Metrics) {
        metrics.counterTable(
            "latchkey_guesses_total", help: "Codes and passwords that were wrong, or refused without a look."
        ) {
            (
                [LabelSet("kind", ["code", "password"]), LabelSet("outcome", ["wrong", "refused"])],
                [domain.codeGuesses, domain.passwordGuesses].flatMap { [$0.wrong, $0.refused] }
            )
        }
        self.publishProviders(domain, in: metrics)
        metrics.gauge("latchkey_codes_open", help: "Registration codes that a viewer may enter now.") {
            domain.codes.openCount
        }
        metrics.gauge("latchkey_waiting_boxes", help: "Calls of boxes that are held until something changes.") {
            domain.waitingRoom.count
        }
        self.publishProcess(in: metrics)
    }

    private func publishProviders(_ domain: Entitlements, in metrics: Metrics) {
        metrics.counterTable("latchkey_provider_questions_total", help: "Questions to TV providers, by outcome.") {
            let rows = Self.providerRows(domain)
            return (
                rows.labels + [LabelSet("outcome", ProviderOutcome.allCases.map(\.rawValue))],
                rows.all.flatMap { facts in ProviderOutcome.allCases.map { facts?.outcomes[$0] ?? 0 } }
            )
        }
        metrics.counterTable(
            "latchkey_provider_milliseconds_total", help: "How long questions to TV providers took, together."
        ) {
            let rows = Self.providerRows(domain)
            return (rows.labels, rows.all.map { $0.map { Int($0.time / .milliseconds(1)) } ?? 0 })
        }
        metrics.gaugeTable("latchkey_provider_shut", help: "1 while a silent TV provider is not asked.") {
            let rows = Self.providerRows(domain)
            return (rows.labels, rows.all.map { $0?.isShut == true ? 1 : 0 })
        }
    }

    /// The known facts of the providers, a row for each part of each.
    private static func providerRows(_ domain: Entitlements) -> (labels: [LabelSet], all: [ProviderHealth.Facts?]) {
        let (signIns, decisions) = (domain.providerHealth.all, domain.decisionHealth.all)
        let providers = Set(signIns.keys).union(decisions.keys).sorted { $0.text < $1.text }
        return (
            [LabelSet("provider", providers.map(\.text)), LabelSet("part", ProviderPart.allCases.map(\.rawValue))],
            providers.flatMap { provider in
                ProviderPart.allCases.map { ($0 == .signIns ? signIns : decisions)[provider] }
            }
        )
    }

    private func publishProcess(in metrics: Metrics) {
        metrics.gaugeTable("latchkey_build_info", help: "1, with the version and the commit it was built from.") {
            (
                [
                    LabelSet("version", [ServerProgram.version]),
                    LabelSet("commit", [ThisProcess.commit ?? "unknown"]),
                ], [1]
            )
        }
        let start = SystemClock.now().seconds - self.uptime().components.seconds
        metrics.gauge("process_start_time_seconds", help: "When the process began, in seconds since 1970.") {
            Int(start)
        }
        metrics.counter("process_cpu_seconds_total", help: "Time of processors used, in whole seconds.") {
            Int(ThisProcess.processorTime.components.seconds)
        }
        metrics.gauge("process_resident_memory_bytes", help: "Bytes of memory that the process occupies.") {
            ThisProcess.residentMemory ?? 0
        }
        metrics.gauge("process_open_fds", help: "Files the process has open.") { ThisProcess.openFileCount ?? 0 }
        metrics.gauge("process_max_fds", help: "Files the process may open.") { ThisProcess.openFileLimit }
    }

    /// Takes what the domain tells, on any thread.
    package func take(_ notice: DomainNotice) {
        switch notice {
        case .box(let event):
            self.boxes.count(event)
            self.say(event)
        case .codeGuessesClosed(let closing): self.close(0, "wrong codes closed a limit", closing)
        case .passwordGuessesClosed(let closing): self.close(1, "wrong passwords closed a limit", closing)
        case .setUpGuessesClosed(let closing): self.close(2, "wrong set-up codes closed a limit", closing)
        case .setUpCodeUsed(let publicKey, let requestor):
            self.logger.notice(
                "a box was set up with a code", [.keyID: .text(publicKey), .requestor: .text(requestor.text)])
        case .issuanceRefused(let network):
            self.refuse(0, "a source has all codes, logins or trials it may have", .network, "\(network)")
        case .clientsRefused(let network):
            self.refuse(1, "a source has all the clients it may have", .network, "\(network)")
        case .registrationRefused(let softwareID):
            self.refuse(1, "an application has registered all the clients it may in a day", .application, softwareID)
        case .callsRefused(let network):
            self.refuse(2, "a source calls too often, and has to wait", .network, "\(network)")
        case .noncesHeldInMemory:
            self.noncesInMemory.set(1)
            self.logger.warning("the store keeps no nonces: they are held in memory, for this node alone")
        case .noncesKeptAgain:
            self.noncesInMemory.set(0)
            self.logger.notice("the store keeps nonces again")
        case .sealingKeyMissing(let keyPairs):
            self.logger.error(
                "another server sealed key pairs anew; copy its newest sealing-N.key to the key folder of this one",
                [.count: .number(keyPairs)])
        case .providerTrouble(let mvpd, let part, let kind, let detail):
            self.say(
                .providers(mvpd), "a TV provider gave no usable answer", Self.facts(mvpd, part, kind.rawValue, detail))
        case .noticeRefused(let mvpd, let kind, let detail):
            self.say(.notices(mvpd), "a notice of a logout was refused", Self.facts(mvpd, nil, kind.rawValue, detail))
        case .providerShut(let mvpd, let part, let pause):
            self.logger.warning(
                "a TV provider is silent, and is not asked for a while",
                Self.facts(mvpd, part).adding([.durationMicroseconds: .microseconds(pause)]))
        case .providerOpened(let mvpd, let part):
            self.logger.notice("a TV provider answers again", Self.facts(mvpd, part))
        }
    }

    private static func facts(
        _ mvpd: MVPDID, _ part: ProviderPart?, _ kind: String? = nil, _ detail: String? = nil
    ) -> LogFacts {
        var facts: LogFacts = [.provider: .text(mvpd.text)]
        facts[.part] = part.map { .text($0.rawValue) }
        facts[.kind] = kind.map { .text($0) }
        facts[.detail] = detail.map { .text($0) }
        return facts
    }

    private func refuse(_ limit: Int, _ message: StaticString, _ key: MetadataKey, _ subject: String) {
        self.limitsMet.increment(limit)
        self.say(.refusals(limit), message, [key: .text(subject)])
    }

    private func close(_ index: Int, _ message: StaticString, _ closing: GuessClosing) {
        self.closings.increment(index, GuessScope.allCases.firstIndex(of: closing.scope) ?? 0)
        self.say(.closings(index), message, closing.facts)
    }

    /// Says a step of a box at info. Playbacks are counted alone: there are too many of them.
    private func say(_ event: BoxStep) {
        guard event.kind != .mediaToken, self.logger.isEnabled(.info),
            let dropped = self.place(for: .boxes(event.kind), lines: 300)
        else { return }
        let facts = event.facts
        self.logger.info(event.kind.message, dropped == 0 ? facts : facts.adding([.dropped: .number(dropped)]))
    }

    private func say(_ kind: Kind, _ message: StaticString, _ facts: LogFacts) {
        guard let dropped = self.place(for: kind, lines: 10) else { return }
        self.logger.warning(message, dropped == 0 ? facts : facts.adding([.dropped: .number(dropped)]))
    }

    /// - Returns: `nil` without a place for a line, else how many were dropped before it.
    private func place(for kind: Kind, lines: Int) -> Int? {
        let now = self.uptime()
        return self.rates.withLock {
            $0[kind, default: LineRate(lines: lines, per: .seconds(60))].admit(at: now)
        }
    }
}

extension BoxStep {
    fileprivate var facts: LogFacts {
        var facts: LogFacts = [
            .requestor: .text(self.requestor.text), .box: .text(self.device.handle.description),
        ]
        if let mvpd = self.mvpd { facts[.provider] = .text(mvpd.text) }
        if let network = self.network { facts[.network] = .text("\(network)") }
        if let duration = self.duration { facts[.durationMicroseconds] = .microseconds(duration) }
        // The beginning of the channel's title, and never a document: boxes ask for what they like.
        if let title = try? self.resource?.channelTitle() {
            facts[.channel] = .text(String(title.unicodeScalars.prefix(64)))
        }
        if let reason = self.denial?.word { facts[.reason] = .text(reason) }
        if let viewer = self.viewer {
            (facts[.viewer], facts[.reason]) = (.text(viewer), .text("name or password"))
        }
        return facts
    }
}

extension BoxStep.Kind {
    fileprivate var message: StaticString {
        switch self {
        case .codeMade: "a code was made"
        case .codeOpened: "a viewer entered a code"
        case .signInBegun: "a sign-in began"
        case .signInRefused: "a TV provider did not accept a viewer"
        case .confirmed: "a box is signed in"
        case .declined: "a viewer declined a box"
        case .permitted: "a box may play"
        case .permitRefused: "a box may not play"
        case .mediaToken: "a box plays"
        }
    }
}

extension Denial {
    fileprivate var word: String {
        switch self {
        case .provider: "provider"
        case .programmer: "programmer"
        case .parentalControls: "parental controls"
        case .network(timeout: true): "provider silent"
        case .network(timeout: false): "provider out of reach"
        case .trial: "trial used up"
        }
    }
}

extension GuessClosing {
    fileprivate var facts: LogFacts {
        var facts: LogFacts = [
            .scope: .text(self.scope.rawValue), .network: .text("\(self.network)"),
        ]
        if let viewer = self.viewer { facts[.viewer] = .text(viewer) }
        if let box = self.box { facts[.box] = .text(box.description) }
        return facts
    }
}
