import Entitlement
import HTTPClient
import Testing
import WireAnswers

@Suite("Where a login may lead", .wire, .timeLimit(.minutes(5)))
struct RedirectMatrixTests {
    private static let refused = [
        "https://evil.example/", "http://evil.example/north-sport.example", "https://north-sport.example.evil.example/",
        "https://evil.example?north-sport.example", "https://evil.example#north-sport.example",
        "https://evilnorth-sport.example/", "https://north-sport.example@evil.example/",
        "https://north-sport.example:443@evil.example/", "https://north-sport.example%2F@evil.example/",
        "https://evil.example\\@north-sport.example/", "https://evil.example\\.north-sport.example/",
        "//evil.example/", "//north-sport.example/", "///evil.example", "/local", "local", "?query", "#fragment",
        "https:evil.example", "https:/evil.example", "https:///evil.example", "https://", "https:", ":", "://x",
        "https://[::1]/", "https://127.0.0.1/", "https://localhost/", "https://north-sport.example.:443/",
        "https://.north-sport.example/", "https://north-sport..example/", "https://north-sport.example:port/",
        "https://north-sport.example:99999999/", "https://north\u{2010}sport.example/", "https://nörth-sport.example/",
        "https://north-sport.example\u{3002}evil.example/", "https://north-sport.example/\r\nSet-Cookie:%20a=b",
        "https://north-sport.example/%00".replacing("%00", with: "\u{0}"), "https://north-sport.example/\u{85}",
        " https://north-sport.example/", "\thttps://north-sport.example/", "https://north-sport.example/ ",
        "https://north-sport.example/a b", "javascript:alert(1)", "JavaScript:alert(1)", "java\tscript:alert(1)",
        "javascript://north-sport.example/%0aalert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd",
        "blob:https://north-sport.example/1", "about:blank", "ftp://north-sport.example/", "ws://north-sport.example/",
        "otherscheme://done", "hcplayer", "hcplayerx://done", "h\u{441}player://done",
        "https://north-sport.example/" + String(repeating: "a", count: 4096),
    ]

    private static let allowed = [
        "https://north-sport.example", "https://north-sport.example/", "http://north-sport.example/done",
        "https://tv.north-sport.example/done?x=1&y=2#top", "https://a.b.north-sport.example:8443/",
        "HTTPS://North-Sport.EXAMPLE/Done", "https://north-sport.example?next=https://evil.example/",
        "https://north-sport.example#@evil.example", "https://north-sport.example/@evil.example",
        "hcplayer://signed-in", "HCPLAYER://signed-in", "hcplayer:done",
    ]

    /// Percent-encoded, every byte that is not a letter or digit.
    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) && byte < 0x80
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
        }.joined()
    }

    private static func target(_ code: String, _ redirect: String) -> String {
        "/api/v1/authenticate?reg_code=\(code)&requestor_id=NORTHSPORT&mso_id=CableNova"
            + "&domain_name=north-sport.example&format=json&redirect_url=\(redirect)"
    }

    @Test("is never elsewhere than where the operator said", arguments: ["GET", "POST"])
    func refusals(method: String) async throws {
        let code = try await wire.code()
        for redirect in Self.refused {
            let target = Self.target(code, Self.encoded(redirect))
            let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
            let answer =
                method == "GET"
                ? try await wire.call(.get, target) : try await wire.call(.post, parts[0], body: parts[1])
            #expect(answer.status == 400, "\(redirect)")
            #expect(answer.text == #"{"status":400,"message":"Invalid redirect_url"}"#, "\(redirect)")
            #expect(answer.headers["Location"] == nil)
            #expect(answer.headers["Set-Cookie"] == nil)
        }
    }

    @Test("is the registered domains, what is below them, and registered schemes; unchanged in the end")
    func allowances() async throws {
        try await wire.add(.authnAll, WireFixture.requestor, message: "")
        for redirect in Self.allowed {
            let code = try await wire.code()
            let answer = try await wire.call(.get, Self.target(code, Self.encoded(redirect))).expect(
                302, comment: "\(redirect)")
            #expect(try await wire.confirm(answer).attempt.origin == .foreignPage(redirectURL: redirect))
        }
    }

    @Test func `is nowhere for a requestor without domains`() async throws {
        let code = try await wire.code(requestor: WireFixture.sibling)
        try await wire.call(
            .get,
            "/api/v1/authenticate?reg_code=\(code)&requestor_id=WESTSPORT&mso_id=CableNova&format=json"
                + "&domain_name=north-sport.example&redirect_url=https%3A%2F%2Fnorth-sport.example%2F"
        ).expect(400)
    }
}
