package import Clientless

/// How long the process has run, by a clock that no operator or time server sets. Limits and deadlines go by it, so that
/// a wall clock that jumps neither stretches a penalty nor ends a held poll.
package typealias Uptime = @Sendable () -> Duration

/// An event that a program should write to its log.
package enum DomainNotice: Hashable, Sendable {
    /// A budget of wrong codes ended.
    case codeGuessesClosed(GuessClosing)
    /// A budget of wrong passwords ended.
    case passwordGuessesClosed(GuessClosing)
    /// A step of a box on its way to play something.
    case box(BoxEvent)
    /// A source in the network asked for more codes than it may have.
    case issuanceRefused(NetworkPrefix)
    /// A source in the network registered more clients than it may.
    case clientsRefused(NetworkPrefix)
    /// An application registered as many clients today as it may.
    case registrationRefused(softwareID: String)
    /// A box got its credential by a set-up code.
    case setUpCodeUsed(publicKey: String, RequestorID)
    /// A budget of wrong set-up codes ended.
    case setUpGuessesClosed(GuessClosing)
    /// The store keeps no nonce now, so this process remembers them: they hold on this node alone.
    case noncesHeldInMemory
    /// The store keeps nonces again.
    case noncesKeptAgain
    /// A question to a provider was of no use. The detail is for the log.
    case providerTrouble(MVPDID, ProviderPart, ProviderError.Kind, detail: String)
    /// A notice that names a provider as its sender was of no use. The detail is for the log.
    case noticeRefused(MVPDID, ProviderError.Kind, detail: String)
    /// A provider was silent for a while, and is not asked for this long.
    case providerShut(MVPDID, ProviderPart, for: Duration)
    /// A provider that was shut answers again.
    case providerOpened(MVPDID, ProviderPart)
}

