import AccessEnabler
import TestSupport
import Testing

@Suite("Asking for a media token", .timeLimit(.minutes(1)))
struct AuthorizationTests {
    private let service: ScriptedService
    private let enabler: AccessEnabler
    private let box: TestBox

    init() async throws {
        self.service = try ScriptedService()
        self.box = try TestBox(self.service.url)
        self.enabler = try await self.box.enabler()
    }

    private var calls: [String] { self.service.calls.filter { $0.contains("/api/v1/") } }

    @Test("asks for the decision first, for exactly this resource")
    func permitted() async throws {
        self.service.signIn()
        let token = try await self.enabler.mediaToken(for: " North Sport & HD ")
        #expect(token.token == "PHNpZ25lZD4=" && token.resource == "North Sport & HD")
        #expect(self.calls == ["GET /api/v1/authorize", "GET /api/v1/tokens/media"])
        let targets = self.service.requests.suffix(2).map(\.target)
        #expect(targets.allSatisfy { $0.hasSuffix("&resource=North%20Sport%20%26%20HD") })
    }

    @Test("asks for the decision again when the token is refused, once")
    func recovery() async throws {
        self.service.signIn()
        let refusal = ScriptedServer.Answer.response(403, body: #"{"status":403,"message":"User not authorized"}"#)
        self.service.answer("/api/v1/tokens/media", with: refusal)
        _ = try await self.enabler.mediaToken(for: "r")
        #expect(self.calls.map { $0.split(separator: "/").last } == ["authorize", "media", "authorize", "media"])
        self.service.answer("/api/v1/tokens/media", with: refusal, times: 2)
        let error = await #expect(throws: EntitlementError.self) { try await self.enabler.mediaToken(for: "r") }
        #expect(error?.code == .notAuthorized && self.calls.count == 8)
    }

    @Test("tells a refusal, in the provider's words, from nobody being signed in")
    func refusals() async throws {
        let nobody = await #expect(throws: EntitlementError.self) { try await self.enabler.mediaToken(for: "r") }
        #expect(nobody?.code == .notSignedIn)
        self.service.signIn()
        self.service.permit(false)
        let refused = await #expect(throws: EntitlementError.self) { try await self.enabler.mediaToken(for: "r") }
        #expect(refused?.code == .notAuthorized && refused?.detail == "Your package lacks this channel.")
        #expect(self.calls.contains("GET /api/v1/tokens/media") == false)
    }

    @Test("reports in the codes of the original library")
    func publicCodes() async throws {
        let events = self.enabler.events
        let nobody = await #expect(throws: AuthorizationFailure.self) { try await self.enabler.authorize("r") }
        #expect(nobody?.code == "User Not Authenticated Error")
        self.service.signIn()
        let token = try await self.enabler.authorize("r")
        #expect(token.token == "PHNpZ25lZD4=" && "\(token)" == "<media token>")
        var words: [String] = []
        for await event in events {
            if case .tokenRequestFailed = event { words.append("failed") }
            if case .token = event { words.append("token") }
            if words.count == 2 { break }
        }
        #expect(words == ["failed", "token"])
    }

    @Test("refuses an empty resource without asking anybody, and a token that is not one word")
    func malformed() async throws {
        let empty = await #expect(throws: EntitlementError.self) { try await self.enabler.mediaToken(for: "  ") }
        #expect(empty?.code == .refused && self.service.calls.isEmpty)
        self.service.signIn()
        self.service.answer(
            "/api/v1/tokens/media", with: .response(200, body: #"{"serializedToken":"a\nb","expires":"1"}"#))
        let broken = await #expect(throws: EntitlementError.self) { try await self.enabler.mediaToken(for: "r") }
        #expect(broken?.code == .malformedAnswer)
    }

    @Test("is over after a logout, which also withdraws a live code")
    func logout() async throws {
        let log = ProgressLog()
        let enabler = self.enabler
        await withTaskGroup { group in
            group.addTask { _ = try? await enabler.signIn { log.record($0) } }
            _ = await log.shown.next()
            group.cancelAll()
        }
        try await self.enabler.endSession()
        let state = try self.box.folder.read("state/state.json")
        #expect(!state.contains("\"code\"") && !state.contains("signIn") && state.contains("client-1"))
        #expect(self.service.calls.suffix(2).first == "DELETE /api/v1/logout")
        #expect(self.service.calls.last?.hasPrefix("DELETE /reggie/v1/NORTHSPORT/regcode/") == true)
        #expect(await self.enabler.signOut().requiresSystemSignOut == false)
    }

    @Test("keeps neither tokens nor decisions on the box")
    func keepsNothing() async throws {
        self.service.signIn()
        _ = try await self.enabler.mediaToken(for: "North Sport HD")
        let state = try self.box.folder.read("state/state.json")
        #expect(!state.contains("PHNpZ25lZD4=") && !state.contains("North Sport"))
    }
}
