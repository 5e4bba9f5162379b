import Clientless
import Entitlement
import HTTPClient
import HTTPServer
import ServerAPI
import TestSupport
import Testing
import WireAnswers

@Suite("Polls on the wire", .wire, .timeLimit(.minutes(5)))
struct PollTests {
    static let query = "deviceId=box-1&requestor=NORTHSPORT"
    static let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>"

    @Test func `say what was the case before a login, in both forms`() async throws {
        let code = try await wire.code()
        let rows = [
            ("checkauthn", 403, "Authentication token not found", "Authentication token not found"),
            ("tokens/authn", 404, "Not Found", "Not found"),
            ("authenticate/\(code)", 404, "Not Found", "Not Found"),
            ("authenticate/BCDFGHJ", 404, "Not Found", "Not Found"),
            ("authenticate/x", 404, "Not Found", "Not Found"),
        ]
        for (path, status, json, xml) in rows {
            try await wire.signed(.get, "/api/v1/\(path)?\(Self.query)").expect(status, message: json)
            try await wire.signed(.get, "/api/v1/\(path)?\(Self.query)", accept: "*/*").expect(
                status, Self.xml + "<error><status>\(status)</status><message>\(xml)</message></error>")
        }
        for path in ["checkauthn/\(code)", "checkauthn/BCDFGHJ", "checkauthn/x"] {
            try await wire.call(.get, "/api/v1/\(path).json?requestor=NORTHSPORT").expect(
                403, message: "Forbidden", headers: ["Cache-Control": "no-store"])
        }
    }

