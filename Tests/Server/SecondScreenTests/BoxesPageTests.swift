import Clientless
import Cryptography
import Entitlement
import Testing

@Suite("A viewer's boxes, on their page", .fixture)
struct BoxesPageTests {
    private let browser = Browser(fixture)

    /// Two boxes of `ada` at Cedar Cable, the attic the newer, and one of a neighbour.
    init() async throws {
        for (device, name, account) in [
            ("box", "Living room", "ada"), ("attic", "Attic", "ada"), ("next", "Next door", "bob"),
        ] {
            let code = try await fixture.code(ScreenFixture.box(name: name), device: device)
            try await Browser(fixture).pair(code.text, account: account)
            fixture.advance(by: .seconds(60))
        }
    }

    private static func names(_ page: ShownPage) -> [String] {
        page.text.matches(of: /<li class="box">\s*<h2 id="[^"]+">(.*?)<\/h2>/).map { ShownPage.unescaped(String($0.1)) }
    }

    @Test("are those of the account that signed in, the newest first, with what a viewer knows them by")
    func list() async throws {
        #expect(await browser.get("/boxes").heading == "My TVs")
        try await browser.submit("/boxes", [("mvpd", "CedarCable")]).expect(heading: "Sign in with Cedar Cable")
        // It is about no brand, and there is no code to decline.
        #expect(browser.page.shows("To see the TVs that you are signed in on."))
        #expect(browser.page.form("/activate/decline")?.count == nil)
        try await browser.signIn()
        #expect(browser.page.path.hasPrefix("/boxes?attempt="))
        #expect(Self.names(browser.page) == ["Attic", "Living room"])
        for words in [
            "You are signed in on 2 TVs with Cedar Cable.", "NS-BOX-2", "Northstar TV", "Nothing lately",
            "192.0.2.x", "1 January 2026", "31 January 2026",
        ] { #expect(browser.page.shows(words), "\(words)") }
        await fixture.store.close()
        await browser.get(browser.page.path).expect(
            503, shows: "Nothing has changed on your TVs.", contains: #"href="/boxes?attempt="#)
    }

    @Test func `say when they were last used`() async throws {
        let context = fixture.domain.signIns.context(DeviceID("attic")!, appID: nil, deviceUser: nil)
        let signIn = try await fixture.domain.signIns.signedIn(context, ScreenFixture.brand, now: fixture.now)
        _ = try await fixture.domain.decisions.authorize(
            Resource("Sport 1")!, by: signIn, requestor: ScreenFixture.brand, now: fixture.now)
        fixture.advance(by: .seconds(7200))
        try await browser.walkToBoxes().expect(shows: "2 hours ago")
        #expect(browser.page.text.matches(of: /Nothing lately/).count == 1)
    }

    @Test("of another account are neither shown nor ended, whatever a form says")
    func others() async throws {
        let neighbour = Browser(fixture)
        try await neighbour.walkToBoxes(account: "bob")
        #expect(Self.names(neighbour.page) == ["Next door"])
        let theirs = try #require(neighbour.page.form("/boxes/change")?.first { $0.0 == "box" }?.1)
        try await browser.walkToBoxes()
        let fields = [("change", "name"), ("box", theirs), ("name", "Mine")]
        try await browser.submit("/boxes/change", fields).expect(alert: "This TV is not signed in any more.")
        try await browser.submit("/boxes/change", [("change", "end"), ("box", theirs)])
        #expect(Self.names(browser.page) == ["Attic", "Living room"])
        await neighbour.get(neighbour.page.path)
        #expect(Self.names(neighbour.page) == ["Next door"])
        // Nor at another provider, where somebody else may have the same name.
        try await browser.walkToBoxes(mvpd: "HarborFiber").expect(
            shows: "You are signed in on no TV with Harbor Fiber.")
    }

    @Test func `get the names that their viewer gives them, on the page and in the list of a box`() async throws {
        try await browser.walkToBoxes()
        try await browser.changeFirstBox("name", [("name", "  ")]).expect(alert: "Please type a name.")
        try await browser.changeFirstBox("name", [("name", "<b>Den</b>")]).expect(shows: "The new name is saved.")
        #expect(Self.names(browser.page) == ["<b>Den</b>", "Living room"])
        #expect(browser.page.text.contains("&lt;b&gt;Den&lt;/b&gt;"))
        let context = fixture.domain.signIns.context(DeviceID("box")!, appID: nil, deviceUser: nil)
        let standing = try await fixture.domain.signIns.deviceStanding(
            of: context, requestor: ScreenFixture.brand, now: fixture.now)
        guard case .signedIn(let own) = standing else { return #expect(Bool(false), "the box is not signed in") }
        let list = try await fixture.domain.boxes.list(for: own, requestor: ScreenFixture.brand, now: fixture.now)
        #expect(list.boxes.map(\.name) == ["Living room", "<b>Den</b>"])
    }

    @Test func `are signed out one by one, and a form sent twice does no harm`() async throws {
        try await browser.walkToBoxes()
        let path = browser.page.path
        let form = try #require(browser.page.form("/boxes/change"))
        for news in ["Attic is signed out.", "The TV is signed out."] {
            await browser.post("/boxes/change", form + [("change", "end")])
            await browser.follow().expect(shows: news)
            #expect(Self.names(browser.page) == ["Living room"])
        }
        #expect(await browser.get(path).shows("You are signed in on 1 TV with Cedar Cable."))
        // There is one that could be signed out, and that is said beside it.
        #expect(!browser.page.shows("Sign out all TVs"))
    }

    @Test func `are signed out all at once, after a page that asks`() async throws {
        let code = try await fixture.code(ScreenFixture.box(name: "Kitchen"), device: "kitchen")
        try await Browser(fixture).pair(code.text)
        try await browser.walkToBoxes()
        #expect(Self.names(browser.page) == ["Kitchen", "Attic", "Living room"])
        let link = try #require(browser.page.text.firstMatch(of: /href="(\/boxes\/all[^"]*)"/))
        await browser.get(ShownPage.unescaped(String(link.1))).expect(heading: "Sign out all TVs?")
        try await browser.submit("/boxes/change", [("change", "end-all")])
        #expect(browser.page.shows("All your TVs are signed out.") && Self.names(browser.page).isEmpty)
        let neighbour = Browser(fixture)
        try await neighbour.walkToBoxes(account: "bob")
        #expect(Self.names(neighbour.page) == ["Next door"])
    }

    @Test("are shown to no browser but the one that signed in, for a quarter of an hour at most, and not after the end")
    func notForOthers() async throws {
        try await browser.walkToBoxes()
        let path = browser.page.path
        let thief = Browser(fixture)
        await thief.get("/boxes")
        #expect(await thief.get(path).status == 403)
        #expect(!thief.page.shows("Attic"))
        await browser.get(path)
        try await browser.submit("/boxes/over")
        #expect(browser.page.heading == "My TVs" && Self.names(browser.page).isEmpty)
        await browser.get(path)
        await browser.follow()
        #expect(Self.names(browser.page).isEmpty)
        try await browser.walkToBoxes()
        let later = browser.page.path
        fixture.advance(by: .seconds(16 * 60))
        #expect(await browser.get(later).status == 403)
        #expect(browser.page.shows("Choose your TV provider again"))
    }

    @Test("come of no wrong password, of no free preview and of no login that was not taken to its end")
    func proof() async throws {
        await browser.get("/boxes")
        #expect(!browser.page.text.contains(#"value="FreePreview""#))
        try await browser.submit("/boxes", [("mvpd", "FreePreview")]).expect(
            alert: "Please pick one of these TV providers.")
        try await browser.submit("/boxes", [("mvpd", "CedarCable")])
        let token = try #require(browser.page.path.split(separator: "=").last)
        await browser.get("/boxes?attempt=\(token)")
        await browser.follow().expect(heading: "Sign in with Cedar Cable")
        try await browser.signIn(password: "wrong")
        #expect(browser.page.status == 403 && Self.names(browser.page).isEmpty)
        try await browser.signIn(account: "down").expect(
            502, shows: "Nothing has changed on your TVs.", contains: #"href="/boxes""#)
    }

    @Test("rest on a login that signs no box in: its page is no confirmation, and its code is no code")
    func noSignIn() async throws {
        try await browser.walkToBoxes()
        let token = try #require(browser.page.path.split(separator: "=").last)
        #expect(Self.names(browser.page).count == 2)
        await browser.get("/activate/confirm?attempt=\(token)").expect(location: "/boxes?attempt=\(token)")
        let code = try await fixture.code(device: "other")
        try await browser.walkToConfirmation(code.text)
        let form = try #require(browser.page.form("/activate/confirm")).filter { $0.0 == "form_token" }
        await browser.post("/activate/confirm", form + [("attempt", String(token)), ("decision", "confirm")])
            .expect(location: "/boxes?attempt=\(token)")
        let session = Base64.decodeURL(try #require(browser.cookies["latchkey"]))
        let view = try await fixture.domain.logins.login(
            String(token), browser: Entitlement.Browser(Secret(try #require(session))), now: fixture.now)
        let stranger = Browser(fixture)
        await stranger.get("/activate")
        try await stranger.submit("/activate", [("code", view.record.code.text)])
        #expect(stranger.page.alert?.hasPrefix("This code is not valid") == true)
        await browser.get("/boxes?attempt=\(token)")
        #expect(Self.names(browser.page).count == 2)
    }

    @Test func `leave what this browser knows of the code it confirmed`() async throws {
        let code = try await fixture.code()
        try await browser.pair(code.text)
        try await browser.walkToBoxes()
        await browser.get("/activate")
        try await browser.submit("/activate", [("code", code.text)]).expect(heading: "Done. Look at your TV")
    }

    @Test func `are shown in the viewer's language, which can be changed on the way`() async throws {
        try await browser.walkToBoxes()
        try await browser.submit("/activate/language", [("language", "pl")]).expect(
            heading: "Moje telewizory", shows: "Jesteś zalogowany na 2 telewizorach z kontem Cedar Cable.")
    }

    @Test("are for providers with pages of their own, too", .fixture(.init(harbor: AwayProvider(nil))))
    func away() async throws {
        await browser.get("/boxes")
        try await browser.submit("/boxes", [("mvpd", "HarborFiber")]).expect(shows: "come back here to see your TVs")
        let token = try #require(browser.page.path.split(separator: "=").last)
        await browser.get("/sp/login/HarborFiber?state=\(token)&error=declined").expect(
            heading: "You are not signed in", shows: "Nothing has changed on your TVs.", contains: #"href="/boxes""#)
    }
}