/// The domain's front door: holds its parts, wired to one store and one catalogue.
///
/// Faces and programs call the parts and nothing below them. `now` is a parameter of every call that needs one;
/// randomness comes from the system.
package final class Entitlements: Sendable {
    package struct Limits: Sendable {
        /// Codes of one requestor and device that may be open at once (rest-v1 11.1).
        package var codesPerDevice = 10
        /// Codes get eight characters when more than so many are open.
        package var codesBeforeLongerCodes = 100_000
        /// The most codes and devices kept in memory, each; further ones are read from the store when asked for.
        package var remembered = 1_000_000
        /// The most held polls.
        package var waiting = 100_000
        /// Wrong codes (rest-v1 24.4).
        package var guessing = Guessing.Settings()
        /// Wrong passwords.
        package var passwords = PasswordGuessing.Settings(cores: 2)
        /// New codes; `nil` is no limit.
        package var issuance: IssuanceLimiter.Settings? = IssuanceLimiter.Settings()
        /// New clients by address and network; `nil` is no limit.
        package var registrations: IssuanceLimiter.Settings? = .registrations
        /// How many clients of one application may register within a day: its software statement is all that it takes.
        package var clientsPerDay = 50_000
        /// How long a provider may take to answer.
        package var providerTime: Duration = .seconds(10)
        /// When a silent provider is no longer asked.
        package var providerHealth = ProviderHealth.Settings()

        package init() {}
    }

    package let limits: Limits
    package let keys: ServerKeys
    package let waitingRoom: WaitingRoom
    /// Counts of wrong codes and passwords since the start.
    package var codeGuesses: GuessCounts { self.guessing.counts }
    package var passwordGuesses: GuessCounts { self.passwords.counts }
    package let uptime: Uptime

    package let codes: Codes
    package let logins: Logins
    package let passkeys: Passkeys
    package let signIns: SignIns
    package let decisions: Decisions
    package let trials: Trials
    package let degradations: DegradationRules
    package let credentials: Credentials
    package let setUpCodes: SetUpCodes
    package let metadata: ViewerMetadata
    package let documents: Documents
    package let boxes: Boxes
    package let accounts: Accounts
    package let operations: Operations
    package let explanations: Explanations
    package let reports: Reports
    package let upkeep: Upkeep
    /// Limits of calls are for so many nodes together.
    package let nodes: LivingNodes

    /// How the questions to each provider fare.
    package let providerHealth: ProviderHealth
    /// How the questions to each provider's decision point fare.
    package let decisionHealth: ProviderHealth
    private let guessing: Guessing
    private let passwords: PasswordGuessing
    private let liveCatalogue: LiveCatalogue

    /// The catalogue in force.
    package var catalogue: Catalogue { self.liveCatalogue.current }
    /// The catalogue in force with what answers for its providers, to be put in force again.
    package var configured: (catalogue: Catalogue, providers: [MVPDID: any Provider]) {
        self.liveCatalogue.configured
    }

    /// - Parameters:
    ///   - documents: signs and checks every token document.
    ///   - uptime: the process's monotonic clock.
    ///   - listener: is told what a program should log; called without a lock held.
    ///   - onEnding: is told what operators end, once the store has it; called without a lock held.
    ///   - onBoxAdded: is told of boxes that are new to their viewer, once the store has them; called without a lock held.
    ///     `nil` where no one wants to know, and nothing is looked up for it.
    ///   - platform: reads what the accounts of boxes say; `nil` takes no such sign-ins (rest-v1 21).
    /// - Precondition: `providers` has an implementation of every provider of `catalogue` that is no trial.
    package init(
        catalogue: Catalogue, store: any Store, providers: [MVPDID: any Provider], keys: ServerKeys,
        documents signer: TokenDocumentSigner, uptime: @escaping Uptime,
        report listener: @escaping @Sendable (DomainNotice) -> Void = { _ in },
        onEnding: @escaping @Sendable (Ending) -> Void = { _ in },
        onBoxAdded: (@Sendable (AddedBox) -> Void)? = nil, platform: PlatformExchange? = nil,
        limits: Limits = Limits()
    ) {
        let catalogue = LiveCatalogue(catalogue, providers: providers)
        let reports = Reports(store: store)
        let report: @Sendable (DomainNotice) -> Void = { notice in
            if case .box(let event) = notice { reports.count(event) }
            listener(notice)
        }
        let health = ProviderHealth(limits.providerHealth)
        let access = ProviderAccess(
            part: .signIns, catalogue: catalogue, time: limits.providerTime, health: health, uptime: uptime,
            report: report)
        let decisionHealth = ProviderHealth(limits.providerHealth)
        let decisionPoints = ProviderAccess(
            part: .decisions, catalogue: catalogue, time: limits.providerTime, health: decisionHealth, uptime: uptime,
            report: report)
        let waitingRoom = WaitingRoom(bound: limits.waiting, uptime: uptime)
        let memory = LiveMemory(bound: limits.remembered, waitingRoom: waitingRoom, isShared: store.isShared)
        let nodes = LivingNodes()
        let guessing = Guessing(limits.guessing, nodes: nodes) { report(.codeGuessesClosed($0)) }
        let passwords = PasswordGuessing(limits.passwords, nodes: nodes) { report(.passwordGuessesClosed($0)) }
        let setUpGuessing = Guessing(limits.guessing, nodes: nodes) { report(.setUpGuessesClosed($0)) }
        let credentials = Credentials(
            store: store, keys: keys, uptime: uptime, report: report, onEnding: onEnding,
            registrations: RegistrationLimits(limits, nodes: nodes))
        let degradations = DegradationRules(store: store, catalogue: catalogue)
        let signIns = SignIns(
            store: store, catalogue: catalogue, keys: keys, memory: memory, degradations: degradations,
            providers: access, platform: platform, signer: signer)
        let codes = Codes(
            store: store, catalogue: catalogue, memory: memory, signIns: signIns, guessing: guessing, uptime: uptime,
            report: report, limits: limits, nodes: nodes)
        let trials = Trials(store: store, catalogue: catalogue, keys: keys, signIns: signIns)
        let decisions = Decisions(
            store: store, catalogue: catalogue, codes: codes, degradations: degradations, signIns: signIns,
            trials: trials, decisionPoints: decisionPoints, signer: signer)
        self.providerHealth = health
        self.decisionHealth = decisionHealth
        self.liveCatalogue = catalogue
        self.limits = limits
        self.keys = keys
        self.waitingRoom = waitingRoom
        self.uptime = uptime
        self.guessing = guessing
        self.passwords = passwords
        self.codes = codes
        self.signIns = signIns
        self.decisions = decisions
        self.trials = trials
        self.degradations = degradations
        self.credentials = credentials
        self.setUpCodes = SetUpCodes(
            store: store, keys: keys, credentials: credentials,
            guessing: setUpGuessing, uptime: uptime, report: report)
        let logins = Logins(
            store: store, catalogue: catalogue, keys: keys, providers: access, codes: codes, signIns: signIns,
            trials: trials, degradations: degradations, guessing: guessing, passwords: passwords, uptime: uptime,
            onBoxAdded: onBoxAdded)
        self.logins = logins
        self.passkeys = Passkeys(logins)
        self.metadata = ViewerMetadata(catalogue: catalogue, signIns: signIns, trials: trials)
        self.documents = Documents(
            catalogue: catalogue, keys: keys, signer: signer, signIns: signIns, decisions: decisions)
        self.boxes = Boxes(store: store, keys: keys, signIns: signIns, onEnding: onEnding)
        self.accounts = Accounts(store: store)
        self.reports = reports
        self.operations = Operations(
            store: store, keys: keys, memory: memory, providers: access, signIns: signIns, onEnding: onEnding)
        self.explanations = Explanations(
            store: store, catalogue: catalogue, signIns: signIns, degradations: degradations, trials: trials,
            credentials: credentials)
        self.upkeep = Upkeep(
            store: store, memory: memory, codes: codes, credentials: credentials, degradations: degradations,
            guessing: guessing, nodes: nodes, uptime: uptime)
        self.nodes = nodes
    }

    /// Puts another configuration's catalogue and providers in force, both or neither.
    /// - Precondition: `providers` has an implementation of every provider of `catalogue` that is no trial.
    package func replace(catalogue: Catalogue, providers: [MVPDID: any Provider]) {
        self.liveCatalogue.replace(catalogue, providers: providers)
        self.providerHealth.forget(allBut: Set(providers.keys))
        self.decisionHealth.forget(allBut: Set(providers.filter { $0.value.decisionPoint != nil }.keys))
    }
}
