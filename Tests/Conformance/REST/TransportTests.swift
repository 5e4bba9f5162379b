import HTTPClient
import HTTPServer
import ServerAPI
import TestSupport
import Testing
import WireAnswers

@Suite("The transport rules on the wire", .wire, .timeLimit(.minutes(5)))
struct TransportTests {
    @Test func `let pages of any origin call, and answer their preflights`() async throws {
        let answer = try await wire.call(
            .get, "/api/v1/checkauthn/BCDFGHJ?requestor=NORTHSPORT",
            headers: ["Origin": "https://north-sport.example"])
        #expect(answer.headers["Access-Control-Allow-Origin"] == "https://north-sport.example")
        #expect(answer.headers["Access-Control-Allow-Credentials"] == "true")
        #expect(answer.headers["Access-Control-Allow-Methods"] == "POST,GET,OPTIONS,DELETE")
        #expect(answer.headers["Access-Control-Expose-Headers"]?.hasPrefix("pass_sfp,") == true)
        #expect(answer.headers["Vary"] == "Origin")
        for target in ["/api/v1/config/NORTHSPORT", "/reggie/v1/X/regcode/Y.json", "/no/such/path"] {
            let preflight = try await wire.call(.options, target, headers: ["Origin": "https://a.example"]).expect(
                204, headers: ["Access-Control-Allow-Origin": "https://a.example"])
            #expect(preflight.headers.values("Access-Control-Allow-Methods").count == 1)
            #expect(preflight.headers["Access-Control-Allow-Headers"]?.contains("X-Device-Info") == true)
            #expect(preflight.headers["Access-Control-Max-Age"] == "600")
        }
    }

    @Test func `say what is not there and what is not allowed, in the form asked for`() async throws {
        let absent = try await wire.call(.get, "/api/v1/no-such.json").expect(404, message: "Not Found")
        #expect(absent.headers["Adobe-Request-Id"] != nil)
        let method = try await wire.call(.put, "/api/v1/authorize.json").expect(405)
        #expect(method.headers["Allow"]?.contains("GET") == true)
        #expect(method.text == #"{"status":405,"message":"Method Not Allowed"}"#)
        let page = try await wire.call(.get, "/api/v1/no-such", headers: ["Accept": "text/html"])
        #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
    }

