import Clientless
import HTTPClient
import ServerAPI
import TestSupport
import Testing
import WireAnswers

@Suite("The start of a login on the wire", .wire, .timeLimit(.minutes(5)))
struct AuthenticateTests {
    @Test(arguments: [
        "/api/v1/authenticate", "/adobe-services/authenticate/saml", "/adobe-services/1.0/authenticate/saml",
    ])
    func `leads to the sign-in page, with a session for the browser`(path: String) async throws {
        let code = try await wire.code()
        let target = wire.authenticateTarget(code).replacing("/api/v1/authenticate", with: path)
        let answer = try await wire.call(.get, target).expect(302)
        #expect(answer.headers["Location"]?.hasPrefix("/activate/sign-in?attempt=") == true)
        #expect(answer.headers["Set-Cookie"]?.contains("HttpOnly") == true)
        #expect(answer.headers["Cache-Control"] == "no-store")
        #expect(answer.text.isEmpty)
    }

    @Test func `takes the code in any case, from a form, or behind an entity`() async throws {
        let code = try await wire.code()
        let rest = "mso_id=CableNova&domain_name=NORTH-SPORT.example&redirect_url="
        let encoded = "https%3A%2F%2Fwww.north-sport.example%2F"
        let targets = [
            "reg_code=\(code.lowercased())&requestor_id=NORTHSPORT&\(rest)\(encoded)",
            "reg_code=\(code)&requestor=NORTHSPORT&\(rest)hcplayer%3A%2F%2Fdone",
            "requestor_id=NORTHSPORT%C2%AE_code=\(code)&\(rest)\(encoded)",
            "reg_code=\(code)&requestor_id=NORTHSPORT&\(rest)https://north-sport.example/done?a=1&b=2",
        ]
        for query in targets {
            #expect(try await wire.call(.get, "/api/v1/authenticate?\(query)").status == 302, "\(query)")
        }
        #expect(try await wire.call(.post, "/api/v1/authenticate", body: targets[0]).status == 302)
    }

    @Test(
        "goes straight back for a provider that a compatible requestor does not have, and takes the vendor's own domain"
    )
    func directBack() async throws {
        let code = try await wire.code()
        func target(_ requestor: RequestorID, _ provider: String, _ domain: String) -> String {
            "/api/v1/authenticate?reg_code=\(code)&requestor_id=\(requestor)&mso_id=\(provider)"
                + "&domain_name=\(domain)&redirect_url=https%3A%2F%2Fnorth-sport.example%2Fdone"
        }
        let (compatible, strict) = (WireFixture.requestor, WireFixture.strict)
        for provider in ["NoSuch", "FreeHour"] {
            try await wire.call(.get, target(compatible, provider, "adobe.com")).expect(
                302, headers: ["Location": "https://north-sport.example/done", "Set-Cookie": nil])
        }
        #expect(try await wire.call(.get, target(compatible, "a%20b", "adobe.com")).status == 400)
        #expect(try await wire.call(.get, target(strict, "NoSuch", "north-sport.example")).status == 400)
        #expect(try await wire.call(.get, target(strict, "CableNova", "adobe.com")).status == 400)
        let begun = try await wire.call(.get, target(compatible, "CableNova", "Adobe.com"))
        #expect(begun.headers["Location"]?.hasPrefix("/activate/sign-in?attempt=") == true)
        let stray = target(compatible, "NoSuch", "adobe.com").replacing("north-sport.example%2F", with: "adobe.com%2F")
        #expect(try await wire.call(.get, stray).status == 400)
    }

    @Test(arguments: [
        ("reg_code", "", "Required 'reg_code' is not present"),
        ("requestor_id", "", "Required 'requestor_id' is not present"),
        ("mso_id", "", "Required 'mso_id' is not present"),
        ("domain_name", "", "Required 'domain_name' is not present"),
        ("redirect_url", "", "Required 'redirect_url' is not present"),
        ("requestor_id", "NOBODY", "Invalid requestor"),
        ("domain_name", "evil.example", "Invalid domain_name"),
        ("redirect_url", "https%3A%2F%2Fevil.example%2F", "Invalid redirect_url"),
        ("redirect_url", "https://evil.example/?x=https://north-sport.example/&y=z", "Invalid redirect_url"),
        ("redirect_url", "javascript%3Aalert(1)", "Invalid redirect_url"),
        ("redirect_url", "%2Flocal", "Invalid redirect_url"),
        ("reg_code", "BCDFGHJ", "Invalid reg_code"), ("reg_code", "%3Cscript%3E", "Invalid reg_code"),
        ("requestor_id", "WESTSPORT", "Invalid domain_name"), ("requestor_id", "SOUTHSPORT", "Invalid reg_code"),
    ])
    func `goes nowhere else, and says why`(name: String, value: String, message: String) async throws {
        let code = try await wire.code()
        let values = [
            ("reg_code", code), ("requestor_id", "NORTHSPORT"), ("mso_id", "CableNova"),
            ("domain_name", "north-sport.example"), ("redirect_url", "https%3A%2F%2Fnorth-sport.example%2F"),
        ]
        let query = values.map { "\($0.0)=\($0.0 == name ? value : $0.1)" }.joined(separator: "&")
        try await wire.call(.get, "/api/v1/authenticate?\(query)", headers: ["Accept": "application/json"]).expect(
            400, message: message, headers: ["Location": nil, "Set-Cookie": nil])
        let page = try await wire.call(
            .get, "/api/v1/authenticate?\(query)",
            headers: ["Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"]
        ).expect(400, headers: ["Content-Type": "text/html; charset=utf-8"])
        #expect(page.text.contains("<p>\(message.replacing("'", with: "&#39;"))</p>"))
    }

    @Test func `is over once a code was used, expired or declined`() async throws {
        let used = try await wire.signedInDevice()
        let expired = try await wire.code(of: "box-2", more: "&ttl=10")
        wire.clock.advance(by: .seconds(10))
        for code in [used, expired] {
            try await wire.call(
                .get, wire.authenticateTarget(code), headers: ["Accept": "application/json"]
            ).expect(400, message: "Invalid reg_code")
            // A person sees what to do now, and the way back.
            let page = try await wire.call(
                .get, wire.authenticateTarget(code) + "%3Fa%3D1%26b%3D%22", headers: ["Accept": "text/html"]
            ).expect(400, headers: ["Content-Type": "text/html; charset=utf-8"])
            #expect(page.text.contains("Ask your TV for a new code"))
            #expect(
                page.text.contains(#"<a href="https://north-sport.example/done?a=1&amp;b=&quot;">Go back</a>"#),
                "\(page.text)")
        }
    }

    @Test("may lead anywhere under the development switch", .wire(settings: { $0.allowsAnyRedirect = true }))
    func anyRedirect() async throws {
        let code = try await wire.code()
        let target = wire.authenticateTarget(code).replacing("north-sport.example%2Fdone", with: "localhost%3A3000%2F")
        #expect(try await wire.call(.get, target).status == 302)
    }

    @Test func `keeps a browser's session for a day, marked secure when the public address is`() async throws {
        let code = try await wire.code()
        let first = try await wire.call(.get, wire.authenticateTarget(code))
        let cookie = try #require(first.headers["Set-Cookie"])
        #expect(cookie.hasPrefix("__Host-latchkey="))
        #expect(cookie.contains("; Secure"))
        #expect(cookie.contains("; Max-Age=86400;"))
        try await wire.call(
            .get, wire.authenticateTarget(code), headers: ["Cookie": String(cookie.prefix { $0 != ";" })]
        ).expect(302, headers: ["Set-Cookie": nil])
    }
}
