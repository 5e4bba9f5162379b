package import Clientless

/// How long the process has run, by a clock that no operator or time server sets. Limits and deadlines go by it, so that
/// a wall clock that jumps neither stretches a penalty nor ends a held poll.
package typealias Uptime = @Sendable () -> Duration

/// An event that a program should write to its log.
package enum DomainNotice: Hashable, Sendable {
    case codeGuessesClosed(GuessClosing)
    case passwordGuessesClosed(GuessClosing)
    /// A step of a box on its way to play something.
    case box(BoxStep)
    /// A source in the network asked for more codes than it may have.
    case issuanceRefused(NetworkPrefix)
    /// A source in the network registered more clients than it may.
    case clientsRefused(NetworkPrefix)
    /// A source in the network calls more often than it may.
    case callsRefused(NetworkPrefix)
    case registrationRefused(softwareID: String)
    case setUpCodeUsed(publicKey: String, RequestorID)
    case setUpGuessesClosed(GuessClosing)
    /// The store keeps no nonce now, so this process remembers them: they hold on this node alone.
    case noncesHeldInMemory
    case noncesKeptAgain
    /// Key pairs were sealed with a key that this server lacks.
    case sealingKeyMissing(keyPairs: Int)
    /// A question to a provider was of no use. The detail is for the log.
    case providerTrouble(MVPDID, ProviderPart, ProviderError.Kind, detail: String)
    /// A notice that names a provider as its sender was of no use. The detail is for the log.
    case noticeRefused(MVPDID, ProviderError.Kind, detail: String)
    /// A provider was silent for a while, and is not asked for this long.
    case providerShut(MVPDID, ProviderPart, for: Duration)
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
        package var waiting = 100_000
        /// Wrong codes (rest-v1 24.4).
        package var guessing = Guessing.Settings()
        package var passwords = PasswordGuessing.Settings(cores: 2)
        /// New codes, and as many logins; `nil` is no limit.
        package var issuance: IssuanceLimiter.Settings? = IssuanceLimiter.Settings()
        /// Sign-ins at trials by address and network; `nil` is no limit.
        package var trials: IssuanceLimiter.Settings? = .trials
        /// New clients by address and network; `nil` is no limit.
        package var registrations: IssuanceLimiter.Settings? = .registrations
        /// How many clients of one application may register within a day: its software statement is all that it takes.
        package var clientsPerDay = 50_000
        package var providerTime: Duration = .seconds(10)
        package var providerHealth = ProviderHealth.Settings()

        package init() {}
    }

    private let parts: DomainParts
    package var keys: ServerKeys { self.parts.keys }
    package var waitingRoom: WaitingRoom { self.parts.memory.waitingRoom }
    /// Counts of wrong codes and passwords since the start.
    package var codeGuesses: GuessCounts { self.guessing.counts }
    package var passwordGuesses: GuessCounts { self.passwords.counts }
    package var uptime: Uptime { self.parts.uptime }

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
    package var nodes: LivingNodes { self.parts.nodes }
    package var providerHealth: ProviderHealth { self.parts.providers.health }
    package var decisionHealth: ProviderHealth { self.parts.decisionPoints.health }
    private let guessing: Guessing
    private let passwords: PasswordGuessing
    private var liveCatalogue: LiveCatalogue { self.parts.catalogue }
    package var catalogue: Catalogue { self.liveCatalogue.current }
    /// The catalogue in force with what answers for its providers, to be put in force again.
    package var configured: ConfiguredCatalogue { self.liveCatalogue.configured }

    /// - Parameters:
    ///   - documents: signs and checks every token document.
    ///   - uptime: the process's monotonic clock.
    ///   - listener: is told what a program should log; called without a lock held.
    ///   - onEnding: is told what operators end, once the store has it; called without a lock held.
    ///   - onBoxAdded: is told of boxes that are new to their viewer, once the store has them; called without a lock held.
    ///     `nil` if no one wants to know, and nothing is looked up for it.
    ///   - platform: reads what the accounts of boxes say; `nil` takes no such sign-ins (rest-v1 21).
    package init(
        _ configured: ConfiguredCatalogue, store: any Store, keys: ServerKeys, documents signer: TokenDocumentSigner,
        uptime: @escaping Uptime,
        report listener: @escaping @Sendable (DomainNotice) -> Void = { _ in },
        onEnding: @escaping @Sendable (Ending) -> Void = { _ in },
        onBoxAdded: (@Sendable (AddedBox) -> Void)? = nil, platform: PlatformExchange? = nil,
        limits: Limits = Limits()
    ) {
        let catalogue = LiveCatalogue(configured)
        let reports = Reports(store: store)
        let report: @Sendable (DomainNotice) -> Void = { notice in
            if case .box(let event) = notice { reports.count(event) }
            listener(notice)
        }
        let parts = DomainParts(
            catalogue: catalogue, store: store, keys: keys, limits: limits, uptime: uptime, report: report,
            onEnding: onEnding)
        self.parts = parts
        let nodes = parts.nodes
        self.guessing = Guessing(limits.guessing, nodes: nodes) { report(.codeGuessesClosed($0)) }
        self.passwords = PasswordGuessing(limits.passwords, nodes: nodes) { report(.passwordGuessesClosed($0)) }
        self.credentials = Credentials(parts)
        self.degradations = DegradationRules(store: store, catalogue: catalogue)
        self.signIns = SignIns(parts, degradations: self.degradations, platform: platform, signer: signer)
        self.codes = Codes(parts, signIns: self.signIns, guessing: self.guessing)
        self.trials = Trials(
            signIns: self.signIns, issuance: limits.trials.map { IssuanceLimiter($0, nodes: parts.nodes) })
        self.decisions = Decisions(codes: self.codes, trials: self.trials, signer: signer)
        self.setUpCodes = SetUpCodes(
            parts, credentials: self.credentials,
            guessing: Guessing(limits.guessing, nodes: nodes) { report(.setUpGuessesClosed($0)) })
        self.logins = Logins(
            parts: parts, codes: self.codes, signIns: self.signIns, trials: self.trials, guessing: self.guessing,
            passwords: self.passwords, issuance: limits.issuance.map { IssuanceLimiter($0, nodes: nodes) },
            onBoxAdded: onBoxAdded)
        self.passkeys = Passkeys(logins: self.logins)
        self.metadata = ViewerMetadata(parts: parts, signIns: self.signIns, trials: self.trials)
        self.documents = Documents(parts: parts, signer: signer, signIns: self.signIns, decisions: self.decisions)
        self.boxes = Boxes(parts: parts, signIns: self.signIns)
        self.accounts = Accounts(store: store)
        self.reports = reports
        self.operations = Operations(parts: parts, signIns: self.signIns)
        self.explanations = Explanations(
            parts: parts, signIns: self.signIns, degradations: self.degradations, trials: self.trials,
            credentials: self.credentials)
        self.upkeep = Upkeep(
            parts, codes: self.codes, credentials: self.credentials, degradations: self.degradations,
            guessing: self.guessing)
    }

    package func noteRefusedCall(of address: NetworkAddress) { self.parts.report(.callsRefused(address.neighbourhood)) }

    /// Puts another configuration's catalogue and providers in force, both or neither.
    package func replace(_ next: ConfiguredCatalogue) {
        self.liveCatalogue.replace(next)
        self.parts.memory.lineUps.forgetAll()
        self.providerHealth.forget(allBut: Set(next.providers.keys))
        self.decisionHealth.forget(allBut: Set(next.decisionPoints.keys))
    }
}
