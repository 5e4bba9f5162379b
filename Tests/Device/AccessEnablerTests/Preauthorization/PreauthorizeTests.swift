import AccessEnabler
import TestSupport
import Testing

@Suite("preauthorize", .box, .timeLimit(.minutes(5)))
struct PreauthorizeTests {
    private let path = "/adobe-services/preauthorize"

    private struct Answer: Sendable {
        let isFailure: Bool
        let response: PreauthorizeResponse
    }

    private func ask(_ application: TestApplication, _ request: PreauthorizeRequest) async throws -> Answer {
        let answers = Signal<Answer>()
        application.enabler.preauthorize(
            request,
            didCompleteWith: AccessEnablerCallback(
                onResponse: { answers.send(Answer(isFailure: false, response: $0)) },
                onFailure: { answers.send(Answer(isFailure: true, response: $0)) }))
        return try #require(await answers.next())
    }

    /// The failure of one question, as its code, status and action.
    private func expectFailure(_ application: TestApplication, _ code: String, action: String) async throws {
        let answer = try await self.ask(application, PreauthorizeRequest(resources: ["a"]))
        #expect(answer.isFailure && answer.response.decisions.isEmpty)
        #expect(answer.response.status?.code == code && answer.response.status?.status == 0)
        #expect(answer.response.status?.action == action)
    }

