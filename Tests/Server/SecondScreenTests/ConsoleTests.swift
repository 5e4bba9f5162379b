import Clientless
import Entitlement
import HTTPServer
import Observability
import Testing

@testable import ServerAPI

/// The operator's pages over the domain of a fixture.
private struct ConsoleFixture {
    let screen: ScreenFixture
    let router: Router

    init(warnings: [String] = [], asksEveryone: Bool = false, mostNamesRead: Int = 2000) throws {
        let screen = fixture
        self.screen = screen
        var parts = OperatorConsole.Parts(
            domain: screen.domain, metrics: Metrics(), warnings: { warnings }, logger: .silent,
            now: { screen.now }, uptime: { .milliseconds(screen.now.milliseconds) })
        parts.facts = { [("Version", "1.2.3")] }
        parts.explain = { resource, box, _ in
            ([("rules", "none is about \(resource.text)")], false)
        }
        (parts.asksEveryone, parts.mostNamesRead) = (asksEveryone, mostNamesRead)
        self.router = try OperatorConsole(parts).router()
    }

    /// A browser of this machine.
    func local() throws -> Browser {
        let browser = try Browser(self.router, address: "127.0.0.1")
        browser.host = "localhost:8901"
        return browser
    }

    func remote() throws -> Browser { try Browser(self.router, address: "192.0.2.77") }

    func client(
        _ scopes: [Scope] = [.devices], requestors: [RequestorID] = [ScreenFixture.brand, ScreenFixture.strangeBrand]
    ) async throws -> (id: String, secret: String) {
        let credentials = self.screen.domain.credentials
        let application = try await credentials.registerApplication(
            name: "Console", version: "1", requestors: requestors, redirectTargets: [], scopes: scopes,
            isServerToServer: false, actor: "fixture", now: self.screen.now)
        let issued = try await credentials.registerClient(
            of: application, redirectURIs: [], by: Guesser(.v4(0xC000_0201)), now: self.screen.now)
        return (issued.record.clientID, issued.secret)
    }

    /// A box that a viewer called `ada` signed in at the Cedar Cable.
    func signedInBox(_ credential: BoxCredential? = nil) async throws {
        let code = try await self.screen.code(credential: credential)
        let viewer = Browser(self.screen)
        try await viewer.walkToConfirmation(code.text)
        try await viewer.decide("confirm")
    }

    func actions() async throws -> [String] {
        try await self.screen.domain.operations.auditEntries(limit: 10).map { "\($0.actor): \($0.action)" }
    }
}

@Suite("The operator's console", .fixture)
struct ConsoleTests {
    private let fixture: ConsoleFixture

    init() throws { self.fixture = try ConsoleFixture() }

    @Test("Is open to callers of this machine, and to no others without signing in")
    func access() async throws {
        let local = try fixture.local()
        #expect(await local.get("/").heading == "Overview")
        for path in ["/", "/boxes", "/audit"] {
            #expect(try await fixture.remote().get(path).heading == "Sign in", "\(path)")
            let forwarded = try fixture.local()
            forwarded.headers = [("X-Forwarded-For", "192.0.2.9")]
            #expect(await forwarded.get(path).heading == "Sign in", "\(path)")
            // A foreign site whose name leads to this machine.
            let rebound = try fixture.local()
            rebound.host = "attacker.example:8901"
            #expect(await rebound.get(path).heading == "Sign in", "\(path)")
        }
        #expect(try await ConsoleFixture(asksEveryone: true).local().get("/").heading == "Sign in")
    }

    @Test("Shows an open code by its beginning, and cancels it, which its box is told")
    func cancel() async throws {
        let code = try await fixture.screen.code()
        let local = try fixture.local()
        let page = await local.get("/")
        #expect(page.shows("\(code.text.prefix(3))-…") && page.shows("Living room") && page.shows("NORTHSTAR"))
        #expect(!page.text.contains(code.text) && !page.text.contains(code.grouped))
        #expect(!page.text.contains("/box?box="), "a box without a sign-in has no page")
        try await local.submit("/codes/cancel")
        #expect(local.page.path == "/?done=cancelled" && local.page.shows("The code is cancelled"))
        #expect(try await fixture.screen.standing(of: code) == .cancelled)
        #expect(try await fixture.actions() == ["console: code.cancel"])
        #expect(local.page.shows("No code is open."))
        let entries = try await fixture.screen.domain.operations.auditEntries(limit: 1)
        #expect(entries.allSatisfy { !$0.subject.contains(code.text) && $0.subject.hasPrefix("device ") })
    }

