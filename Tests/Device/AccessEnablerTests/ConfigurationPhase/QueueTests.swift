import AccessEnabler
import AccessEnablerConstants
import TestSupport
import Testing

@Suite("Calls during the configuration phase", .box, .timeLimit(.minutes(5)))
struct QueueTests {
    private static let configuration = "/api/v1/config/"
    private static let complete = "setRequestorComplete"

    /// An application on a box with somebody signed in, whose phase is held at the server.
    private func held(isSignedIn: Bool = true) async throws -> (TestApplication, HeldRequest) {
        if isSignedIn { _ = try await box.signedIn(service) }
        return try await box.configuring(service)
    }

    /// Makes a call during the phase. - Returns: the callbacks, and the paths of the requests after the configuration's.
    private func during(
        isSignedIn: Bool = true, _ call: (AccessEnabler) -> Void
    ) async throws -> (callbacks: [Callback], requests: [String]) {
        let (application, held) = try await self.held(isSignedIn: isSignedIn)
        call(application.enabler)
        await application.taken()
        let requests = service.requests.count
        #expect(application.recorder.everything == [])
        #expect(service.requests.last?.path.hasPrefix(Self.configuration) == true)
        held.open()
        await application.settle()
        await application.enabler.shutDown()
        return (application.recorder.callbacks.dropLast(), service.requests.dropFirst(requests).map(\.path))
    }

    @Test("T-059 checkAuthentication issued during the phase is answered after setRequestorComplete")
    func check() async throws {
        let (callbacks, _) = try await self.during { $0.checkAuthentication() }
        #expect(callbacks == [.configured, .authenticated])
    }

    @Test("T-060 getAuthentication issued during the phase shows no picker before setRequestorComplete")
    func picker() async throws {
        let (callbacks, _) = try await self.during(isSignedIn: false) { $0.getAuthentication() }
        #expect(callbacks == [.configured, Callback("displayProviderDialog", "CableNova,SatOne")])
    }

    @Test(
        "T-061 T-062 an authorization issued during the phase sends no request before setRequestorComplete",
        arguments: [false, true])
    func authorization(startsLogin: Bool) async throws {
        let (callbacks, requests) = try await self.during {
            if startsLogin { $0.getAuthorization("r") } else { $0.checkAuthorization("r") }
        }
        #expect(requests == ["/adobe-services/authorize", "/adobe-services/shortAuthorize"])
        #expect(callbacks.map(\.name) == [Self.complete, "setToken"])
    }

    @Test("T-063 checkPreauthorizedResources issued during the phase sends no request before setRequestorComplete")
    func preauthorized() async throws {
        let (callbacks, requests) = try await self.during { $0.checkPreauthorizedResources(["r"]) }
        #expect(requests == ["/adobe-services/preauthorize"])
        #expect(callbacks == [.configured, Callback("preauthorizedResources", "r")])
    }

    @Test func `T-064 getMetadata issued during the phase is answered after setRequestorComplete`() async throws {
        let (callbacks, _) = try await self.during {
            $0.getMetadata([METADATA_OPCODE_KEY: .opcode(METADATA_AUTHENTICATION)])
        }
        #expect(callbacks == [.configured, Callback("setMetadataStatus", "\(METADATA_AUTHENTICATION)")])
    }

    @Test func `T-065 logout issued during the phase clears nothing before setRequestorComplete`() async throws {
        let (application, held) = try await self.held()
        application.enabler.logout()
        await application.taken()
        #expect(try box.folder.read("state/store.json").contains("simpleAuthenticationToken"))
        held.open()
        await application.settle()
        #expect(try !box.folder.read("state/store.json").contains("simpleAuthenticationToken"))
        #expect(
            application.recorder.callbacks.prefix(2) == [.configured, .notAuthenticated(USER_NOT_AUTHENTICATED_ERROR)])
    }

    @Test func `getSelectedProvider and setSelectedProvider wait for the phase as well`() async throws {
        let (callbacks, _) = try await self.during {
            $0.getSelectedProvider()
            $0.setSelectedProvider(nil)
        }
        #expect(
            callbacks == [
                .configured, Callback("selectedProvider", "CableNova"), .notAuthenticated(PROVIDER_NOT_SELECTED_ERROR),
            ])
    }

    @Test func `T-066 queued calls run in the order in which they were made`() async throws {
        let (callbacks, _) = try await self.during { enabler in
            enabler.checkPreauthorizedResources(["a"])
            enabler.checkAuthentication()
            enabler.checkAuthorization("r")
            enabler.getSelectedProvider()
            enabler.getMetadata([METADATA_OPCODE_KEY: .opcode(METADATA_DEVICE_ID)])
            enabler.checkPreauthorizedResources(["b"])
            enabler.logout()
            enabler.checkAuthentication()
            enabler.getSelectedProvider()
        }
        let expected = [
            Self.complete, "preauthorizedResources a", "setAuthenticationStatus 1", "setToken",
            "selectedProvider CableNova", "setMetadataStatus 2", "preauthorizedResources b",
            "setAuthenticationStatus 0", "setAuthenticationStatus 0", "selectedProvider nil",
        ]
        let seen = callbacks.map { callback in
            switch callback.name {
            case Self.complete, "setToken": callback.name
            default: "\(callback.name) \(callback.arguments[0])"
            }
        }
        #expect(seen == expected)
    }

    @Test(.signedIn) func `calls that need no server keep their place behind one that does`() async throws {
        let held = service.hold("/adobe-services/authorize")
        let before = application.recorder.callbacks.count
        application.enabler.checkAuthorization("r")
        await held.reached()
        application.enabler.checkAuthentication()
        application.enabler.getSelectedProvider()
        await application.taken()
        #expect(application.recorder.callbacks.count == before)
        held.open()
        await application.settle()
        let names = application.recorder.callbacks.dropFirst(before).map(\.name)
        #expect(names == ["setToken", "setAuthenticationStatus", "selectedProvider", "selectedProvider"])
    }

    @Test func `T-067 calls made before any setRequestor are answered after the first successful one`() async throws {
        _ = try await box.signedIn(service)
        let requests = service.requests.count
        let application = try box.start(service)
        application.enabler.checkAuthorization("r")
        application.enabler.checkAuthentication()
        application.enabler.getSelectedProvider()
        await application.taken()
        #expect(application.recorder.everything == [] && service.requests.count == requests)
        application.enabler.setRequestor(TestBox.requestor)
        await application.recorder.wait(for: "selectedProvider")
        let names = application.recorder.callbacks.map(\.name)
        #expect(names == [Self.complete, "setToken", "setAuthenticationStatus", "selectedProvider"])
    }
}
