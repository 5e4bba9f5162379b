import HTTPClient
import ServerAPI
import Testing
import WireAnswers

@Suite("Origins that operators limited", .wire, .timeLimit(.minutes(5)))
struct OriginTests {
    private static func limited(_ settings: inout APISettings) { settings.limitsOrigins = true }

    @Test(
        "are those of the requestor's registered domains, and the server's own", .wire(settings: Self.limited),
        arguments: [
            ("https://north-sport.example", "NORTHSPORT", true),
            ("http://tv.north-sport.example:8080", "NORTHSPORT", true),
            ("https://NORTH-SPORT.example", "NORTHSPORT", true), ("https://tve.example.net", "NORTHSPORT", true),
            ("https://full-sport.example", "FULLSPORT", true), ("https://full-sport.example", "NORTHSPORT", false),
            ("https://evil.example", "NORTHSPORT", false), ("https://evilnorth-sport.example", "NORTHSPORT", false),
            ("https://north-sport.example.evil.example", "NORTHSPORT", false), ("null", "NORTHSPORT", false),
            ("file://", "NORTHSPORT", false), ("https://north-sport.example@evil.example", "NORTHSPORT", false),
            ("https://north-sport.example", "WESTSPORT", false), ("", "NORTHSPORT", false),
        ])
    func limits(origin: String, requestor: String, isAdmitted: Bool) async throws {
        for target in [
            "/api/v1/checkauthn/BCDFGHJ.json?requestor=\(requestor)", "/api/v1/config/\(requestor).json",
            "/reggie/v1/\(requestor)/regcode/BCDFGHJ.json",
        ] {
            let answer = try await wire.call(.get, target, headers: ["Origin": origin])
            if isAdmitted {
                #expect(answer.headers["Access-Control-Allow-Origin"] == origin)
                #expect(answer.text != #"{"status":403,"message":"Forbidden"}"# || target.contains("checkauthn"))
            } else {
                #expect(answer.status == 403)
                #expect(answer.text == #"{"status":403,"message":"Forbidden"}"#)
            }
        }
    }

    @Test(
        "are those of registered domains by default for strict requestors alone",
        arguments: [
            ("https://north-sport.example", "SOUTHSPORT", true), ("https://tve.example.net", "SOUTHSPORT", true),
            ("https://evil.example", "SOUTHSPORT", false), ("null", "SOUTHSPORT", false),
            ("https://evil.example", "NORTHSPORT", true),
        ])
    func strictByDefault(origin: String, requestor: String, isAdmitted: Bool) async throws {
        for target in [
            "/api/v1/config/\(requestor).json", "/reggie/v1/\(requestor)/regcode/BCDFGHJ.json",
            "/api/v1/preauthorize/BCDFGHJ.json?requestor=\(requestor)&resource=a",
        ] {
            let answer = try await wire.call(.get, target, headers: ["Origin": origin])
            #expect((answer.text == #"{"status":403,"message":"Forbidden"}"#) != isAdmitted, "\(answer.text)")
        }
    }

    @Test func `are asked for also where only the credential or a body tells the requestor`() async throws {
        let bearer = "Bearer \(try await wire.accessToken(for: WireFixture.strictApplication))"
        for (origin, isAdmitted) in [("https://evil.example", false), ("https://north-sport.example", true)] {
            let answer = try await wire.call(
                .get, "/api/v1/checkauthn.json?deviceId=d", headers: ["Authorization": bearer, "Origin": origin])
            #expect((answer.text == #"{"status":403,"message":"Forbidden"}"#) != isAdmitted, "\(answer.text)")
        }
    }

    @Test("of other sites neither look codes up nor count for the browser they use")
    func crossSite() async throws {
        let code = try await wire.code()
        func read(_ code: String, _ headers: HTTPClient.Headers) async throws -> Int {
            try await wire.call(.get, "/reggie/v1/NORTHSPORT/regcode/\(code).json", headers: headers).status
        }
        for _ in 0..<40 {
            #expect(try await read("BCDFGHJ", ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"]) == 403)
        }
        let evil: HTTPClient.Headers = ["Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"]
        #expect(try await read(code, evil) == 403)
        let ours: HTTPClient.Headers = ["Sec-Fetch-Site": "cross-site", "Origin": "https://north-sport.example"]
        #expect(try await read(code, ours) == 200)
        let referred: HTTPClient.Headers = [
            "Sec-Fetch-Site": "cross-site", "Referer": "https://www.north-sport.example/tv",
        ]
        #expect(try await read(code, referred) == 200)
        for target in [
            "/reggie/v1/NORTHSPORT/regcode/\(code).json", "/api/v1/checkauthn/\(code).json?requestor=NORTHSPORT",
            "/api/v1/preauthorize/\(code).json?requestor=NORTHSPORT&resource=a",
        ] {
            try await wire.call(.get, target, headers: Self.visit()).expect(
                403, message: "Forbidden", headers: ["Access-Control-Allow-Origin": nil], comment: "\(target)")
        }
    }

