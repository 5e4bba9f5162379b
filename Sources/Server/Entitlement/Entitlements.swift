package import Clientless
import Cryptography
import Synchronization

/// The one owner that acts: it applies the domain's rules to the records of a store, keeps the answers to polls in
/// memory, and wakes who waits for a change.
///
/// Every face calls this and nothing below it. `now` is a parameter of every call; randomness was given at the start.
package final class Pairing: Sendable {
    package struct Limits: Sendable {
        /// Codes of one requestor and device that may be open at once (rest-v1 11.1).
        package var codesPerDevice = 10
        /// Codes get eight characters when more than so many are open.
        package var codesBeforeLongerCodes = 100_000
        /// The most codes and devices kept in memory, each; further ones are read from the store when asked for.
        package var remembered = 1_000_000
        /// The most held polls.
        package var waiting = 100_000
        /// Wrong codes of one address (rest-v1 24.4).
        package var codeGuesses = AttemptLimit(failures: 20, window: .seconds(600), penalty: .seconds(600))
        /// Wrong codes of one browser session.
        package var codeGuessesOfSession = AttemptLimit(failures: 10, window: .seconds(600), penalty: .seconds(600))
        /// Wrong passwords of one account, and of one address.
        package var passwordGuesses = AttemptLimit(failures: 10, window: .seconds(600), penalty: .seconds(300))
        /// How long a provider may take to answer.
        package var providerTime: Duration = .seconds(10)

        package init() {}
    }

    package let catalogue: Catalogue
    package let keys: ServerKeys
    package let store: any Store
    package let limits: Limits
    package let waitingRoom: WaitingRoom
    /// Wrong codes.
    package let guesses: GuessLimiter
    /// Wrong passwords.
    package let passwordGuesses: GuessLimiter
    package let credentials: CredentialMemory

    let providers: [MVPDID: any Provider]
    let documents: TokenDocumentSigner
    let platform: PlatformExchange?
    let codes: BoundedMemory<RegistrationCodeText, LiveCode>
    let devices: BoundedMemory<DeviceHash, [AuthNRecord]>
    let liveCodeEstimate = Atomic<Int>(0)
    private let degradationRules = Mutex(Degradations())

    /// - Parameters:
    ///   - documents: signs and checks every token document.
    ///   - platform: reads what the accounts of boxes say; none takes no such sign-ins (rest-v1 21).
    /// - Precondition: `providers` has one for every provider of `catalogue` that is no trial.
    package init(
        catalogue: Catalogue, store: any Store, providers: [MVPDID: any Provider], keys: ServerKeys,
        documents: TokenDocumentSigner, platform: PlatformExchange? = nil, limits: Limits = Limits()
    ) {
        precondition(
            catalogue.mvpds.allSatisfy { $0.trial != nil || providers[$0.id] != nil },
            "every provider has an implementation")
        self.catalogue = catalogue
        self.store = store
        self.providers = providers
        self.keys = keys
        self.documents = documents
        self.platform = platform
        self.limits = limits
        self.waitingRoom = WaitingRoom(bound: limits.waiting)
        self.guesses = GuessLimiter(limit: limits.codeGuesses, sessionLimit: limits.codeGuessesOfSession)
        self.passwordGuesses = GuessLimiter(limit: limits.passwordGuesses, sessionLimit: limits.passwordGuesses)
        self.credentials = CredentialMemory(store: store, keys: keys)
        self.codes = BoundedMemory(bound: limits.remembered)
        self.devices = BoundedMemory(bound: limits.remembered)
    }

    /// The device context a request speaks for (rest-v1 6.3).
    package func context(_ device: DeviceID, appID: String?, deviceUser: String?) -> DeviceContext {
        DeviceContext(device: self.keys.deviceHash(device), appID: appID, deviceUser: deviceUser)
    }

    /// The degradation rules in force, from memory.
    package var degradations: Degradations { self.degradationRules.withLock { $0 } }

    /// Reads the degradation rules again; whoever follows the store's feed calls it when they changed there.
    func reloadDegradations(now: Timestamp) async throws(StoreError) {
        let rules = Degradations(rules: try await self.store.degradationRules(endingAfter: now))
        self.degradationRules.withLock { $0 = rules }
    }

    /// Forgets what was remembered of a changed code or device, and wakes who waits for it.
    func announce(code: RegistrationCodeText) {
        self.codes.forget(code)
        self.waitingRoom.wake(.code(code))
    }

    func announce(device: DeviceHash) {
        self.devices.forget(device)
        self.waitingRoom.wake(.device(device))
    }
}
