import Clientless
import Cryptography
import HTTPClient

/// Pairs a box with its viewer's TV provider, and gets media tokens for it.
///
/// Everything it knows lives in the actor and in its state file. Any task may call any method; several at once share
/// what is under way on the server, not on the box.
public actor AccessEnabler {
    let configuration: Configuration
    let credentials: Credentials
    let backend: any EntitlementBackend
    let store: StateStore
    let hub = EventHub()
    private let client: HTTPClient?
    private(set) var requestor: RequestorID?
    private var deviceID: DeviceID?
    /// The access token in use; the state file is read again only when it is refused or over.
    var accessToken: AccessToken?

    /// Works for the application the software statement belongs to (access-enabler 5).
    public init(softwareStatement: String, configuration: Configuration) {
        let statement = softwareStatement.filter { !$0.isWhitespace }
        self.init(credentials: .softwareStatement(Secret(statement)), configuration: configuration)
    }

    package init(
        credentials: Credentials, configuration: Configuration,
        whenStateSetAside: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.credentials = credentials
        let client = configuration.transport == nil ? HTTPClient() : nil
        self.client = client
        self.backend = RESTv1Backend(
            base: configuration.environment.base, clientInformation: configuration.clientInformation,
            transport: configuration.transport ?? client ?? HTTPClient(), clock: configuration.clock,
            randomness: configuration.randomness)
        self.store = StateStore(path: configuration.stateFile, whenSetAside: whenStateSetAside)
    }

    /// Every report of the library, in order, from now on; any number of subscribers.
    public nonisolated var events: AsyncStream<EntitlementEvent> { self.hub.subscribe() }

    /// Names the channel brand that everything after this is for.
    /// - Throws: ``ConfigurationFailure`` with `CFG400` for an ID that cannot be one.
    public func configure(requestorID: String) async throws(ConfigurationFailure) {
        guard let requestor = RequestorID(requestorID) else {
            let status = AdvancedStatus("CFG400", .error, message: "This is not a requestor ID.")
            self.hub.send(.status(status))
            self.hub.send(.requestorComplete(.error))
            throw ConfigurationFailure(status: status)
        }
        self.requestor = requestor
        self.hub.send(.requestorComplete(.success))
    }

    /// Closes connections. A program calls this before it exits.
    package func shutDown() async {
        await self.client?.shutDown()
    }

    /// What the server's calls are made for.
    func identity() async throws(EntitlementError) -> (requestor: RequestorID, deviceID: DeviceID) {
        guard let requestor = self.requestor else { throw EntitlementError(.notConfigured) }
        if let deviceID = self.deviceID { return (requestor, deviceID) }
        let machineID = try await self.machineID()
        let deviceID = DeviceIdentity.deviceID(machineID: machineID, scope: self.configuration.deviceScope)
        self.deviceID = deviceID
        return (requestor, deviceID)
    }

    /// The system's machine ID; where there is none, one of our own that is kept in the state file.
    private func machineID() async throws(EntitlementError) -> String {
        if let bytes = try? StateFile(path: self.configuration.machineIDFile).read(),
            let machineID = DeviceIdentity.machineID(in: String(decoding: bytes, as: UTF8.self))
        {
            return machineID
        }
        let fresh = self.configuration.randomness.bytes(16).hexString
        return try await self.store.update { state in
            let machineID = state.machineSalt ?? fresh
            state.machineSalt = machineID
            return machineID
        }
    }
}