    /// What a browser sends that a page of another site leads here.
    private static func visit(from page: String? = nil, to destination: String = "document") -> HTTPClient.Headers {
        var headers: HTTPClient.Headers = [
            "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": destination,
            "Accept": "text/html",
        ]
        if let page { headers.append("Referer", page) }
        return headers
    }

    @Test("send viewers to sign in at once from a registered domain, and from elsewhere after a question")
    func logins() async throws {
        let code = try await wire.code()
        let target = wire.authenticateTarget(code)
        let ours = try await wire.call(.get, target, headers: Self.visit(from: "https://www.north-sport.example/tv"))
            .expect(302)
        #expect(ours.headers["Location"]?.hasPrefix("/activate/sign-in?attempt=") == true)
        try await wire.call(.get, target, headers: ["Sec-Fetch-Site": "none"]).expect(302)
        for page in [nil, "https://evil.example/", "https://north-sport.example.evil.example/"] {
            // More often than a network may guess: nothing is counted, and nothing looked up.
            for code in Array(repeating: "BCDFGHJ", count: 25) + [code] {
                let answer = try await wire.call(.get, wire.authenticateTarget(code), headers: Self.visit(from: page))
                    .expect(200, headers: ["Set-Cookie": nil])
                #expect(answer.headers["Content-Security-Policy"]?.contains("frame-ancestors 'none'") == true)
            }
        }
        try await wire.call(.get, target, headers: Self.visit(to: "iframe")).expect(403)
        let asked = try await wire.call(.post, "/api/v1/authenticate", headers: Self.visit(), body: "reg_code=%22%3C")
        #expect(asked.text.contains(#"<a href="?reg_code=%22%3C">Go on</a>"#), "\(asked.text)")
        try await wire.call(.get, target + "&format=json", headers: Self.visit()).expect(403)
        let page = try await wire.call(.get, target, headers: Self.visit())
        let link = try #require(page.text.split(separator: "<a href=\"").last?.prefix { $0 != "\"" })
        #expect(link.replacing("&amp;", with: "&") == target.drop { $0 != "?" })
    }

    @Test("fill the code in on the server's own page, and look nothing up")
    func picker() async throws {
        let code = try await wire.code()
        for _ in 0..<25 {
            try await wire.call(.get, "/activate/provider?code=BCDFGHJ", headers: Self.visit()).expect(
                303, headers: ["Location": "/activate?code=BCDFGHJ"])
        }
        let wrong = try await wire.call(.get, "/activate/provider?code=%22", headers: Self.visit())
        #expect(wrong.headers["Location"] == "/activate")
        try await wire.call(.get, "/activate/provider?code=\(code)", headers: Self.visit(to: "iframe")).expect(403)
        #expect(try await wire.call(.get, "/activate/provider?code=\(code)").status == 200)
    }

    @Test(.wire(settings: Self.limited)) func `that are nobody's may not even read the refusal`() async throws {
        try await wire.call(.get, "/api/v1/config/NORTHSPORT", headers: ["Origin": "https://evil.example"]).expect(
            403, headers: ["Access-Control-Allow-Origin": nil, "Access-Control-Allow-Methods": nil])
    }

    @Test(.wire(settings: Self.limited)) func `hear nothing from a preflight of elsewhere`() async throws {
        try await wire.call(.options, "/api/v1/logout", headers: ["Origin": "https://north-sport.example"]).expect(
            204,
            headers: [
                "Access-Control-Allow-Origin": "https://north-sport.example",
                "Access-Control-Allow-Methods": "POST,GET,OPTIONS,DELETE",
            ])
        try await wire.call(.options, "/api/v1/logout", headers: ["Origin": "https://evil.example"]).expect(
            204, headers: ["Access-Control-Allow-Origin": nil, "Access-Control-Allow-Methods": nil])
    }

    @Test(.wire(settings: Self.limited))
    func `are no hindrance to boxes, which have none, and to people, who only pass through`() async throws {
        try await wire.signedInDevice()
        #expect(try await wire.signed(.get, "/api/v1/checkauthn?deviceId=box-1").status == 200)
        let code = try await wire.code(of: "box-2")
        try await wire.call(.post, wire.authenticateTarget(code), headers: ["Origin": "null"]).expect(302)
    }
}