    @Test("Says of a code that is over, and of a handle that is none, that there is nothing to cancel")
    func gone() async throws {
        _ = try await fixture.screen.code(lifetime: .seconds(60))
        let local = try fixture.local()
        await local.get("/")
        let form = try #require(local.page.form("/codes/cancel"))
        fixture.screen.advance(by: .seconds(61))
        await local.post("/codes/cancel", form).expect(location: "/?done=gone")
        for handle in ["", "x", String(repeating: "A", count: 300)] {
            await local.post("/codes/cancel", form.filter { $0.0 != "code" } + [("code", handle)])
            #expect(local.page.location == "/?done=gone", "\(handle)")
        }
        #expect(try await fixture.actions().isEmpty)
    }

    @Test("Takes no form of a foreign page, of another form, or of a browser that was shown none")
    func forgery() async throws {
        let code = try await fixture.screen.code()
        let local = try fixture.local()
        await local.get("/")
        let form = try #require(local.page.form("/codes/cancel"))
        let handle = form.filter { $0.0 == "code" }
        let other = try #require(await local.get("/boxes").form("/boxes"))
        #expect(await local.post("/codes/cancel", handle).status == 403)
        #expect(await local.post("/codes/cancel", handle + other).status == 403)
        #expect(await local.post("/codes/cancel", form, headers: [("Sec-Fetch-Site", "cross-site")]).status == 403)
        #expect(await local.post("/codes/cancel", form, headers: [("Origin", "https://a.example")]).status == 403)
        #expect(try await fixture.local().post("/codes/cancel", form).status == 403)
        // Without signing in a form is answered by the page that asks for it.
        #expect(try await fixture.remote().post("/codes/cancel", form).heading == "Sign in")
        #expect(try await fixture.screen.standing(of: code) != .cancelled)
        #expect(try await fixture.actions().isEmpty)
    }

