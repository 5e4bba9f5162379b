import Clientless
import Entitlement
import Testing

@testable import ServerAPI

@Suite("Where authenticate may lead")
struct RedirectTargetTests {
    static let requestor = Requestor(
        id: RequestorID("NORTHSPORT")!, name: "North Sport", domains: ["north-sport.example", "Other.Example"],
        redirectSchemes: ["hcplayer", "javascript"], integrations: [], strictness: .compatible)

    @Test(arguments: [
        "https://north-sport.example", "https://north-sport.example/", "http://north-sport.example/done?a=b#c",
        "https://www.north-sport.example:8443/x", "HTTPS://WWW.NORTH-SPORT.EXAMPLE/x", "https://other.example?x",
        "hcplayer://signed-in", "HCPLAYER:done", "https://north-sport.example/a?b=https://evil.example/",
    ])
    func `is a registered domain, one below it, or a registered scheme`(url: String) {
        #expect(RedirectTarget.isAllowed(url, for: Self.requestor, allowingAny: false))
    }

    @Test(arguments: [
        "https://evil.example/", "https://north-sport.example.evil.example/", "https://evilnorth-sport.example/",
        "https://north-sport.example@evil.example/", "https://evil.example\\@north-sport.example/",
        "https://evil.example\\.north-sport.example/", "https:/north-sport.example/", "https:north-sport.example/",
        "//north-sport.example/", "/done", "", "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x",
        "java\nscript:alert(1)", " https://north-sport.example/", "https://north-sport.example/\r\nSet-Cookie: a=b",
        "https://north-sport.example/a b", "https://north-sport.example:99999999/",
        "https://north-sport.example:65536/",
        "https://north-sport.example:8a/",
        "https://north-sport.examplé/", "other://x", "https://", "https://?north-sport.example",
        "https://evil.example#.north-sport.example", "https://evil.example?.north-sport.example",
        "https://north-sport.example./", "://north-sport.example", "1http://north-sport.example",
        "https://[::1]/", "https://%6eorth-sport.example/", "https://..north-sport.example/",
        "https://.north-sport.example/", "https://north-sport.example/\u{85}x",
        "https://north\u{AD}-sport.example/",
        "https://north-sport。example/", "\u{FF48}ttps://north-sport.example/", "https:///north-sport.example/",
        "https://north-sport.example:80@evil.example/", "https://north-sport.example\u{301}/", "https:\u{301}//x",
        "blob:https://north-sport.example/", "view-source:https://north-sport.example/", "hcplayerx://y",
    ])
    func `is nothing else, however it is spelt`(url: String) {
        #expect(!RedirectTarget.isAllowed(url, for: Self.requestor, allowingAny: false))
    }

    @Test func `is anywhere on the web under the development switch, but never code`() {
        #expect(RedirectTarget.isAllowed("http://localhost:3000/", for: Self.requestor, allowingAny: true))
        #expect(!RedirectTarget.isAllowed("javascript:alert(1)", for: Self.requestor, allowingAny: true))
        #expect(!RedirectTarget.isAllowed("https://a\r\nb", for: Self.requestor, allowingAny: true))
    }

    @Test func `is not too long`() {
        let long = "https://north-sport.example/" + String(repeating: "a", count: 4096)
        #expect(!RedirectTarget.isAllowed(long, for: Self.requestor, allowingAny: false))
    }
}
