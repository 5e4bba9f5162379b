import Clientless
import Cryptography
import HTTPClient
import Observability

/// Entitlement for an application on the box: who is signed in at which TV provider, what may be watched, and the
/// token that proves it (access-enabler 1, 2).
///
/// Calls in the style of the original return at once and answer through the delegates; each has an `async` twin that
/// returns its result. Both run on the same engine, one after the other, in the order they were made. Make one object
/// for each running application.
public actor AccessEnabler {
    /// What the application is proved with, and how the library works.
    nonisolated let settings: Configuration
    nonisolated let credentials: Credentials?
    nonisolated let mailbox = Mailbox()
    nonisolated let reporter: Reporter
    nonisolated let options = CallOptions()
    nonisolated let vault: TokenVault
    nonisolated let tracking: TrackingData
    nonisolated let deprecation = Once()
    nonisolated let logger: Logger
    /// What the box says of itself with every request, unless the application says all of it.
    nonisolated let deviceInformation: String
    private let client: HTTPClient?
    private let transport: any Transport

    /// Calls are kept back until a configuration is in force (access-enabler 6.3).
    enum Gate: Sendable {
        case closed, open, failed
    }

    var gate = Gate.closed
    var lane: [Call] = []
    var isLaneBusy = false
    /// The last `setRequestor`, for ``resynchronize()``.
    var identity: (requestorID: String, serviceProviders: [String])?
    var configuration: RequestorConfiguration?
    /// Counts the configuration phases; work of an older one is late.
    var configurationRun = 0
    var generation: Int?
    private var services: [ServiceProviderURL: ServiceAccess] = [:]
    private var knownDeviceID: DeviceID?

    var flow = AuthenticationFlow()
    /// What the run of the flow carries along.
    var login = Login()
    /// Runs of the flow whose end is being reported, and who waits for that.
    var endings = 0
    var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    /// Whether a poll is under way, be it a cancelled one that has not ended; and who polls next.
    var isPolling = false
    var waitingForPoll: [CheckedContinuation<Void, Never>] = []
    /// The choice of `setSelectedProvider` for the next flow.
    var preselected: String?
    var navigation: Navigation?
    /// What is known of the box's account (access-enabler D-25).
    var boxAccount = BoxAccount()
    var preauthorizations = PreauthorizationCache()
    /// What the last call that failed failed with, for applications that put it into words of their own.
    public internal(set) var lastFailure: EntitlementError?
    /// The last token that was read: the same one is asked for again and again.
    var readToken: AuthenticationToken?

    /// For the application the software statement belongs to (access-enabler 5, 7.1).
    public init(softwareStatement: String, configuration: Configuration = .init()) {
        self.init(storageCheck: .none, softwareStatement: softwareStatement, configuration: configuration)
    }

    /// The same, with a check of the store before anything else (access-enabler 11.11).
    public init(
        storageCheck: IntegrityCheckType, softwareStatement: String, configuration: Configuration = .init()
    ) {
        self.init(
            credentials: .softwareStatement(softwareStatement), configuration: configuration, storageCheck: storageCheck
        )
    }

    /// For an application that proves itself otherwise; see ``Credentials``.
    /// - Parameter credentials: without any, every `setRequestor` fails with `R400`.
    public init(
        credentials: Credentials?, configuration: Configuration, storageCheck: IntegrityCheckType = .none
    ) {
        self.settings = configuration
        self.credentials = credentials
        self.logger = configuration.usedLogger
        self.deviceInformation = configuration.clientInformation.encoded(
            completedBy: BoxFacts(root: configuration.systemRoot), applicationID: configuration.applicationID)
        self.reporter = Reporter(dispatcher: configuration.callbackDispatcher, logger: self.logger)
        let client = configuration.transport == nil ? HTTPClient(configuration.clientConfiguration) : nil
        self.client = client
        self.transport = configuration.transport ?? client ?? HTTPClient()
        self.vault = TokenVault(
            store: configuration.store, scope: configuration.deviceScope, now: { configuration.clock.now },
            whenReplaced: configuration.storeSetAside ?? { _ in })
        self.tracking = TrackingData(hardware: configuration.clientInformation.primaryHardwareType)
        let (mailbox, reporter, vault) = (self.mailbox, self.reporter, self.vault)
        // The one task that is not somebody's child: an object that answers calls has nobody to be awaited by. It ends
        // with the object, whose deinit closes the mailbox.
        Task { [weak self] in
            await withDiscardingTaskGroup { group in
                group.addTask { await reporter.run() }
                await vault.check(storageCheck)
                if let work = await self?.followBoxAccount() { group.addTask { await work() } }
                for await letter in mailbox.letters {
                    guard let work = await self?.take(letter) else { continue }
                    group.addTask { await work() }
                }
                reporter.close()
                group.cancelAll()
            }
        }
    }

    deinit { self.mailbox.close() }

    /// Every report of the library, in order, from now on; any number of subscribers.
    public nonisolated var events: AsyncStream<EntitlementEvent> { self.reporter.events }

    /// Who hears of the flows; kept weakly.
    public nonisolated func setDelegate(_ delegate: (any EntitlementDelegate)?) { self.reporter.setDelegate(delegate) }

    /// Who hears of advanced status reports; kept weakly.
    public nonisolated func setStatusDelegate(_ delegate: (any EntitlementStatus)?) {
        self.reporter.setStatusDelegate(delegate)
    }

    /// Ends what is under way, and closes connections. A program calls this before it exits; nothing works after it.
    public func shutDown() async {
        self.mailbox.close()
        self.login.cancellation.cancel()
        await self.client?.shutDown()
    }

    /// The server at `url`, with the application's registration there.
    func service(_ url: ServiceProviderURL) -> ServiceAccess {
        if let known = self.services[url] { return known }
        let backend = ServiceBackend(
            url, transport: self.transport, clock: self.settings.clock, randomness: self.settings.randomness)
        let access = ServiceAccess(url, backend: backend, credentials: self.credentials, vault: self.vault)
        self.services[url] = access
        return access
    }

    /// What this device is called (access-enabler 12.4).
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

    /// What stands for this machine. A salt that was used once stays in force, also when the machine has got an ID since
    /// and in the store of a vendor group: another device ID would end every sign-in.
    private func machineID() async throws(EntitlementError) -> String {
        let image = try await self.vault.image()
        if let salt = image.machineSalt { return salt }
        var salt: String?
        // A vendor's store that is new: what the application used before may have a salt.
        if image.scopes.isEmpty, image.registrations.isEmpty, let former = await self.settings.formerStore?.bytes() {
            salt = StoreImage(reading: former, scope: self.settings.deviceScope)?.machineSalt
        }
        if salt == nil, let text = DeviceIdentity.fileText(self.settings.machineIDFile),
            let found = DeviceIdentity.machineID(in: text)
        {
            return found
        }
        // Where the machine has none, one of our own.
        let fresh = salt ?? self.settings.randomness.bytes(16).hexString
        return try await self.vault.update { image in
            let salt = image.machineSalt ?? fresh
            image.machineSalt = salt
            return salt
        }
    }

    func report(_ event: EntitlementEvent) { self.reporter.report(event) }

    func report(_ status: AdvancedStatus) { self.reporter.report(.status(status)) }
}