    @Test func `T-235 preauthorize returns one decision per resource`() async throws {
        let application = try await box.signedIn(service.set { $0.permitted = ["b"] })
        let answer = try await self.ask(application, PreauthorizeRequest(resources: ["c", "b", "a"]))
        #expect(!answer.isFailure && answer.response.status == nil)
        #expect(answer.response.decisions.map(\.id) == ["c", "b", "a"])
        #expect(answer.response.decisions.map(\.authorized) == [false, true, false])
        #expect(
            answer.response.decisions.map { $0.error?.code } == [
                "authorization_denied_by_mvpd", nil, "authorization_denied_by_mvpd",
            ])
    }

    @Test(.signedIn) func `T-236 Disabling LOCAL_CACHE makes a server call`() async throws {
        let builder = PreauthorizeRequest.Builder().setResources(resources: ["a"])
        _ = try await self.ask(application, builder.build())
        _ = try await self.ask(application, builder.build())
        #expect(service.count(of: self.path) == 1)
        _ = try await self.ask(application, builder.disableFeatures(features: [.localCache]).build())
        #expect(service.count(of: self.path) == 2)
        #expect(service.last(self.path)?.form["cache"] == "true")
    }

    @Test(.signedIn) func `T-237 Disabling REMOTE_CACHE is visible in the request`() async throws {
        _ = try await self.ask(application, PreauthorizeRequest(resources: ["a"]))
        #expect(service.last(self.path)?.form["cache"] == "true")
        _ = try await self.ask(application, PreauthorizeRequest(resources: ["b"], disabledFeatures: [.remoteCache]))
        #expect(service.last(self.path)?.form["cache"] == "false")
    }

    @Test func `T-238 With an expired session onFailure carries authentication_session_expired`() async throws {
        let application = try await box.signedIn(service.set { $0.tokenExpires = "2027/01/15 09:00:00 GMT +0000" })
        box.clock.advance(by: .seconds(3600))
        try await self.expectFailure(application, "authentication_session_expired", action: "authentication")
    }

    @Test("T-238 With a session the backend calls expired onFailure carries authentication_session_expired", .signedIn)
    func expiredThere() async throws {
        service.answer(self.path, with: .response(410, body: "<error><code>N130</code></error>"))
        try await self.expectFailure(application, "authentication_session_expired", action: "authentication")
    }

    @Test(.configured) func `T-239 Without a session onFailure carries authentication_session_missing`() async throws {
        try await self.expectFailure(application, "authentication_session_missing", action: "authentication")
    }

    @Test(.signedIn) func `T-240 A transport failure carries network_error`() async throws {
        service.answer(self.path, with: .close, times: 20)
        try await self.expectFailure(application, "network_error", action: "none")
    }

    @Test(.signedIn, arguments: ["{", "", #"{"resources":[{"id":1}]}"#, "<result/>", "hello"])
    func `T-241 An unreadable answer carries server_response_format_unknown`(body: String) async throws {
        service.answer(self.path, with: .response(200, body: body))
        try await self.expectFailure(application, "server_response_format_unknown", action: "none")
    }

    @Test func `T-242 build() returns a new request each time`() {
        let builder = PreauthorizeRequest.Builder()
            .setResources(resources: ["a"]).disableFeatures(features: [.localCache])
        let first = builder.build()
        let second = builder.build()
        builder.setResources(resources: ["b"]).disableFeatures(features: [])
        let third = builder.build()
        #expect(first == second && first.resources == ["a"] && first.disabledFeatures == [.localCache])
        #expect(third.resources == ["b"] && third.disabledFeatures.isEmpty)
    }

    @Test(.started) func `Without a configuration onFailure carries requestor_not_configured, at once`() async throws {
        try await self.expectFailure(application, "requestor_not_configured", action: "retry")
    }

    @Test(.signedIn) func `An application that gets no access token hears access_token_unavailable`() async throws {
        let refusal = ScriptedServer.Answer.response(
            401, headers: ["WWW-Authenticate": #"Bearer error="invalid_token""#])
        service.answer(self.path, with: refusal, times: 2)
        try await self.expectFailure(application, "access_token_unavailable", action: "none")
    }

    @Test(
        "A refusal of the service is a response with its status", .signedIn,
        arguments: [
            #"{"status":403,"code":"too_many_resources","message":"Too many resources"}"#,
            "<error><code>P100</code><message>Too many resources</message><details>No</details></error>",
        ])
    func refused(body: String) async throws {
        service.answer(self.path, with: .response(403, body: body))
        let answer = try await self.ask(application, PreauthorizeRequest(resources: ["a"]))
        #expect(!answer.isFailure && answer.response.decisions.isEmpty)
        #expect(answer.response.status?.status == 403 && answer.response.status?.code == "too_many_resources")
    }

    @Test("White space around a resource decides nothing, and the answer has the words of the question")
    func padded() async throws {
        service.answer(
            self.path,
            with: .response(
                200, headers: ["Content-Type": "application/json"],
                body: #"{"resources":[{"id":"a","authorized":true},{"id":"b ","authorized":true}]}"#))
        let application = try await box.signedIn(service)
        let response = await application.enabler.preauthorize(PreauthorizeRequest(resources: ["a\n", "b"]))
        #expect(response.decisions.map(\.id) == ["a\n", "b"] && response.decisions.allSatisfy(\.authorized))
        // Kept as well.
        #expect(await application.enabler.preauthorizedResources(among: ["a\n", " a"]) == ["a\n", " a"])
        #expect(service.count(of: self.path) == 1)
    }

    @Test(
        "12.3 A device mismatch, and a token that is gone, drop the sign-in",
        arguments: [
            (401, "<error><code>SEC412</code></error>", "authentication_session_missing", true),
            (412, "", "authentication_session_expired", false),
        ])
    func mismatch(status: Int, body: String, code: String, isDevice: Bool) async throws {
        for asksForList in [false, true] {
            let service = try ScriptedService()
            let application = try await TestBox().signedIn(service)
            service.answer(self.path, with: .response(status, body: body))
            if asksForList {
                #expect(await application.enabler.preauthorizedResources(among: ["a"]) == [])
                let reported = application.recorder.codes.filter { $0 != "REGCODE" }
                #expect(reported == (isDevice ? ["SEC412", "P100"] : ["P100"]))
            } else {
                let response = await application.enabler.preauthorize(PreauthorizeRequest(resources: ["a"]))
                #expect(response.status?.code == code && response.status?.action == "authentication")
            }
            #expect(await application.enabler.authenticationStatus() == nobody)
            await application.enabler.shutDown()
        }
    }

    @Test func `More resources than the server states as its limit are not even asked about`() async throws {
        let application = try await box.signedIn(service.set { $0.requestorMetadata = #""preauthorizationLimit":2"# })
        let response = await application.enabler.preauthorize(PreauthorizeRequest(resources: ["a", "b", "c"]))
        #expect(response.status?.code == "too_many_resources" && service.count(of: self.path) == 0)
    }
}
