import Clientless
import Cryptography
import HTTPClient
import Lifecycle
import Observability
import Synchronization

/// Entitlement for an application on the box: who is signed in at which TV provider, what may be watched, and the
/// token that proves it (access-enabler 1, 2).
///
/// Calls in the style of the original return at once and answer through the delegates; each has an `async` twin that
/// returns its result. Both run on the same engine, one after the other, in the order they were made. Make one object
/// for each running application.
public actor AccessEnabler {
    nonisolated let settings: Configuration
    nonisolated let credentials: Credentials?
    nonisolated let mailbox = Mailbox()
    nonisolated let callers = WaitingCallers()
    nonisolated let reporter: EventDelivery
    nonisolated let options = CallOptions()
    nonisolated let vault: TokenVault
    private let latestTime: ServerTime
    nonisolated let tracking: TrackingData
    /// Whether the use of a form that ended with 3.0 has been logged.
    nonisolated let isDeprecationLogged = Atomic(false)
    nonisolated let logger: Logger
    /// The description of the box that goes with every request, unless the application gives its own.
    nonisolated let deviceInformation: String
    private let client: HTTPClient?
    private let transport: any Transport

    /// Calls are kept back until a configuration is in force (access-enabler 6.3).
    enum Gate: Sendable {
        case closed, open, failed
    }

    var gate = Gate.closed
    var lane = Lane()
    /// The last `setRequestor`, for ``resynchronize()``.
    var identity: (requestorID: String, serviceProviders: [String])?
    var configuration: RequestorConfiguration?
    /// Counts the configuration phases; work of an older one is late.
    var configurationRun = 0
    var generation: Int?
    private var services: [ServiceProviderURL: ServiceAccess] = [:]
    private var knownDeviceID: DeviceID?

    var flow = AuthenticationFlow()
    var login = Login()
    /// Each given when the end of a run of the flow has been reported.
    var endsOfRuns: [OneAnswer<Void>] = []
    /// Answered when the last polling has ended: one that was cancelled takes a moment, and the next waits for it.
    var lastPolling: OneAnswer<Void>?
    /// The choice of `setSelectedProvider` for the next flow.
    var preselected: String?
    /// The page that is open in a browser, and the end of waiting for it.
    var navigation: (request: NavigationRequest, cancellation: StopSignal)?
    /// Whether the box is signed in, by the last news of its account (access-enabler D-25); `nil` until it was asked, or
    /// said so by itself.
    var isBoxSignedIn: Bool?
    var preauthorizations = PreauthorizationCache()
    /// Why the last login failed, for applications that put it into words of their own; `nil` if it did not, or
    /// the viewer ended it.
    public internal(set) var loginFailure: EntitlementError?
    /// The last token that was read: the same one is asked for again and again.
    var readToken: AuthenticationToken?

    /// For the application the software statement belongs to (access-enabler 5, 7.1).
    public init(softwareStatement: String, configuration: Configuration = .init()) {
        self.init(storageCheck: .none, softwareStatement: softwareStatement, configuration: configuration)
    }

    /// The same, with a check of the store before anything else (access-enabler 11.11).
    public init(storageCheck: IntegrityCheckType, softwareStatement: String, configuration: Configuration = .init()) {
        self.init(
            credentials: .softwareStatement(softwareStatement), configuration: configuration, storageCheck: storageCheck
        )
    }

    /// For an application that proves itself otherwise; see ``AccessEnabler/Credentials``.
    /// - Parameters:
    ///   - credentials: without any, every `setRequestor` fails with `R400`.
    ///   - configuration: the server, and how the library behaves.
    ///   - storageCheck: a check of the store before anything else (access-enabler 11.11).
    public init(credentials: Credentials?, configuration: Configuration, storageCheck: IntegrityCheckType = .none) {
        self.settings = configuration
        self.credentials = credentials
        self.logger = configuration.usedLogger
        self.deviceInformation = configuration.clientInformation.encoded(
            completedBy: BoxFacts(root: configuration.systemRoot), applicationID: configuration.applicationID)
        self.reporter = EventDelivery(dispatcher: configuration.callbackDispatcher, logger: self.logger)
        let client = configuration.transport == nil ? HTTPClient(configuration.clientConfiguration) : nil
        self.client = client
        self.transport = configuration.transport ?? client ?? HTTPClient()
        let latest = ServerTime()
        self.latestTime = latest
        // Kept tokens are judged by the server's clock as well, as far as a server told it (access-enabler D-59).
        self.vault = TokenVault(
            store: configuration.store, scope: configuration.deviceScope,
            now: { latest.now(by: configuration.clock) },
            whenReplaced: configuration.storeSetAside ?? { _ in },
            whenChanged: configuration.storeOutcome ?? { _ in })
        self.tracking = TrackingData(hardware: configuration.clientInformation.primaryHardwareType)
        let (mailbox, reporter, vault) = (self.mailbox, self.reporter, self.vault)
        if instances.add(1, ordering: .relaxed).oldValue > 0, !configuration.isOneOfMany {
            self.logger.error("[AccessEnabler] there is another object of this library; make one for each application")
        }
        // The one task that is no child of another: an object that answers calls has no task to be awaited by. It ends
        // with the object, whose deinit closes the mailbox.
        Task { [weak self] in
            await withDiscardingTaskGroup { group in
                group.addTask { await reporter.run() }
                await vault.check(storageCheck)
                if let work = await self?.followBoxAccount() { group.addTask { await work() } }
                for await letter in mailbox.letters {
                    // Work is done also for an object that is gone, since others may wait for it.
                    if case .work(let work) = letter {
                        group.addTask { await work() }
                    } else if let work = await self?.take(letter) {
                        group.addTask { await work() }
                    }
                }
                reporter.close()
                group.cancelAll()
            }
        }
    }

    deinit {
        instances.subtract(1, ordering: .relaxed)
        self.mailbox.close()
        self.callers.close()
    }

    /// Every report of the library, in order, from now on; any number of subscribers.
    public nonisolated var events: AsyncStream<EntitlementEvent> { self.reporter.events }

    /// Sets the delegate that hears of the flows; it is kept weakly.
    public nonisolated func setDelegate(_ delegate: (any EntitlementDelegate)?) { self.reporter.setDelegate(delegate) }

    /// Sets the delegate that hears of advanced status reports; it is kept weakly.
    public nonisolated func setStatusDelegate(_ delegate: (any EntitlementStatus)?) {
        self.reporter.setStatusDelegate(delegate)
    }

    /// Ends all work, answers every caller that still waits, and closes connections. A program calls this
    /// before it exits; nothing works after it.
    public func shutDown() async {
        self.mailbox.close()
        // The end of the library is no failure of a login, which would forget the provider.
        _ = self.flow.handle(.logout)
        self.login.attempt.cancellation.give()
        self.login.attempt.dialog?.end()
        self.navigation?.cancellation.give()
        self.callers.close()
        await self.client?.shutDown()
    }

    /// The server at `url`, with the application's registration there.
    func service(_ url: ServiceProviderURL) -> ServiceAccess {
        if let known = self.services[url] { return known }
        let wire = Wire(
            base: url.text, transport: self.transport,
            clock: ServerClock(clock: self.settings.clock, latest: self.latestTime),
            randomness: self.settings.randomness, pauses: self.settings.repetitionPauses)
        let access = ServiceAccess(url, wire: wire, credentials: self.credentials, vault: self.vault)
        self.services[url] = access
        return access
    }

    /// The device ID (access-enabler 12.4).
    func deviceID() async throws(EntitlementError) -> DeviceID {
        if let known = self.knownDeviceID { return known }
        guard self.credentials != nil else {
            throw EntitlementError(.notRegistered, detail: "there is no software statement")
        }
        if let fault = self.settings.fault { throw EntitlementError(.state, detail: fault.description) }
        let machineID = try await self.machineID()
        let deviceID = DeviceIdentity.deviceID(machineID: machineID, scope: self.settings.deviceScope)
        self.knownDeviceID = deviceID
        return deviceID
    }

    /// The identifier of this machine. A salt that was used once stays in force, also when the machine has got an ID
    /// since and in the store of a vendor group: another device ID would end every sign-in.
    private func machineID() async throws(EntitlementError) -> String {
        let image = try await self.vault.image()
        if let salt = image.machineSalt { return salt }
        var salt: String?
        // A vendor's store that is new: the application's former store may have a salt.
        if image.scopes.isEmpty, image.registrations.isEmpty,
            let former = try? await self.settings.formerStore?.content().bytes
        {
            salt = StoreImage(reading: former, scope: self.settings.deviceScope)?.machineSalt
        }
        if salt == nil, let text = DeviceIdentity.fileText(self.settings.machineIDFile),
            let found = DeviceIdentity.machineID(in: text)
        {
            return found
        }
        // If the machine has no ID, one of our own.
        let fresh = salt ?? Hex.encode(self.settings.randomness.bytes(16))
        return try await self.vault.update { image in
            let salt = image.machineSalt ?? fresh
            image.machineSalt = salt
            return salt
        }
    }

    func report(_ event: EntitlementEvent) { self.reporter.report(event) }
    func report(_ status: AdvancedStatus) { self.reporter.report(.status(status)) }
}

/// How many objects of the library live in the process; more than one is a mistake worth a line (access-enabler 5.3).
private let instances = Atomic(0)