    @Test(.wire(settings: { $0.throttle = Throttle.Settings() }))
    func `stop a burst with 429 in the form asked for, HTML when nothing was, and let preflights pass`() async throws {
        let target = "/api/v1/checkauthn/BCDFGHJ?requestor=NORTHSPORT&deviceId=d"
        for _ in 0..<11 { #expect(try await wire.call(.get, target).status == 403) }
        let page = try await wire.call(.get, target).expect(
            429, headers: ["Content-Type": "text/html; charset=utf-8", "Retry-After": "1"])
        #expect(page.headers["Adobe-Request-Id"] != nil)
        try await wire.call(
            .get, target, headers: ["Accept": "application/json", "Origin": "https://a.example"]
        ).expect(429, message: "Too Many Requests", headers: ["Access-Control-Allow-Origin": "https://a.example"])
        let xml = try await wire.call(.get, target + "&format=xml")
        #expect(xml.text.hasSuffix("<message>Too Many Requests</message></error>"))
        #expect(try await wire.call(.options, target).status == 204)
        // A client that ignores the answer would believe that it is signed out (rest-v1 24.3).
        for _ in 0..<20 { #expect(try await wire.signed(.delete, "/api/v1/logout?deviceId=d").status == 204) }
        #expect(try await wire.call(.get, target.replacing("deviceId=d", with: "deviceId=e")).status == 403)
        #expect(try await wire.call(.get, wire.authenticateTarget("BCDFGHJ")).status == 400)
        #expect(try await wire.call(.post, "/o/client/token?deviceId=d").status == 429)
        wire.clock.advance(by: .seconds(1))
        #expect(try await wire.call(.get, target).status == 403)
    }

    @Test func `make an address that guesses codes wait, but for the code of its own box`() async throws {
        let code = try await wire.code()
        let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
        func targets(_ code: String) -> [String] {
            [
                "/reggie/v1/NORTHSPORT/regcode/\(code).json",
                "/api/v1/checkauthn/\(code).json?requestor=NORTHSPORT",
                wire.authenticateTarget(code) + "&format=json",
            ]
        }
        for guess in 0..<20 {
            #expect(try await wire.call(.get, targets("BCDFGH\(letters[guess])")[guess % 3]).status != 429)
        }
        for (number, target) in targets("BCDFGJ").enumerated() {
            try await wire.call(.get, target.replacing("BCDFGJ", with: "BCDFGJ\(letters[number])")).expect(
                429, headers: ["Retry-After": "600"])
        }
        // A code that was issued to the caller's own network is looked up whatever else was tried.
        #expect(try await wire.call(.get, targets(code)[0]).status == 200)
        // The box itself is known and is not held up.
        try await wire.signed(.get, "/api/v1/authenticate/\(code)?requestor=NORTHSPORT").expect(404)
        wire.clock.advance(by: .seconds(600))
        #expect(try await wire.call(.get, "/reggie/v1/NORTHSPORT/regcode/\(code).json").status == 200)
    }

    /// Asks for a code that does not exist, in the name of `addresses`.
    private static func guess(_ number: Int, from addresses: String) async throws -> Int {
        let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
        return try await wire.call(
            .get, "/reggie/v1/NORTHSPORT/regcode/BCDFG\(letters[number / 20])\(letters[number % 20])",
            headers: ["X-Forwarded-For": addresses]
        ).status
    }

    @Test(.wire(settings: { $0.trustedProxies = [IPAddress("127.0.0.1")!] }))
    func `count guesses by the address a trusted proxy names`() async throws {
        for guess in 0..<20 {
            #expect(try await Self.guess(guess, from: "10.9.9.\(guess), 192.0.2.1") == 404)
        }
        let (closed, other) = (
            try await Self.guess(20, from: "10.9.9.99, 192.0.2.1"),
            try await Self.guess(21, from: "192.0.2.2")
        )
        #expect(closed == 429)
        #expect(other == 404)
    }

    @Test(.wire(settings: { $0.throttle = Throttle.Settings() }))
    func `throttle every path of the published list but logout, and no other`() async throws {
        let paths: [(HTTPClient.Method, String)] = [
            (.post, "/o/client/register"), (.post, "/o/client/token"), (.get, "/api/v1/tokens/usermetadata"),
            (.get, "/api/v1/tokens/authn"), (.post, "/api/v1/tokens/authn"), (.get, "/api/v1/tokens/authz"),
            (.get, "/api/v1/tokens/media"), (.get, "/api/v1/config/NORTHSPORT"), (.get, "/api/v1/checkauthn"),
            (.get, "/api/v1/checkauthn/BCDFGHJ"), (.get, "/api/v1/authorize"),
            (.get, "/api/v1/preauthorize"), (.post, "/api/v1/preauthorize"), (.get, "/api/v1/preauthorize/BCDFGHJ"),
            (.get, "/api/v1/mediatoken"), (.post, "/api/v1/authenticate/freepreview"),
            (.get, "/api/v1/authenticate/BCDFGHJ"), (.get, "/api/v1/NORTHSPORT/profile-requests/CableNova"),
            (.get, "/adobe-services/config/NORTHSPORT"), (.post, "/reggie/v1/NORTHSPORT/regcode"),
            (.get, "/reggie/v1/NORTHSPORT/regcode/BCDFGHJ"), (.delete, "/reggie/v1/NORTHSPORT/regcode/BCDFGHJ"),
            (.delete, "/reggie/v1/regcode/BCDFGHJ"),
        ]
        // The clock stands still: what one path used up is used up for all.
        for _ in 0..<11 { #expect(try await wire.call(.get, "/api/v1/config/NORTHSPORT").status == 200) }
        for (method, path) in paths {
            try await wire.call(method, path + ".json").expect(
                429, message: "Too Many Requests", headers: ["Retry-After": "1"], comment: "\(path)")
        }
        let free: [(HTTPClient.Method, String)] = [
            (.get, "/api/v1/authenticate"), (.post, "/sp/saml/SAMLAssertionConsumer"),
            (.get, "/adobe-services/oauth2"), (.get, "/help/errors"), (.options, "/api/v1/authorize"),
            (.delete, "/api/v1/logout"),
        ]
        for (method, path) in free { #expect(try await wire.call(method, path).status != 429, "\(path)") }
        let loud = try await wire.call(.get, "/api/v1/checkauthn.json?requestor=LOUDSPORT").expect(429)
        #expect(loud.value("code") == "too_many_requests")
        #expect(loud.value("action") == "retry-after")
    }
}
