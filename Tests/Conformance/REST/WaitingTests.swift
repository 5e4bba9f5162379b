import Clientless
import Entitlement
import HTTPClient
import Lifecycle
import TestSupport
import Testing
import WireAnswers

@Suite("Waiting polls on the wire", .wire, .timeLimit(.minutes(5)))
struct WaitingTests {
    private static let device = "deviceId=box-1&requestor=NORTHSPORT"

    /// Asks once, so that the server knows the device: a poll that finds nothing in memory leaves the waiting room for
    /// a moment to ask the store.
    private static func known(_ device: String) async throws {
        try await wire.signed(.get, "/api/v1/tokens/authn?deviceId=\(device)").expect(404)
    }

    private static func waiting(
        _ path: String, prefer: String = "wait=50", requestor: RequestorID = WireFixture.requestor
    ) async throws -> WireAnswer {
        try await wire.signed(.get, "/api/v1/\(path)", headers: ["Prefer": prefer], requestor: requestor)
    }

    @Test(arguments: [
        "checkauthn", "tokens/authn", "authenticate", "checkauthn-code",
    ])
    func `are answered when the login is done, as if they had asked just then`(poll: String) async throws {
        let code = try await wire.code()
        let path =
            switch poll {
            case "authenticate": "authenticate/\(code)?\(Self.device)"
            case "checkauthn-code": "checkauthn/\(code)?requestor=NORTHSPORT"
            default: "\(poll)?\(Self.device)"
            }
        // A code's poll also hears of each step; ask for what comes after the last but one.
        let login = try await wire.acceptedLogin(code)
        // Memory then knows the code or the device, and the poll rests at once.
        _ = try await wire.signed(.get, "/api/v1/" + path)
        async let answer = Self.waiting(path)
        await wire.untilHeld(1)
        try await wire.confirm(login)
        let woken = try await answer.expect(200, headers: ["Preference-Applied": "wait=50"])
        let asked = try await wire.signed(.get, "/api/v1/" + path)
        #expect(asked.text == woken.text)
        #expect(asked.headers["Preference-Applied"] == nil)
    }

    @Test func `tell the box each step of its code`() async throws {
        let code = try await wire.code(requestor: WireFixture.strict)
        let path = "authenticate/\(code)?deviceId=box-1&requestor=SOUTHSPORT"
        async let first = Self.waiting(path, requestor: WireFixture.strict)
        await wire.untilHeld(1)
        let (token, browser) = try await wire.beginLogin(code, requestor: WireFixture.strict)
        try await first.expect(404, headers: ["Latchkey-Code-State": "loggingIn"])

        async let second = Self.waiting(path, requestor: WireFixture.strict)
        await wire.untilHeld(1)
        _ = try await wire.domain.logins.complete(
            token, browser: browser, response: .password(account: "ada", password: "right".secret),
            by: Guesser(.v4(0xC633_6401)), now: wire.clock.now)
        #expect(try await second.headers["Latchkey-Code-State"] == "confirming")

        async let third = Self.waiting(path, requestor: WireFixture.strict)
        await wire.untilHeld(1)
        _ = try await wire.domain.logins.decline(token, browser: browser, now: wire.clock.now)
        #expect(try await third.headers["Latchkey-Code-State"] == "declined")
    }

    @Test func `are answered as pending when their time is up, by the server's clock`() async throws {
        try await Self.known("box-1")
        async let answer = Self.waiting("tokens/authn?\(Self.device)", prefer: "wait=20")
        await wire.untilHeld(1)
        wire.clock.advance(by: .seconds(19))
        wire.domain.waitingRoom.expire()
        #expect(wire.domain.waitingRoom.count == 1)
        wire.clock.advance(by: .seconds(2))
        try await answer.expect(404, message: "Not Found", headers: ["Preference-Applied": "wait=20"])
    }

    @Test func `are answered as pending when the server stops`() async throws {
        try await Self.known("box-1")
        async let answer = Self.waiting("checkauthn?\(Self.device)")
        await wire.untilHeld(1)
        wire.stop.give()
        try await answer.expect(403, message: "Authentication token not found")
    }

