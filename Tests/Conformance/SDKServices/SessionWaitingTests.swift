import Clientless
import Entitlement
import HTTPClient
import Lifecycle
import TestSupport
import Testing
import WireAnswers

@Suite(
    "Waiting sessions of the SDK services", .wire(catalogue: WireFixture.sdkCatalogue), .box, .timeLimit(.minutes(5)))
struct SessionWaitingTests {
    private static let wait: HTTPClient.Headers = ["Prefer": "wait=50"]

    @Test func `are answered when the login is done, as if they had asked just then`() async throws {
        let code = try await wire.code()
        let login = try await wire.acceptedLogin(code)
        // The first call makes the client known, and the code; a client that is not known is answered at once.
        #expect(try await box.session(code).status == 401)
        async let held = box.session(code, headers: Self.wait)
        await wire.untilHeld(1)
        try await wire.confirm(login)
        let woken = try await held.expect(200, headers: ["Preference-Applied": "wait=50"])
        #expect(try await woken.text == box.session(code).text)
        // There is nothing to wait for any more.
        try await box.session(code, headers: Self.wait).expect(200, headers: ["Preference-Applied": nil])
    }

    @Test func `are answered as pending when their time is up`() async throws {
        let code = try await wire.code()
        #expect(try await box.session(code).status == 401)
        async let held = box.session(code, headers: ["Prefer": "wait=3600"])
        await wire.untilHeld(1)
        wire.clock.advance(by: .seconds(54))
        wire.domain.waitingRoom.expire()
        #expect(wire.domain.waitingRoom.count == 1)
        wire.clock.advance(by: .seconds(2))
        let answer = try await held
        #expect(answer.isError(401, "N000"))
        #expect(answer.headers["Preference-Applied"] == "wait=55")
    }

    @Test func `are answered as pending when the server stops`() async throws {
        let code = try await wire.code()
        #expect(try await box.session(code).status == 401)
        async let held = box.session(code, headers: Self.wait)
        await wire.untilHeld(1)
        wire.stop.give()
        #expect(try await held.isError(401, "N000"))
    }

    @Test func `are told when the viewer declines`() async throws {
        let code = try await wire.code()
        #expect(try await box.session(code).status == 401)
        async let held = box.session(code, headers: Self.wait)
        await wire.untilHeld(1)
        try await wire.domain.logins.decline(
            code: try #require(RegistrationCodeText(code)), by: Guesser(.v4(0xC633_6401)), now: wire.clock.now)
        #expect(try await held.isError(410, "N130", details: "denied"))
    }

    @Test func `of strangers are answered at once`() async throws {
        let code = try await wire.code()
        #expect(try await box.session(code).status == 401)
        #expect(try await box.with { $0.device = "box-2" }.session(code, headers: Self.wait).isError(404, "404"))
        #expect(wire.domain.waitingRoom.count == 0)
    }

    @Test func `of strict requestors count their nonce before they wait`() async throws {
        let code = try await wire.code(requestor: WireFixture.strict)
        let path = "/adobe-services/session"
        let headers: HTTPClient.Headers = [
            "Authorization": wire.signature("POST", path, requestor: "SOUTHSPORT", nonce: "n-1"), "ap_21": "box-1",
        ]
        let body = "requestor_id=SOUTHSPORT&reg_code=\(code)"
        #expect(try await wire.call(.post, path, headers: headers, body: body).isError(401, "N000"))
        #expect(try await wire.call(.post, path, headers: headers, body: body).isError(401, "401"))
        var waiting = headers
        waiting.append("Prefer", "wait=50")
        #expect(try await wire.call(.post, path, headers: waiting, body: body).isError(401, "401"))
    }
}
