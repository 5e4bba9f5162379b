import AccessEnabler
import AccessEnablerConstants
import TestSupport
import Testing

@Suite("An authorization that fails", .signedIn, .timeLimit(.minutes(5)))
struct AuthorizationFailureTests {
    private let decision = "/adobe-services/authorize"
    private let media = "/adobe-services/shortAuthorize"

    private func callback(_ recorder: Recorder) -> [String] {
        recorder.callbacks.last { $0.name == "tokenRequestFailed" }?.arguments ?? []
    }

    /// The callbacks of an application that asked for a resource nobody may watch.
    private func denied(_ details: String = "Upgrade to Gold.", code: String = "Z100") async throws -> Recorder {
        let service = try ScriptedService { behaviour in
            behaviour.permitted = []
            behaviour.refusal = (code, details)
        }
        let application = try await TestBox().signedIn(service)
        application.enabler.checkAuthorization("r")
        await application.settle()
        await application.enabler.shutDown()
        return application.recorder
    }

    @Test(
        "T-212 T-213 T-214 T-215 A denial has its code, Z100 with the resource, and the MVPD's message if there is one",
        .box)
    func words() async throws {
        for code in ["Z100", "Z110", "Z169"] {
            let recorder = try await self.denied("Your package lacks this <channel> & more.", code: code)
            #expect(
                self.callback(recorder)
                    == ["r", USER_NOT_AUTHORIZED_ERROR, "Your package lacks this <channel> & more."])
        }
        // The server repeats its message when the provider says nothing.
        for details in ["", "User not authorized"] {
            let silent = try await self.denied(details)
            #expect(self.callback(silent) == ["r", USER_NOT_AUTHORIZED_ERROR, ""])
        }
        #expect(
            try await self.denied().statuses("Z100")
                == [["errorId": "Z100", "level": "error", "resource": "r", "message": "Upgrade to Gold."]])
    }

    @Test func `A decision that is withdrawn when the media token is asked for is a denial too`() async throws {
        let refusal = "<error><code>Z100</code><message>No</message><details>Upgrade.</details></error>"
        service.answer(self.media, with: .response(200, body: refusal), times: 2)
        let failure = await application.failure(of: "r")
        #expect(failure?.code == USER_NOT_AUTHORIZED_ERROR && failure?.description == "Upgrade.")
        #expect(application.recorder.statuses("Z100").first?["resource"] == "r")
    }

    @Test(arguments: ["/adobe-services/authorize", "/adobe-services/shortAuthorize"])
    func `T-216 A network failure uses code GENERIC_AUTHORIZATION_ERROR`(path: String) async throws {
        service.answer(path, with: .close, times: 20)
        application.enabler.checkAuthorization("r")
        await application.settle()
        #expect(self.callback(application.recorder).prefix(2) == ["r", GENERIC_AUTHORIZATION_ERROR])
        #expect(GENERIC_AUTHORIZATION_ERROR == "Generic Authorization Error")
        #expect(application.recorder.count("setToken") == 0)
    }

    @Test("T-217 A malformed resource reports Z130", .box, arguments: [("", 1), (" \n", 2), ("r", 9000), ("<rss>", 1)])
    func malformed(part: String, count: Int) async throws {
        let resource = String(repeating: part, count: count)
        let application = try await box.signedIn(service)
        // What only the server can tell.
        service.answer(self.decision, with: .response(400, body: "<error><message>No</message></error>"))
        application.enabler.checkAuthorization(resource)
        await application.settle()
        let isReported = application.recorder.statuses("Z130").map { $0["resource"] } == [resource]
        let isTold = self.callback(application.recorder).prefix(2) == [resource, USER_NOT_AUTHORIZED_ERROR]
        #expect(isReported && isTold)
    }

    @Test(
        "T-218 An expired session reported by the backend removes the token; a provider that is switched off does not",
        arguments: [
            (410, "<error><code>N130</code><details>expired</details></error>"), (200, "<pendingLogout/>"),
            (401, "<error><code>N130</code><details>foreign</details></error>"),
            (401, "<error><code>N000</code><details>of another requestor</details></error>"),
            (401, "<error><code>N000</code><details>switched off</details></error>"),
            (412, #"{"status":412,"message":"User not authenticated","details":null}"#),
        ])
    func expired(status: Int, body: String) async throws {
        let isOff = body.contains("switched off")
        if isOff { service.set { $0.providers.removeFirst() } }
        service.answer(self.decision, with: .response(status, body: body))
        #expect(await application.failure(of: "r")?.code == USER_NOT_AUTHENTICATED_ERROR)
        #expect(try box.image().authentications.count == (isOff ? 1 : 0))
        #expect(await application.enabler.authenticationStatus() != .authenticated(mvpdID: "CableNova"))
    }

    @Test("T-219 T-220 T-221 A device ID mismatch reports SEC412, makes the authorization fail, and signs the box out")
    func mismatchReported() async throws {
        let body = "<error><code>SEC412</code><message>No</message><details>another device</details></error>"
        service.answer(self.decision, with: .response(401, body: body))
        application.enabler.checkAuthorization("r")
        await application.settle()
        #expect(application.recorder.statuses("SEC412").map { $0["level"] } == ["warning"])
        #expect(self.callback(application.recorder).prefix(2) == ["r", USER_NOT_AUTHENTICATED_ERROR])
        #expect(application.recorder.count("setToken") == 0 && service.count(of: self.media) == 0)
        #expect(service.count(of: self.decision) == 1)
        application.enabler.checkAuthentication()
        await application.settle()
        let last = application.recorder.callbacks.last { $0.name == "setAuthenticationStatus" }
        #expect(last == .notAuthenticated(USER_NOT_AUTHENTICATED_ERROR))
    }
}