    @Test func `say who signed in afterwards, in both forms`() async throws {
        let code = try await wire.signedInDevice()
        for path in ["checkauthn?\(Self.query)", "checkauthn/\(code)?requestor=NORTHSPORT"] {
            try await wire.signed(.get, "/api/v1/" + path, accept: "*/*").expect(
                200, "", headers: ["Content-Length": "0", "Content-Type": nil])
            #expect(try await wire.signed(.get, "/api/v1/" + path).text == "{}")
        }
        for path in ["tokens/authn?\(Self.query)", "authenticate/\(code)?requestor=NORTHSPORT"] {
            let json = try await wire.signed(.get, "/api/v1/" + path).expect(200)
            let user = try #require(json.value("userId"))
            #expect(user.utf8.count == 64)
            #expect(
                json.text
                    == #"{"requestor":"NORTHSPORT","mvpd":"CableNova","userId":"\#(user)","#
                    + #""expires":"1769817600000"}"#
            )
            try await wire.signed(.get, "/api/v1/" + path, accept: "*/*").expect(
                200,
                Self.xml + "<authentication><expires>1769817600000</expires><userId>\(user)</userId>"
                    + "<mvpd>CableNova</mvpd><requestor>NORTHSPORT</requestor></authentication>")
        }
    }

    @Test func `tell an expired sign-in from one that never was`() async throws {
        let code = try await wire.code(more: "&ttl=36000")
        try await wire.signIn(code)
        wire.clock.advance(by: .seconds(30 * 24 * 3600))
        try await wire.signed(.get, "/api/v1/checkauthn?\(Self.query)").expect(
            403, message: "Authentication token expired")
        try await wire.signed(.get, "/api/v1/tokens/authn?\(Self.query)").expect(410, message: "Gone")
        try await wire.signed(.get, "/api/v1/tokens/authz?\(Self.query)&resource=x").expect(412)
    }

    @Test func `answer in the name of the requestor that asks, unless the sign-in is another's own`() async throws {
        try await wire.signedInDevice()
        let shared = try await wire.signed(.get, "/api/v1/tokens/authn?deviceId=box-1&requestor=WESTSPORT")
        #expect(shared.value("requestor") == "WESTSPORT")
        try await wire.signedInDevice("box-2", mvpd: WireFixture.otherProvider)
        try await wire.signed(.get, "/api/v1/tokens/authn?deviceId=box-2&requestor=NORTHSPORT").expect(200)
        try await wire.signed(.get, "/api/v1/tokens/authn?deviceId=box-2&requestor=WESTSPORT").expect(404)
    }

    @Test func `need what the table says they need`() async throws {
        for path in ["checkauthn", "tokens/authn"] {
            try await wire.signed(.get, "/api/v1/\(path)?requestor=NORTHSPORT&deviceId=").expect(
                400, message: "Required 'deviceId' is not present")
        }
        try await wire.call(.get, "/api/v1/checkauthn/BCDFGHJ.json").expect(
            400, message: "Required 'requestor' is not present")
        try await wire.call(.get, "/api/v1/checkauthn/BCDFGHJ.json?requestor=NOBODY").expect(
            400, message: "Invalid requestor")
        #expect(try await wire.call(.get, "/api/v1/authenticate/BCDFGHJ").status == 401)
        #expect(try await wire.call(.post, "/api/v1/checkauthn").status == 405)
    }

    @Test("by code are for the requestor whose code it is")
    func foreignCode() async throws {
        let code = try await wire.signedInDevice()
        try await wire.call(.get, "/api/v1/checkauthn/\(code).json?requestor=WESTSPORT").expect(403)
        try await wire.signed(.get, "/api/v1/authenticate/\(code)?requestor=WESTSPORT").expect(
            404, headers: ["Latchkey-Code-State": nil])
    }

    @Test func `by code count as guesses where there is no such code, signed or not`() async throws {
        func poll(_ code: String) async throws -> Int {
            try await wire.signed(.get, "/api/v1/authenticate/\(code)?requestor=NORTHSPORT").status
        }
        for letter in "BCDFGHJKLMNPQRSTVWXZ" { #expect(try await poll("BCDFGH\(letter)") == 404) }
        #expect(try await poll("BCDFGJB") == 429)
    }

    @Test func `by code tell the box what became of its code`() async throws {
        let code = try await wire.code(more: "&ttl=600")
        func look() async throws -> WireAnswer {
            try await wire.signed(.get, "/api/v1/authenticate/\(code)?\(Self.query)")
        }
        #expect(try await look().headers["Latchkey-Code-State"] == "waiting")
        #expect(try await look().headers["Latchkey-Code-Opened"] == nil)
        let text = try #require(RegistrationCodeText(code))
        let record = try await wire.domain.codes.lookUp(
            text, of: nil, for: .completing, by: Guesser(.v4(0xC633_6401)), now: wire.clock.now)
        try await wire.domain.codes.noteOpened(record, now: wire.clock.now)
        #expect(try await look().headers["Latchkey-Code-State"] == "waiting")
        #expect(try await look().headers["Latchkey-Code-Opened"] == "true")
        let (token, browser) = try await wire.beginLogin(code)
        #expect(try await look().headers["Latchkey-Code-State"] == "loggingIn")
        #expect(try await look().headers["Latchkey-Code-Opened"] == "true")
        _ = try await wire.domain.logins.complete(
            token, browser: browser, response: .password(account: "ada", password: "wrong".secret),
            by: Guesser(.v4(0xC633_6401)), now: wire.clock.now)
        try await look().expect(
            404, headers: ["Latchkey-Code-State": "waiting", "Latchkey-Provider-Reason": "wrong_credentials"])
        try await wire.signIn(code)
        #expect(try await look().headers["Latchkey-Code-State"] == "completed")
        #expect(try await look().headers["Latchkey-Provider-Reason"] == nil)
        _ = try await wire.signed(.delete, "/api/v1/logout?\(Self.query)")
        try await look().expect(404, headers: ["Latchkey-Code-State": "completed"])
        wire.clock.advance(by: .seconds(600))
        #expect(try await look().headers["Latchkey-Code-State"] == "expired")
    }

    @Test("by code tell another box, and a box that does not say which it is, what they tell of an unknown code")
    func otherBox() async throws {
        let code = try await wire.code()
        let (token, browser) = try await wire.beginLogin(code)
        _ = try await wire.domain.logins.complete(
            token, browser: browser, response: .password(account: "ada", password: "wrong".secret),
            by: Guesser(.v4(0xC633_6401)), now: wire.clock.now)
        func fields(_ answer: WireAnswer) -> [String] {
            answer.headers.fields.map { "\($0.name): \($0.value)" }
                .filter { !["Date", "Adobe-Request-Id", "Connection"].contains($0.prefix { $0 != ":" }) }
        }
        for device in ["", "&deviceId=", "&deviceId=box-2"] {
            var answers: [[String]] = []
            for asked in [code, "BCDFGHJ"] {
                let answer = try await wire.signed(
                    .get, "/api/v1/authenticate/\(asked)?requestor=NORTHSPORT\(device)",
                    headers: ["Prefer": "wait=50"])
                answers.append(["\(answer.status)", answer.text] + fields(answer))
            }
            #expect(answers[0] == answers[1], "\(device)")
        }
        #expect(wire.domain.waitingRoom.count == 0)
        // Once it is signed in, the requestor's box may pick it up without its ID, and another may not.
        try await wire.signIn(code)
        let pickUp = "/api/v1/authenticate/\(code)?requestor=NORTHSPORT"
        #expect(try await wire.signed(.get, pickUp).status == 200)
        #expect(try await wire.signed(.get, pickUp).headers["Latchkey-Code-State"] == nil)
        #expect(try await wire.signed(.get, pickUp + "&deviceId=box-2").status == 404)
        #expect(try await wire.signed(.get, pickUp + "&deviceId=box-1").headers["Latchkey-Code-State"] == "completed")
    }

    @Test(
        "by code with another box's ID count as wrong guesses",
        .wire(settings: { $0.trustedProxies = [IPAddress("127.0.0.1")!] }))
    func counted() async throws {
        var statuses: [Int] = []
        for box in 0..<22 {
            // The boxes are elsewhere; what a network itself shows is no guess.
            let code = try await wire.code(of: "box-\(box)")
            let answer = try await wire.signed(
                .get, "/api/v1/authenticate/\(code)?requestor=NORTHSPORT&deviceId=guesser",
                headers: ["X-Forwarded-For": "203.0.113.9"])
            statuses.append(answer.status)
        }
        #expect(statuses == Array(repeating: 404, count: 20) + [429, 429])
    }

    @Test func `by code tell a declined from a cancelled code`() async throws {
        let declined = try await wire.code(of: "box-2")
        let (token, browser) = try await wire.beginLogin(declined)
        _ = try await wire.domain.logins.decline(token, browser: browser, now: wire.clock.now)
        try await wire.signed(.get, "/api/v1/authenticate/\(declined)?deviceId=box-2&requestor=NORTHSPORT").expect(
            404, headers: ["Latchkey-Code-State": "declined"])
        let cancelled = try await wire.code()
        for _ in 0..<10 { _ = try await wire.code() }
        let gone = try await wire.signed(.get, "/api/v1/authenticate/\(cancelled)?\(Self.query)")
        #expect(gone.headers["Latchkey-Code-State"] == "cancelled")
        try await wire.call(.get, wire.authenticateTarget(declined)).expect(400)
    }

    @Test func `follow a sign-in and a logout at once`() async throws {
        let target = "/api/v1/checkauthn?\(Self.query)"
        #expect(try await wire.signed(.get, target).status == 403)
        try await wire.signedInDevice()
        #expect(try await wire.signed(.get, target).status == 200)
        for _ in 0..<2 {
            try await wire.signed(.delete, "/api/v1/logout.json?deviceId=box-1", as: "/logout").expect(204, "")
        }
        #expect(try await wire.signed(.get, target).status == 403)
        #expect(try await wire.call(.get, "/api/v1/logout?deviceId=box-1").status == 405)
        #expect(try await wire.signed(.delete, "/api/v1/logout").status == 400)
    }

    @Test(
        "of two requestors on one device follow the logout of the other where they share the sign-in, and only there",
        arguments: [(WireFixture.provider, true), (WireFixture.otherProvider, false)])
    func logoutOfOther(mvpd: MVPDID, isShared: Bool) async throws {
        let requestors = [WireFixture.requestor, WireFixture.strict]
        func statuses() async throws -> [Int] {
            var statuses: [Int] = []
            for requestor in requestors {
                let target = "/api/v1/checkauthn?deviceId=box-1&requestor=\(requestor)"
                statuses.append(try await wire.signed(.get, target, requestor: requestor).status)
            }
            return statuses
        }
        for requestor in requestors { try await wire.signedInDevice(mvpd: mvpd, requestor: requestor) }
        #expect(try await statuses() == [200, 200])
        try await wire.signed(.delete, "/api/v1/logout?\(Self.query)").expect(204)
        #expect(try await statuses() == [403, isShared ? 403 : 200])
    }

    @Test func `answer HEAD as GET, without the body`() async throws {
        let code = try await wire.code()
        try await wire.call(.head, "/api/v1/checkauthn/\(code).json?requestor=NORTHSPORT").expect(403, "")
    }
}
