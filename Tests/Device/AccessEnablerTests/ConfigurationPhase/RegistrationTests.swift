import AccessEnabler
import TestSupport
import Testing

@Suite("Registration of the application", .box, .timeLimit(.minutes(5)))
struct RegistrationTests {
    private static let register = "/o/client/register"
    private static let token = "/o/client/token"
    private static let authorize = "/adobe-services/authorize"
    private static let invalidClient = ScriptedServer.Answer.response(400, body: #"{"error":"invalid_client"}"#)

    @Test(arguments: [AccessEnabler.IntegrityCheckType.none, .all, .clear])
    func `T-013 the constructor makes no network call`(check: AccessEnabler.IntegrityCheckType) async throws {
        let application = try box.start(service, check: check)
        await application.taken()
        #expect(service.requests.isEmpty)
        try await application.enabler.configure(requestorID: TestBox.requestor)
        #expect(!service.requests.isEmpty)
    }

    @Test func `T-014 init without a software statement followed by setRequestor reports R400`() async throws {
        let application = try box.start(service, statement: "")
        application.enabler.setRequestor(TestBox.requestor)
        await application.recorder.wait(for: "setRequestorComplete")
        #expect(application.recorder.codes == ["R400"])
        #expect(application.recorder.callbacks == [.notConfigured])
        #expect(service.requests.isEmpty)
    }

    @Test func `T-014 the deprecated init has no software statement either`() async throws {
        let former: any FormerConstruction = FormerCalls()
        let recorder = Recorder()
        let enabler = former.makeEnabler()
        enabler.setDelegate(recorder)
        enabler.setStatusDelegate(recorder)
        enabler.setRequestor(TestBox.requestor, serviceProviders: [service.url])
        await recorder.wait(for: "setRequestorComplete")
        #expect(recorder.codes == ["R400"] && recorder.callbacks == [.notConfigured])
    }

    @Test func `T-015 the registration request contains the software statement`() async throws {
        let application = try box.start(service, statement: "header.claims.signature")
        try await application.enabler.configure(requestorID: TestBox.requestor)
        let request = try #require(service.last(Self.register))
        #expect(request.text == #"{"software_statement":"header.claims.signature"}"#)
    }

    @Test(.signedIn) func `T-016 every backend call after registration carries the bearer access token`() async throws {
        _ = try await application.enabler.authorize("r")
        _ = await application.enabler.preauthorizedResources(among: ["r", "s"])
        _ = await application.enabler.signOut()
        application.enabler.setSelectedProvider("SatOne")
        application.enabler.getAuthentication()
        await application.recorder.wait(for: "REGCODE", count: 2)
        _ = await application.enabler.signOut()
        let calls = service.requests.filter { !$0.path.hasPrefix("/o/client/") }
        let kinds = Set(calls.map { $0.path.split(separator: "/")[$0.path.hasPrefix("/adobe") ? 1 : 2] })
        #expect(kinds.isSuperset(of: ["config", "session", "authorize", "shortAuthorize", "preauthorize", "logout"]))
        #expect(calls.contains { $0.method == "DELETE" } && calls.contains { $0.path.hasSuffix("/regcode") })
        #expect(calls.allSatisfy { $0.headers["authorization"] == "Bearer token-1" })
    }

    @Test func `T-017 after a restart the application is not registered a second time`() async throws {
        _ = try await box.application(service)
        let restarted = try await box.application(service)
        #expect(restarted.recorder.callbacks == [.configured])
        #expect(service.count(of: Self.register) == 1)
        // Another statement is another application.
        let other = try box.start(service, statement: "d.e.f")
        try await other.enabler.configure(requestorID: TestBox.requestor)
        #expect(service.count(of: Self.register) == 2)
    }

    @Test(.signedIn) func `T-018 an expired access token is renewed without a new registration`() async throws {
        box.clock.advance(by: .seconds(21_600))
        _ = try await application.enabler.authorize("r")
        #expect(service.last(Self.authorize)?.headers["authorization"] == "Bearer token-2")
        #expect(service.count(of: Self.register) == 1 && service.count(of: Self.token) == 2)
        #expect(service.last(Self.token)?.form["client_id"] == "client-1")
    }

    @Test("T-019 an invalid_client answer to a renewal leads to exactly one new registration", .signedIn)
    func unknownClientAtRenewal() async throws {
        box.clock.advance(by: .seconds(21_600))
        service.answer(Self.token, with: Self.invalidClient)
        _ = try await application.enabler.authorize("r")
        #expect(service.count(of: Self.register) == 2)
    }

    @Test("T-019 a client that is never accepted is registered once more, not again and again", .signedIn)
    func neverKnown() async throws {
        box.clock.advance(by: .seconds(21_600))
        service.answer(Self.token, with: Self.invalidClient, times: 9)
        await #expect(throws: AccessEnabler.AuthorizationFailure.self) { try await application.enabler.authorize("r") }
        #expect(service.count(of: Self.register) == 2)
    }

    @Test("T-019 two calls that are refused at the same moment lead to one new registration", .signedIn)
    func unknownClientTwice() async throws {
        let refusal = ScriptedServer.Answer.response(403, body: #"{"error":"invalid_client"}"#)
        service.answer(Self.authorize, with: refusal)
        service.answer("/adobe-services/preauthorize", with: refusal)
        let held = [service.hold(Self.authorize), service.hold("/adobe-services/preauthorize")]
        let request = PreauthorizeRequest.Builder().setResources(resources: ["r"]).build()
        async let token = application.enabler.authorize("r")
        async let response = application.enabler.preauthorize(request)
        for request in held { await request.reached() }
        for request in held { request.open() }
        _ = try await token
        #expect(await response.decisions.map(\.authorized) == [true])
        #expect(service.count(of: Self.register) == 2, "\(service.calls)")
    }

    @Test("T-020 a call refused as unauthorized is repeated once with a new access token", .signedIn)
    func unauthorized() async throws {
        service.answer(Self.authorize, with: .response(401))
        _ = try await application.enabler.authorize("r")
        let tokens = service.requests.filter { $0.path == Self.authorize }.map { $0.headers["authorization"] }
        #expect(tokens == ["Bearer token-1", "Bearer token-2"])
        #expect(service.count(of: Self.register) == 1)
    }

    @Test(.signedIn) func `T-020 a call refused again is not repeated again`() async throws {
        service.answer(Self.authorize, with: .response(401), times: 9)
        await #expect(throws: AccessEnabler.AuthorizationFailure.self) { try await application.enabler.authorize("r") }
        #expect(service.count(of: Self.authorize) == 2)
    }

    @Test(
        "T-021 T-022 T-023 a revoked statement reports R400, a failing token endpoint R401; setRequestorComplete is ERROR",
        arguments: [
            (Self.register, 400, #"{"error":"unapproved_software_statement"}"#),
            (Self.register, 401, #"{"error":"unapproved_software_statement"}"#),
            (Self.register, 403, #"{"error":"unapproved_software_statement"}"#), (Self.token, 500, ""),
            (Self.token, 400, #"{"error":"unauthorized_client"}"#), (Self.token, 401, ""), (Self.token, 403, ""),
            (Self.token, 200, "{}"),
        ])
    func refused(path: String, status: Int, body: String) async throws {
        service.answer(path, with: .response(status, body: body), times: 9)
        let application = try box.start(service)
        application.enabler.setRequestor(TestBox.requestor)
        await application.recorder.wait(for: "setRequestorComplete")
        let code = path == Self.register ? "R400" : "R401"
        #expect(application.recorder.statuses.map { [$0["errorId"], $0["level"]] } == [[code, "error"]])
        #expect(application.recorder.callbacks == [.notConfigured])
        #expect(path == Self.token || service.calls == ["POST /o/client/register"])
    }

    @Test("an application whose store takes nothing registers once, and keeps that registration when it can")
    func registeredOnce() async throws {
        let store = SpiedStore()
        store.refuse()
        let application = try box.start(service) { $0.tokenStore = store }
        for _ in 0..<3 {
            let failure = await #expect(throws: AccessEnabler.ConfigurationFailure.self) {
                try await application.enabler.configure(requestorID: TestBox.requestor)
            }
            #expect(failure?.status?.code == .internalError)
        }
        #expect(service.count(of: Self.register) == 1)
        store.accept()
        try await application.enabler.configure(requestorID: TestBox.requestor)
        await application.enabler.shutDown()
        let again = try await box.application(service) { $0.tokenStore = store }
        await again.enabler.shutDown()
        #expect(service.count(of: Self.register) == 1)
    }

    @Test("an application whose store takes nothing goes on with a new access token")
    func unkeptToken() async throws {
        let store = SpiedStore()
        let application = try await box.application(service) { $0.tokenStore = store }
        store.refuse()
        box.clock.advance(by: .seconds(21_600))
        try await application.enabler.configure(requestorID: TestBox.requestor)
        #expect(service.count(of: Self.token) == 2)
        await application.enabler.shutDown()
    }
}
