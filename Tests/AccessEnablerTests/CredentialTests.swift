import AccessEnabler
import Clientless
import Cryptography
import TestSupport
import Testing

@Suite("The library's credentials", .timeLimit(.minutes(1)))
struct CredentialTests {
    @Test("are registered once and kept; a new access token is no new registration")
    func kept() async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        _ = try await box.enabler().account()
        _ = try await box.enabler().account()
        #expect(service.calls.count { $0.hasPrefix("POST") } == 2)
        // 21,600 s less five minutes.
        box.clock.advance(by: .seconds(21_299))
        _ = try await box.enabler().account()
        #expect(service.calls.count { $0.hasPrefix("POST") } == 2)
        box.clock.advance(by: .seconds(1))
        _ = try await box.enabler().account()
        #expect(
            service.calls.filter { $0.hasPrefix("POST") } == [
                "POST /o/client/register", "POST /o/client/token", "POST /o/client/token",
            ])
        #expect(service.requests.last?.headers["authorization"] == "Bearer token-2")
    }

    @Test("are renewed once when an access token is refused, and no more than once")
    func renewedOnce() async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        service.answer("/api/v1/tokens/authn", with: .response(401))
        #expect(try await box.enabler().account() == nil)
        #expect(service.requests.last?.headers["authorization"] == "Bearer token-2")
        service.answer("/api/v1/tokens/authn", with: .response(401), times: 2)
        let error = await #expect(throws: EntitlementError.self) { try await box.enabler().account() }
        #expect(error?.code == .credentialsRefused)
        #expect(service.calls.count { $0 == "POST /o/client/register" } == 1)
    }

    @Test(
        "are registered anew when the server does not know them any more",
        arguments: [
            ("/o/client/token", ScriptedServer.Answer.response(400, body: #"{"error":"invalid_client"}"#)),
            ("/api/v1/tokens/authn", .response(403, body: #"{"status":403,"error":"invalid_client"}"#)),
        ])
    func registeredAnew(path: String, answer: ScriptedServer.Answer) async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        _ = try await box.enabler().account()
        box.clock.advance(by: .seconds(30_000))
        service.answer(path, with: answer)
        #expect(try await box.enabler().account() == nil)
        #expect(service.calls.count { $0 == "POST /o/client/register" } == 2)
    }

    @Test(
        "that were never any good end it, with the server's word",
        arguments: [
            "invalid_software_statement", "unapproved_software_statement",
        ])
    func refused(word: String) async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        service.answer("/o/client/register", with: .response(400, body: #"{"error":"\#(word)"}"#))
        let error = await #expect(throws: EntitlementError.self) { try await box.enabler().account() }
        #expect(error?.code == .credentialsRefused && error?.detail == word)
        #expect(service.calls == ["POST /o/client/register"])
    }

    @Test("belong to one software statement and one server")
    func belonging() async throws {
        let service = try ScriptedService()
        let other = try ScriptedService()
        let box = try TestBox(service.url)
        _ = try await box.enabler().account()
        let changed = AccessEnabler(
            credentials: .softwareStatement(Secret("d.e.f")), configuration: try box.configuration)
        try await changed.configure(requestorID: "NORTHSPORT")
        _ = try await changed.account()
        #expect(service.calls.count { $0 == "POST /o/client/register" } == 2)

        var configuration = try box.configuration
        configuration.environment = try TestBox(other.url).configuration.environment
        let elsewhere = AccessEnabler(credentials: .softwareStatement(Secret("d.e.f")), configuration: configuration)
        try await elsewhere.configure(requestorID: "NORTHSPORT")
        _ = try await elsewhere.account()
        #expect(other.calls.first == "POST /o/client/register")
        _ = try await changed.account()
        #expect(service.calls.count { $0 == "POST /o/client/register" } == 2)
    }

    @Test("signed by a stale clock are signed again by the server's, once")
    func staleClock() async throws {
        var behaviour = ScriptedService.Behaviour()
        behaviour.date = "Fri, 15 Jan 2027 08:00:00 GMT"
        let service = try ScriptedService(behaviour)
        // The server's time is 1,800,000,000 s; the box believes it is 1970.
        let box = try TestBox(service.url, clock: ManualClock(seconds: 86_400))
        let refusal = ScriptedServer.Answer.response(401, headers: ["Date": "Fri, 15 Jan 2027 08:00:00 GMT"])
        service.answer("/api/v1/tokens/authn", with: refusal)
        let enabler = try await box.signingEnabler()
        #expect(try await enabler.account() == nil)
        let times = try service.requests.map { try SignedRequestHeader($0.headers["authorization"] ?? "").time }
        #expect(times == [Timestamp(milliseconds: 1_000_000_000_000), Timestamp(seconds: 1_800_000_000)])
        // With the clock right, another refusal is final.
        service.answer("/api/v1/tokens/authn", with: refusal)
        let error = await #expect(throws: EntitlementError.self) { try await enabler.account() }
        #expect(error?.code == .credentialsRefused)
        #expect(service.requests.count == 3)
    }

    @Test("leave a clock alone that is less than a minute off")
    func smallOffset() async throws {
        var behaviour = ScriptedService.Behaviour()
        behaviour.date = "Fri, 15 Jan 2027 08:00:59 GMT"
        let service = try ScriptedService(behaviour)
        let enabler = try await TestBox(service.url).signingEnabler()
        for _ in 0..<2 { _ = try await enabler.account() }
        let times = try service.requests.map { try SignedRequestHeader($0.headers["authorization"] ?? "").time }
        #expect(times == [Timestamp(seconds: 1_800_000_000), Timestamp(seconds: 1_800_000_000)])
    }
}
