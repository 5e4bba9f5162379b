import AccessEnabler
import AccessEnablerConstants
import TestSupport
import Testing

@Suite("Callbacks and calls", .box, .timeLimit(.minutes(5)))
struct CallbackTests {
    @Test func `T-326 callbacks never overlap in time`() async throws {
        let dispatcher = UnhurriedDispatcher()
        let application = try await box.signedIn(service) { $0.callbackDispatcher = dispatcher }
        await withTaskGroup { group in
            for number in 0..<10 {
                group.addTask { _ = await application.enabler.authenticationStatus() }
                group.addTask { _ = try? await application.enabler.authorize("r\(number)") }
                group.addTask { _ = await application.enabler.preauthorize(PreauthorizeRequest(resources: ["r"])) }
                group.addTask { _ = await application.enabler.selectedProvider() }
            }
        }
        #expect(dispatcher.overlaps == 0 && application.recorder.overlaps == 0)
        #expect(dispatcher.delivered >= 40)
    }

    @Test func `T-327 an async call resumes after the terminal callback was delivered`() async throws {
        let application = try box.start(service) { $0.callbackDispatcher = UnhurriedDispatcher() }
        let (enabler, recorder) = (application.enabler, application.recorder)
        try await enabler.configure(requestorID: TestBox.requestor)
        #expect(recorder.everything.last == .configured)
        _ = await enabler.authenticationStatus()
        #expect(recorder.everything.last == .notAuthenticated(USER_NOT_AUTHENTICATED_ERROR))
        try await application.signIn(service)
        #expect(recorder.everything.last == .authenticated)
        _ = try await enabler.authorize("r")
        #expect(recorder.everything.last?.name == "setToken")
        _ = await enabler.preauthorizedResources(among: ["r"])
        #expect(recorder.everything.last == Callback("preauthorizedResources", "r"))
        _ = await enabler.selectedProvider()
        #expect(recorder.everything.last == Callback("selectedProvider", "CableNova"))
        _ = await enabler.metadata(.authenticationExpiry)
        #expect(recorder.everything.last?.name == "setMetadataStatus")
        await enabler.selectProvider(nil)
        #expect(recorder.everything.last == .notAuthenticated(PROVIDER_NOT_SELECTED_ERROR))
        _ = await enabler.signOut()
        #expect(recorder.everything.last == .notAuthenticated(USER_NOT_AUTHENTICATED_ERROR))
        await #expect(throws: AccessEnabler.AuthorizationFailure.self) { try await enabler.authorize("r") }
        #expect(recorder.everything.last?.name == "tokenRequestFailed")
        await #expect(throws: AccessEnabler.ConfigurationFailure.self) {
            try await enabler.configure(requestorID: "NOBODY")
        }
        #expect(recorder.everything.last == .notConfigured)
    }

    @Test func `T-328 async calls work without a delegate`() async throws {
        let enabler = try box.start(service).enabler
        enabler.setDelegate(nil)
        enabler.setStatusDelegate(nil)
        try await enabler.configure(requestorID: TestBox.requestor)
        #expect(await enabler.authenticationStatus() == nobody)
        await enabler.selectProvider("CableNova")
        let events = enabler.events
        async let outcome = enabler.authenticate()
        for await event in events {
            if case .registrationCode = event { break }
        }
        service.confirm()
        #expect(await outcome == .authenticated(mvpdID: "CableNova"))
        #expect(try await enabler.authorize("r").resource == "r")
        #expect(await enabler.preauthorizedResources(among: ["r"]) == ["r"])
        #expect(await enabler.preauthorize(PreauthorizeRequest(resources: ["r"])).decisions.map(\.id) == ["r"])
        #expect(await enabler.selectedProvider()?.id == "CableNova")
        #expect(await enabler.metadata(.user(name: "householdID")).value == .string("3456"))
        #expect(await enabler.signOut().requiresSystemSignOut == false)
    }

    @Test func `T-329 the library does not keep the delegate alive`() async throws {
        let enabler = try box.start(service).enabler
        weak var gone: Recorder?
        do {
            let delegate = Recorder()
            gone = delegate
            enabler.setDelegate(delegate)
            enabler.setStatusDelegate(delegate)
            try await enabler.configure(requestorID: TestBox.requestor)
            _ = await enabler.authenticationStatus()
            #expect(delegate.callbacks.count == 2 && delegate.codes == ["N000"])
        }
        #expect(gone == nil)
        // And it goes on without.
        #expect(await enabler.authenticationStatus() == nobody)
    }

    @Test func `T-331 a slow backend does not block the calling thread`() async throws {
        let held = service.hold("/o/client/register")
        let application = try box.start(service)
        let enabler = application.enabler
        enabler.setRequestor(TestBox.requestor)
        await held.reached()
        enabler.setOptions(["visitorID": .string("1")])
        enabler.checkAuthentication()
        enabler.setSelectedProvider("CableNova")
        enabler.getAuthentication()
        enabler.checkAuthorization("r")
        enabler.getAuthorization("r")
        enabler.checkPreauthorizedResources(["r"])
        enabler.preauthorize(
            PreauthorizeRequest(resources: ["r"]),
            didCompleteWith: AccessEnablerCallback(onResponse: { _ in }, onFailure: { _ in }))
        enabler.getMetadata([METADATA_OPCODE_KEY: .opcode(METADATA_DEVICE_ID)])
        enabler.getSelectedProvider()
        enabler.handleExternalURL(ADOBEPASS_REDIRECT_URL)
        enabler.logout()
        enabler.resynchronize()
        // All of them came back while the server still thinks.
        #expect(held.isHeld && application.recorder.everything == [])
        held.open()
        await application.recorder.wait(for: "setRequestorComplete", count: 2)
    }

    @Test(.started) func `T-332 two subscribers of events both see every event`() async throws {
        let streams = [application.enabler.events, application.enabler.events]
        try await application.enabler.configure(requestorID: TestBox.requestor)
        try await application.signIn(service)
        _ = try await application.enabler.authorize("r")
        _ = await application.enabler.selectedProvider()
        var seen: [[String]] = []
        for stream in streams {
            var names: [String] = []
            for await event in stream {
                names.append(Self.name(of: event))
                if case .selectedProvider = event { break }
            }
            seen.append(names)
        }
        let delivered = application.recorder.everything.map(\.name)
        #expect(seen[0] == seen[1])
        // The code is one event more than its status.
        #expect(seen[0].filter { $0 != "registrationCode" } == delivered)
        #expect(seen[0].count { $0 == "registrationCode" } == 1)
    }

    private static func name(of event: EntitlementEvent) -> String {
        switch event {
        case .requestorComplete: "setRequestorComplete"
        case .authenticationStatus: "setAuthenticationStatus"
        case .providerDialog: "displayProviderDialog"
        case .navigate: "navigateToUrl"
        case .registrationCode: "registrationCode"
        case .preauthorizedResources: "preauthorizedResources"
        case .token: "setToken"
        case .tokenRequestFailed: "tokenRequestFailed"
        case .selectedProvider: "selectedProvider"
        case .presentTvProviderDialog: "presentTvProviderDialog"
        case .dismissTvProviderDialog: "dismissTvProviderDialog"
        case .metadata: "setMetadataStatus"
        case .tracking: "sendTrackingData"
        case .status: "status"
        }
    }

    @Test(.configured) func `calls of one thread are taken in the order in which they were made`() async throws {
        for number in 0..<200 {
            application.enabler.getMetadata([METADATA_OPCODE_KEY: .opcode(number)])
            if number.isMultiple(of: 3) { application.enabler.getSelectedProvider() }
        }
        await application.settle()
        let expected = (0..<200).flatMap { number in
            [Callback("setMetadataStatus", "\(number)")]
                + (number.isMultiple(of: 3) ? [Callback("selectedProvider", "nil")] : [])
        }
        #expect(Array(application.recorder.callbacks.dropFirst().dropLast()) == expected)
    }
}
