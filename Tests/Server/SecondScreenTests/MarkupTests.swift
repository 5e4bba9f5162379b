import Clientless
import Entitlement
import HTTPServer
import Testing

@testable import ServerAPI

@Suite("Every page a person can meet")
struct MarkupTests {
    /// Walks every page and every problem in a language, and hands each document to `check`.
    static func visitAll(in language: String = "en", _ check: (String, String) async throws -> Void) async throws {
        try await ScreenFixture.with { fixture in
            func shown(_ name: String, _ page: ShownPage) async throws {
                #expect(page.response.headers["Content-Type"] == "text/html; charset=utf-8", "\(name)")
                #expect(page.response.headers.all("Content-Language") == [language], "\(name)")
                try await check(name, page.text)
            }
            let hostile = ScreenFixture.box(name: #"<b>"'&\#u{1}]]>"#, model: "x\u{202E}\u{FFFF}", software: nil)
            let code = try await fixture.code(hostile)
            let browser = Browser(fixture)
            browser.headers = [("Accept-Language", language)]
            try await shown("landing", browser.get("/"))
            try await shown("code", browser.get("/activate"))
            try await shown("code-filled", browser.get("/activate?code=\(code.text)"))
            try await shown("code-hostile", browser.get("/activate?code=%22%3E%3Cb%3E%00%26"))
            try await shown("code-wrong", browser.submit("/activate", [("code", "<b>\"'&")]))
            try await shown("provider", browser.submit("/activate", [("code", code.text)]))
            try await shown("provider-unpicked", browser.submit("/activate/provider"))
            try await shown("sign-in", browser.submit("/activate/provider", [("mvpd", "HarborFiber")]))
            try await shown("sign-in-refused", browser.signIn(account: #"a"><b>"#, password: "wrong"))
            try await shown("confirm", browser.signIn())
            try await shown("done", browser.decide("confirm"))
            try await shown("declined", browser.get("/activate/declined"))
            let far = try await fixture.code(
                ScreenFixture.box(name: nil, model: nil, address: "203.0.113.9"), requestor: ScreenFixture.strangeBrand)
            try await shown("confirm-far", browser.walkToConfirmation(far.text, mvpd: "HarborFiber"))
            for status in [400, 403, 404, 405, 429, 500, 502, 503] {
                let request = HTTPRequest(
                    method: .get, target: "/x", headers: HTTPHeaders([(name: "Accept-Language", value: language)]))
                let response = fixture.faces.screen.problemPage(HTTPStatus(status), for: request)
                try await shown("problem-\(status)", ShownPage(path: "/x", response: response))
            }
        }
        try await self.visitProvidersPages(in: language, check)
        try await self.visitBoxes(in: language, check)
    }

    /// The pages about a viewer's boxes, and the confirmation of a code that was read out.
    private static func visitBoxes(in language: String, _ check: (String, String) async throws -> Void) async throws {
        try await ScreenFixture.with(.init(takesReadOutCodes: true)) { fixture in
            let browser = Browser(fixture)
            browser.headers = [("Accept-Language", language)]
            try await check("boxes-sign-in", browser.get("/boxes").text)
            try await check("boxes-unpicked", browser.submit("/boxes", [("mvpd", "x")]).text)
            try await check("boxes-account", browser.submit("/boxes", [("mvpd", "CedarCable")]).text)
            try await check("boxes-none", browser.signIn(account: "few").text)
            for (device, name) in [("box", #"<b>"'&\#u{1}]]>"#), ("attic", "Attic")] {
                let code = try await fixture.code(ScreenFixture.box(name: name), device: device)
                try await browser.walkToConfirmation(code.text, account: "few")
                if device == "attic" {
                    try await check("read-out", browser.get("\(browser.page.path)&way=readOut").text)
                    try await check("read-out-unsaid", browser.decide("confirm").text)
                }
                try await check("done-channels", browser.decide("confirm", [("known", "yes")]).text)
            }
            try await browser.walkToBoxes(account: "few")
            try await check("boxes", browser.page.text)
            try await check("boxes-nameless", browser.changeFirstBox("name", [("name", " ")]).text)
            try await check("boxes-named", browser.changeFirstBox("name", [("name", "\"><b>")]).text)
            let notice = try #require(fixture.addedBoxes.first?.notice)
            try await check("new-box", browser.get("/boxes/new?notice=\(notice)").text)
            try await check("new-box-ended", browser.submit("/boxes/new").text)
            try await check("new-box-gone", browser.get("/boxes/new?notice=\(notice)").text)
            for account in ["all", "nothing", "many"] {
                let code = try await fixture.code(device: account)
                try await browser.walkToConfirmation(code.text, account: account)
                try await check("done-\(account)", browser.decide("confirm").text)
            }
        }
    }

    /// The pages on the way to a provider, and what it may answer.
    private static func visitProvidersPages(
        in language: String, _ check: (String, String) async throws -> Void
    ) async throws {
        let form = ProviderForm(to: "https://idp.example/?a=\"><b>", [.init("<b>", "\"'&\u{1}]]>")])
        for (name, handover) in [("redirect", ProviderForm?.none), ("form", form)] {
            try await ScreenFixture.with(.init(harbor: AwayProvider(handover))) { fixture in
                let code = try await fixture.code()
                for answer in ["", "declined", "no", "down", "settings", "forged", "again"] {
                    let browser = Browser(fixture)
                    browser.headers = [("Accept-Language", language)]
                    let page = try await browser.walkToSignIn(code.text, mvpd: "HarborFiber")
                    try await check("hand-over-\(name)", page.text)
                    let token = page.path.split(separator: "=").last.map(String.init) ?? ""
                    let target = "/sp/login/HarborFiber?state=\(token)&error=\(answer)"
                    try await check("answer-\(answer)", await browser.get(target).text)
                    if answer == "again" { try await check("answered", await browser.get(target).text) }
                    browser.cookies = [:]
                    try await check("other-browser", await browser.get(target).text)
                    try await check("over", await browser.get("/sp/login/HarborFiber?state=x").text)
                }
            }
        }
    }

    @Test func `Is well-formed`() async throws {
        #expect(try await Xmllint.accepts("<p>x</p>"))
        #expect(try await Xmllint.accepts("<p>x</q>") == false)
        try await Self.visitAll { name, document in
            let isAccepted = try await Xmllint.accepts(document)
            #expect(isAccepted, "\(name)")
        }
    }

    @Test func `Holds no code and no style of its own, and loads nothing from elsewhere`() async throws {
        try await Self.visitAll { name, document in
            #expect(document.matches(of: /<script(?![^>]* src="\/assets\/)/).isEmpty, "\(name)")
            #expect(document.matches(of: /<script[^>]*>[^<]/).isEmpty, "\(name)")
            #expect(document.matches(of: /<[^>]*\s(?:on[a-z]+|style)=/).isEmpty, "\(name)")
            #expect(document.matches(of: /<style|javascript:|<iframe|<object|<embed/).isEmpty, "\(name)")
            // The way to a provider is the one that leads elsewhere.
            if !name.hasPrefix("hand-over") {
                #expect(document.matches(of: /(?:href|src|action)="(?!\/|#)/).isEmpty, "\(name)")
            }
        }
    }

    @Test func `Has one heading, one main part, a language, a title, and a label for every field`() async throws {
        try await Self.visitAll { name, document in
            #expect(document.matches(of: /<h1[ >]/).count == 1, "\(name)")
            #expect(document.matches(of: /<main id="content"/).count == 1, "\(name)")
            // The language form is the last: a client that takes the first form of a page takes the page's own.
            #expect(document.firstMatch(of: /\/activate\/language.*<\/main>/.dotMatchesNewlines()) == nil, "\(name)")
            #expect(document.contains(#"<html lang="en" dir="ltr">"#), "\(name)")
            #expect(document.firstMatch(of: /<title>(.+) · Latchkey<\/title>/) != nil, "\(name)")
            #expect(document.contains(#"<meta name="viewport" content="width=device-width, initial-scale=1" />"#))
            for field in document.matches(of: /<input [^>]*\sid="([^"]+)"/) {
                #expect(document.contains(#"<label for="\#(field.1)">"#), "\(name): \(field.1)")
            }
            for image in document.matches(of: /<img [^>]*>/) { #expect(image.0.contains(#"alt=""#), "\(name)") }
            for reference in document.matches(of: /aria-describedby="([^"]+)"/) {
                for id in reference.1.split(separator: " ") {
                    #expect(document.contains(#"id="\#(id)""#), "\(name): \(id)")
                }
            }
            let ids = document.matches(of: /\sid="([^"]+)"/).map { String($0.1) }
            #expect(Set(ids).count == ids.count, "\(name)")
        }
    }

    @Test("Announces what is wrong", arguments: ["code-wrong", "provider-unpicked", "sign-in-refused", "problem-500"])
    func announced(_ wanted: String) async throws {
        var found = false
        try await Self.visitAll { name, document in
            if name == wanted { found = document.contains(#"role="alert""#) }
        }
        #expect(found)
    }
}