    @Test("Lets a management client in that has everything, until it signs out, its credential ends or its day is over")
    func signIn() async throws {
        let client = try await fixture.client()
        let remote = try fixture.remote()
        func signIn() async throws {
            await remote.get("/")
            let fields = [("client", client.id), ("secret", client.secret)]
            try await remote.submit("/sign-in", fields).expect(heading: "Overview")
            #expect(!remote.page.text.contains(client.secret))
        }
        try await signIn()
        try await remote.submit("/sign-out").expect(heading: "Sign in")
        try await signIn()
        fixture.screen.advance(by: .seconds(12 * 3600))
        #expect(await remote.get("/audit").heading == "Sign in")
        try await signIn()
        _ = try await fixture.screen.code()
        await remote.get("/")
        try await remote.submit("/codes/cancel")
        #expect(try await fixture.actions().first == "console, client \(client.id): code.cancel")
        #expect(
            try await fixture.screen.domain.credentials.revokeClient(
                client.id, actor: "fixture", now: fixture.screen.now))
        #expect(await remote.get("/").heading == "Sign in")
    }

    @Test("Refuses a client that lacks a scope or a brand, a wrong secret, and too many tries")
    func refused() async throws {
        let lacksScope = try await fixture.client([.analytics])
        let lacksBrand = try await fixture.client(requestors: [ScreenFixture.brand])
        let good = try await fixture.client()
        let remote = try fixture.remote()
        await remote.get("/")
        for (id, secret) in [lacksScope, lacksBrand, (good.id, "wrong"), ("", ""), ("nobody", good.secret)] {
            try await remote.submit("/sign-in", [("client", id), ("secret", secret)])
            #expect(remote.page.status == 403 && remote.page.alert != nil, "\(id)")
        }
        for _ in 0..<20 { try await remote.submit("/sign-in", [("client", "x"), ("secret", "x")]) }
        #expect(remote.page.status == 429)
        #expect(await remote.get("/").heading == "Sign in")
    }

    @Test("A session begins with a cookie that no browser had before, out of the reach of scripts and other sites")
    func cookie() async throws {
        let client = try await fixture.client()
        let remote = try fixture.remote()
        let first = try #require(await remote.get("/").response.headers["Set-Cookie"])
        #expect(first.wholeMatch(of: /latchkey-console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict/) != nil)
        let form = try #require(remote.page.form("/sign-in"))
        await remote.post("/sign-in", form + [("client", client.id), ("secret", client.secret)])
        let second = try #require(remote.page.response.headers["Set-Cookie"])
        #expect(first != second && remote.page.status == 303)
        // A link of another site comes without the cookie, and its page must not replace it.
        let led = try fixture.remote()
        led.headers = [("Sec-Fetch-Site", "cross-site")]
        for path in ["/", "/sign-in"] {
            await led.get(path).expect(403, heading: "One more step", contains: #"<a class="button" href="/">"#)
        }
        for path in ["/audit", "/sign-in"] { #expect(await led.post(path, []).status == 403) }
        #expect(led.cookies.isEmpty)
    }

    @Test("Lists boxes by brand, provider and viewer, says which field names nothing, and signs a box out")
    func boxes() async throws {
        try await fixture.signedInBox()
        let local = try fixture.local()
        #expect(await local.get("/boxes").shows("Living room"))
        let name = try #require(local.page.text.firstMatch(of: /\/box\?box=([0-9a-f]{8}-[0-9a-f]{8})/)?.1)
        for part in [String(name), String(name.prefix(8)), "living"] {
            #expect(try await ask("box", part).shows("Living"))
        }
        #expect(try await ask("box", "kitchen").shows("No box that fits is signed in."))
        let few = try ConsoleFixture(mostNamesRead: 0).local()
        await few.get("/boxes")
        let cut = try await few.submit("/boxes", [("box", "living")])
        #expect(cut.shows("Only the names of the newest 0 boxes were looked at") && !cut.shows("No box that fits"))
        let box = await local.get("/box?box=\(name)&channel=Sport%201")
        box.expect(heading: "Living room", shows: "none is about Sport 1", "It may not play.", "CedarCable")
        #expect(box.text.contains(#"value="Sport 1" maxlength="8192""#))
        #expect(await local.get("/box?box=0123456789abcdef").status == 404)
        await local.get("/boxes")
        func ask(_ field: String, _ value: String) async throws -> ShownPage {
            try await local.submit("/boxes", [(field, value)])
        }
        #expect(try await ask("requestor", "NORTHSTAR").shows("Living room"))
        #expect(try await ask("requestor", "SOUTHSTAR").shows("No box that fits is signed in."))
        #expect(try await ask("provider", "CedarCable").shows("Living room"))
        #expect(try await ask("provider", "HarborFiber").shows("No box that fits is signed in."))
        let elsewhere = [("box", String(name)), ("provider", "HarborFiber")]
        #expect(try await !local.submit("/boxes", elsewhere).text.contains("/box?box="))
        let pseudonym = fixture.screen.domain.keys.userID("ada", of: ScreenFixture.cedar)
        #expect(try await ask("viewer", pseudonym).shows("Living room"))
        for (field, name) in [("requestor", "Requestor"), ("provider", "TV provider"), ("viewer", "Viewer")] {
            let page = try await ask(field, "n<b>")
            #expect(page.status == 400 && page.alert?.hasPrefix("\(name):") == true, "\(field)")
            #expect(!page.text.contains("<b>"))
        }
        await local.get("/boxes")
        try await local.submit("/boxes/sign-out")
        #expect(local.page.path == "/boxes?done=ended" && local.page.shows("No box that fits is signed in."))
        #expect(try await ask("box", String(name)).shows("No box that fits is signed in."))
        #expect(local.page.shows("Signed out lately") && local.page.text.contains("/box?box=\(name)"))
        #expect(try await !local.submit("/boxes", elsewhere).text.contains("/box?box="))
        #expect(try await fixture.actions() == ["console: box.sign-out"])
        #expect(await local.get("/audit").shows("box signed out"))
        try await fixture.signedInBox()
        fixture.screen.advance(by: .seconds(400 * 86_400))
        await local.get("/boxes")
        for part in ["", "living"] { #expect(try await ask("box", part).shows("No box that fits")) }
        #expect(try await ask("box", String(name)).text.contains("/box?box="))
        let operations = fixture.screen.domain.operations
        let record = try #require(try await operations.boxes(.all, limit: 1).boxes.first?.signIns.first)
        _ = try await operations.deleteRecord(record.id, actor: "op", now: fixture.screen.now)
        #expect(await local.get("/audit").text.contains(#"<a href="/box?box=\#(name)">record "#))
        #expect(await local.get("/box?box=\(name)").shows("sign in ended"))
    }

    @Test("Names the key pair of a box, also when it is signed out, and revokes it behind a page that asks")
    func credential() async throws {
        let credentials = fixture.screen.domain.credentials
        let pair = try await credentials.issueKeyPair(
            for: [ScreenFixture.brand], label: "Flat 3", actor: "fixture", now: fixture.screen.now)
        let key = pair.record.publicKey
        try await fixture.signedInBox(.keyPair(key))
        let local = try fixture.local()
        await local.get("/boxes")
        let name = try #require(local.page.text.firstMatch(of: /\/box\?box=([0-9a-f]{8}-[0-9a-f]{8})/)?.1)
        try await local.submit("/boxes/sign-out")
        #expect(await local.get("/box?box=\(name)").shows("key pair \(key) (Flat 3), in use"))
        #expect(await local.get("/box/revoke?box=\(name)&credential=key/other").status == 404)
        // Who may end sign-ins alone is shown no way to it, and finds none.
        let (support, client) = (try fixture.remote(), try await fixture.client())
        await support.get("/")
        try await support.submit("/sign-in", [("client", client.id), ("secret", client.secret)])
        #expect(await support.get("/box?box=\(name)").text.contains("/box/revoke") == false)
        #expect(await support.get("/box/revoke?box=\(name)&credential=key/\(key)").status == 404)
        let question = await local.get("/box/revoke?box=\(name)&credential=key/\(key)")
        #expect(question.heading == "Revoke the key pair \(key)?" && credentials.key(key) != nil)
        try await local.submit("/box/revoke").expect(shows: "key pair \(key) (Flat 3), revoked")
        #expect(try await fixture.actions().first == "console: key-pair.revoke")
        #expect(await local.get("/box/revoke?box=\(name)&credential=key/\(key)").status == 404)
    }

    @Test("Shows the changes that are asked for by subject, actor and time, and says what it cannot read")
    func audit() async throws {
        let (screen, local) = (fixture.screen, try fixture.local())
        let now = screen.now
        for (number, subject) in ["account <anna>", "account ben"].enumerated() {
            try await screen.domain.operations.log(
                "user.password", of: subject, actor: "user \(1000 + number)",
                now: now + .seconds(Int64(number) * 86_400))
        }
        func ask(_ name: String, _ value: String) async throws -> [Bool] {
            await local.get("/audit")
            try await local.submit("/audit", [(name, value)])
            return ["account &lt;anna&gt;", "account ben"].map(local.page.text.contains)
        }
        #expect(try await ask("subject", "ANNA") == [true, false])
        #expect(try await ask("actor", "1001") == [false, true])
        #expect(try await ask("actor", "nobody") == [false, false])
        #expect(local.page.shows("No change that fits."))
        #expect(try await ask("since", (now + .seconds(60)).timeText) == [false, true])
        #expect(try await ask("until", (now + .seconds(60)).timeText) == [true, false])
        #expect(local.page.alert == nil)
        for (name, value) in [
            ("since", "yesterday"), ("until", "2026-13-01"), ("subject", String(repeating: "x", count: 257)),
        ] {
            #expect(try await ask(name, value) == [false, false])
            #expect(local.page.status == 400 && local.page.alert != nil, "\(name)")
        }
    }

    @Test("Counts what boxes did in the last hour and day, and says what the configuration should not have")
    func overview() async throws {
        let fixture = try ConsoleFixture(warnings: ["the <public> URL is not https"])
        try await fixture.signedInBox()
        try await fixture.screen.domain.reports.keep()
        let page = try await fixture.local().get("/")
        #expect(page.shows("the <public> URL is not https") && !page.text.contains("<public>"))
        #expect(page.text.matches(of: /Boxes signed in<\/span> <strong>1<\/strong>/).count == 2)
        #expect(page.text.matches(of: /Codes made<\/span> <strong>1<\/strong>/).count == 2)
        #expect(page.shows("Cedar Cable") && page.shows("a trial; no provider is asked"))
        fixture.screen.advance(by: .seconds(3600))
        let later = try await fixture.local().get("/")
        #expect(later.text.matches(of: /Boxes signed in<\/span> <strong>1<\/strong>/).count == 1)
    }

    @Test func `Is well-formed on every page, without scripts, and loads nothing from elsewhere`() async throws {
        let fixture = try ConsoleFixture(warnings: ["x & <y>"])
        try await fixture.signedInBox()
        _ = try await fixture.screen.code(ScreenFixture.box(name: #"<b>"'&\#u{1}]]>"#, model: "x\u{202E}"))
        let (local, remote) = (try fixture.local(), try fixture.remote())
        for browser in [local, remote] {
            for path in ["/", "/boxes", "/audit", "/sign-in", "/nowhere"] {
                let page = await browser.get(path)
                #expect(try await Xmllint.accepts(page.text), "\(path)")
                #expect(page.text.matches(of: /<h1[ >]/).count == 1, "\(path)")
                #expect(page.text.matches(of: /<script|<[^>]*\s(?:on[a-z]+|style)=/).isEmpty, "\(path)")
                #expect(page.text.matches(of: /(?:href|src|action)="(?!\/|#)/).isEmpty, "\(path)")
                let policy = page.response.headers.all("Content-Security-Policy")
                #expect(
                    policy == [
                        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
                            + "frame-ancestors 'none'; base-uri 'none'"
                    ], "\(path)")
                #expect(page.response.headers["Cache-Control"] == "no-store", "\(path)")
                for file in page.text.matches(of: /<(?:link|img)[^>]* (?:href|src)="([^"]+)"/) {
                    #expect(await browser.get(String(file.1)).status == 200, "\(file.1)")
                }
            }
        }
    }
}
