import AccessEnabler
import FoundationEssentials
import Observability
import TestSupport
import Testing

/// A box with a machine ID and a store of its own, and applications on it.
struct TestBox {
    static let machineID = "0123456789abcdef0123456789abcdef"
    static let requestor = "NORTHSPORT"

    let folder: TemporaryFolder
    let clock = ManualClock()

    init() throws {
        self.folder = try TemporaryFolder()
        try self.folder.write(Self.machineID + "\n", to: "machine-id")
    }

    var storePath: String { self.folder.file("state/store.json") }

    func configuration(_ service: ScriptedService) throws -> AccessEnabler.Configuration {
        var configuration = AccessEnabler.Configuration(
            environment: .custom(try #require(URL(string: service.url))), applicationID: "com.example.player")
        configuration.machineIDFile = self.folder.file("machine-id")
        configuration.tokenStore = AccessEnabler.PrivateFileStore(path: self.storePath)
        configuration.clock = self.clock
        configuration.randomness = CountingRandomness()
        configuration.logger = .silent
        // No fact of the machine that runs the tests.
        configuration.systemRoot = self.folder.path
        configuration.callbackDispatcher = AccessEnabler.InlineDispatcher()
        configuration.repetitionPauses = [.zero, .zero]
        // A machine that is busy with other tests is not a slow server.
        configuration.serviceProviderTimeout = .seconds(60)
        return configuration
    }

    /// An application that is being made, and has not named a requestor.
    func start(
        _ service: ScriptedService, statement: String = "a.b.c", check: AccessEnabler.IntegrityCheckType = .none,
        _ change: (inout AccessEnabler.Configuration) -> Void = { _ in }
    ) throws -> TestApplication {
        var configuration = try self.configuration(service)
        change(&configuration)
        let enabler = AccessEnabler(storageCheck: check, softwareStatement: statement, configuration: configuration)
        return TestApplication(enabler: enabler, box: self)
    }

    func application(
        _ service: ScriptedService, requestor: String = Self.requestor,
        _ change: (inout AccessEnabler.Configuration) -> Void = { _ in }
    ) async throws -> TestApplication {
        let application = try self.start(service, change)
        try await application.enabler.configure(requestorID: requestor)
        return application
    }

    /// An application that is signed in at a provider, over the second screen.
    func signedIn(
        _ service: ScriptedService, provider: String = "CableNova", requestor: String = Self.requestor,
        _ change: (inout AccessEnabler.Configuration) -> Void = { _ in }
    ) async throws -> TestApplication {
        let application = try await self.application(service, requestor: requestor, change)
        try await application.signIn(service, provider: provider)
        return application
    }
}

/// The library in an application's hands, with its delegates.
struct TestApplication {
    let enabler: AccessEnabler
    let recorder = Recorder()
    /// Its folder lives as long as somebody uses it.
    let box: TestBox?

    init(enabler: AccessEnabler, box: TestBox? = nil) {
        self.enabler = enabler
        self.box = box
        enabler.setDelegate(self.recorder)
        enabler.setStatusDelegate(self.recorder)
        LentBox.current?.keep(enabler)
    }

    /// Signs in over the second screen.
    /// - Parameter force: also when somebody is signed in already, such as through another application of the box.
    func signIn(_ service: ScriptedService, provider: String = "CableNova", force: Bool = false) async throws {
        await self.enabler.selectProvider(provider)
        let codes = self.recorder.statuses("REGCODE").count
        async let outcome = self.enabler.authenticate(force: force)
        await self.recorder.wait(for: "REGCODE", count: codes + 1)
        service.confirm(provider: provider)
        let end = await outcome
        try #require(end == .authenticated(mvpdID: provider), "\(self.recorder.everything)")
    }

    /// Returns when the library has looked at every call so far, whether or not it may do it yet, and has delivered
    /// what it reported.
    func taken() async { _ = await self.enabler.completeNavigation("nothing:") }

    /// Returns when everything asked so far was done, and its callbacks delivered.
    func settle() async { _ = await self.enabler.selectedProvider() }
}

extension TestApplication {
    /// Why an authorization gave no token; none when it gave one.
    func failure(of resource: String, authenticateIfNeeded: Bool = false) async -> AccessEnabler.AuthorizationFailure? {
        await thrown { () async throws(AccessEnabler.AuthorizationFailure) in
            try await self.enabler.authorize(resource, authenticateIfNeeded: authenticateIfNeeded)
        }
    }
}