    @Test func `may be two for one code`() async throws {
        let code = try await wire.code()
        let login = try await wire.acceptedLogin(code)
        async let page = Self.waiting("checkauthn/\(code)?requestor=NORTHSPORT")
        async let box = Self.waiting("authenticate/\(code)?\(Self.device)")
        await wire.untilHeld(2)
        try await wire.confirm(login)
        #expect(try await page.status == 200)
        #expect(try await box.status == 200)
    }

    @Test func `are answered at once when there is nothing to wait for`() async throws {
        let code = try await wire.signedInDevice()
        let open = try await wire.code(of: "box-2")
        for path in [
            "checkauthn?\(Self.device)", "tokens/authn?\(Self.device)", "authenticate/\(code)",
            // Only the box that it is for may wait for it.
            "authenticate/\(open)?requestor=NORTHSPORT",
            "checkauthn/\(code)?requestor=NORTHSPORT",
            "authenticate/BCDFGHJ", "checkauthn/BCDFGHJ?requestor=NORTHSPORT",
        ] {
            #expect(try await Self.waiting(path).headers["Preference-Applied"] == nil, "\(path)")
        }
        #expect(wire.domain.waitingRoom.count == 0)
    }

    @Test(arguments: [
        "wait=abc", "wait=0", "wait", "respond-async", "wait=\"5",
    ])
    func `are answered at once when the preference cannot be read, or another is meant`(prefer: String) async throws {
        try await Self.waiting("tokens/authn?\(Self.device)", prefer: prefer).expect(
            404, headers: ["Preference-Applied": nil])
    }

    @Test(.wire(limits: { $0.waiting = 1 })) func `are answered at once when too many wait`() async throws {
        try await Self.known("box-2")
        async let held = Self.waiting("tokens/authn?deviceId=box-2")
        await wire.untilHeld(1)
        try await Self.waiting("tokens/authn?\(Self.device)").expect(404, headers: ["Preference-Applied": nil])
        wire.stop.give()
        #expect(try await held.status == 404)
    }

    @Test func `of a box with twenty sign-ins rest until one is another, and all end with their time`() async throws {
        func preview(_ app: String) async throws {
            let body =
                "requestor_id=FULLSPORT&deviceId=box-1&mso_id=FreeHour&domain_name=full-sport.example&appId=\(app)"
            #expect(try await wire.signed(.post, "/api/v1/authenticate/freepreview", body: body).status == 204)
        }
        for number in 1...20 { try await preview("app-\(number)") }
        let before = wire.store.statistics.reads
        try await concurrently(16) { _ in
            let path = "tokens/authn?deviceId=box-1&requestor=FULLSPORT&appId=none"
            try await Self.waiting(path, requestor: WireFixture.full).expect(
                404, headers: ["Preference-Applied": "wait=50"])
        } meanwhile: {
            await wire.untilHeld(16)
            try await preview("app-21")
            await wire.untilHeld(16)
            wire.clock.advance(by: .seconds(51))
        }
        // A few for each, and those of the feed, which is looked at ten times a second.
        #expect(wire.store.statistics.reads - before < 500)
    }

    @Test func `of strict requestors count their nonce before they wait`() async throws {
        let signature = wire.signature("GET", "/api/v1/tokens/authn", requestor: "SOUTHSPORT", nonce: "n-1")
        let headers: HTTPClient.Headers = ["Authorization": signature, "Prefer": "wait=50"]
        let target = "/api/v1/tokens/authn.json?deviceId=box-1&requestor=SOUTHSPORT"
        async let held = wire.call(.get, target, headers: headers)
        // Whichever asks the store first has the nonce; the other is refused, held or not.
        let first = try await wire.call(.get, target, headers: ["Authorization": signature]).status
        let second = try await wire.call(.get, target, headers: ["Authorization": signature]).status
        wire.stop.give()
        let heldStatus = try await held.status
        #expect(second == 401)
        #expect([first, heldStatus].sorted() == [401, 404])
    }

    @Test func `give their place back when the box hangs up`() async throws {
        try await Self.known("box-1")
        let poll = Task { try await Self.waiting("tokens/authn?\(Self.device)") }
        await wire.untilHeld(1)
        poll.cancel()
        await wire.untilHeld(0)
        #expect(wire.domain.waitingRoom.count == 0)
    }
}
