import Clientless
import Entitlement
import Testing

@Suite("A box that is new to its viewer", .fixture)
struct NewBoxTests {
    @Test func `is told of once: not again when it signs in anew, and not for a free preview`() async throws {
        try await Browser(fixture).pair(try await fixture.code().text)
        try await Browser(fixture).pair(try await fixture.code().text)
        #expect(fixture.addedBoxes.count == 1)
        let told = try #require(fixture.addedBoxes.first)
        #expect(told.account == "ada" && told.provider.id == ScreenFixture.cedar)
        #expect(told.name == "Living room" && told.model == "NS-BOX-2" && told.network == "192.0.2.0")
        // A declined one signs nothing in.
        let browser = Browser(fixture)
        try await browser.walkToConfirmation(try await fixture.code(device: "declined").text)
        try await browser.decide("decline")
        try await browser.walkToSignIn(try await fixture.code(device: "preview").text, mvpd: "FreePreview")
        try await browser.decide("confirm")
        #expect(fixture.addedBoxes.count == 1)
        try await Browser(fixture).pair(try await fixture.code(device: "attic").text)
        try await Browser(fixture).pair(try await fixture.code(device: "attic").text, account: "bob")
        #expect(fixture.addedBoxes.map(\.account) == ["ada", "ada", "bob"])
    }

    @Test("is signed out by “This was not me”, which says what to do; looking at the page does nothing")
    func notMe() async throws {
        let code = try await fixture.code()
        try await Browser(fixture).pair(code.text)
        try await Browser(fixture).pair(try await fixture.code(device: "attic").text)
        let notice = try #require(fixture.addedBoxes.first?.notice)
        let viewer = Browser(fixture)
        for _ in 0..<2 {
            await viewer.get("/boxes/new?notice=\(notice)").expect(
                heading: "Was this you?",
                shows: "A TV was signed in with your Cedar Cable account, to watch Northstar TV.", "Living room",
                "192.0.2.x")
            #expect(try await fixture.isSignedIn(code))
        }
        try await viewer.submit("/boxes/new").expect(
            heading: "The TV is signed out", shows: "Change the password of your account at your TV provider.")
        let context = fixture.domain.signIns.context(DeviceID("box")!, appID: nil, deviceUser: nil)
        let standing = try await fixture.domain.signIns.deviceStanding(
            of: context, requestor: ScreenFixture.brand, now: fixture.now)
        if case .signedIn = standing { Issue.record("the box is still signed in") }
        // The other box stays, and the notice opens nothing more.
        try await viewer.walkToBoxes().expect(shows: "You are signed in on 1 TV with Cedar Cable.")
        #expect(await viewer.get("/boxes/new?notice=\(notice)").heading == "This TV is not signed in")
    }

    @Test("is signed out by no made-up notice, and by no form of another site")
    func forged() async throws {
        let code = try await fixture.code()
        try await Browser(fixture).pair(code.text)
        let notice = try #require(fixture.addedBoxes.first?.notice)
        let browser = Browser(fixture)
        let id = notice.prefix { $0 != "-" }
        let last = notice.hasSuffix("0") ? "1" : "0"
        for made in ["", "x", "-", "\(id)", "\(id)-", "\(id)-00", "\(notice.dropLast())\(last)", "\(notice)0"] {
            await browser.get("/boxes/new?notice=\(made)")
            #expect(browser.page.heading == "This TV is not signed in", "\(made)")
        }
        await browser.get("/boxes/new?notice=\(notice)")
        let form = try #require(browser.page.form("/boxes/new"))
        await browser.post("/boxes/new", form, headers: [("Sec-Fetch-Site", "cross-site")]).expect(403)
        await browser.post("/boxes/new", [("notice", notice)]).expect(403)
        #expect(try await fixture.isSignedIn(code))
    }
}
