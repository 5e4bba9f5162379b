import Clientless
import Entitlement
import HTTPServer
import ServerAPI
import TestSupport
import Testing

@Suite("A person with a phone", .fixture)
struct FlowTests {
    private let browser = Browser(fixture)
    private let code: RegistrationCodeText

    init() async throws { self.code = try await fixture.code() }

    @Test func `Enters the code, picks a provider, signs in and confirms, and the box is signed in`() async throws {
        await browser.get("/").expect(heading: "Sign in on your TV with your phone")
        await browser.get("/activate").expect(heading: "Enter the code from your TV")
        try await browser.submit("/activate", [("code", code.text)]).expect(heading: "Who is your TV provider?")
        try await browser.submit("/activate/provider", [("mvpd", "CedarCable")]).expect(
            heading: "Sign in with Cedar Cable")
        try await browser.signIn().expect(heading: "Is this TV in front of you?")
        #expect(try await fixture.isSignedIn(code) == false)
        try await browser.decide("confirm").expect(
            heading: "Done. Look at your TV", shows: "Northstar TV is now signed in with Cedar Cable.")
        #expect(try await fixture.isSignedIn(code))
    }

    @Test("Types the code as people do", arguments: ["lower", "spaces", "hyphen", "dashes and blanks"])
    func spelling(_ way: String) async throws {
        let typed =
            switch way {
            case "lower": code.text.lowercased()
            case "spaces": code.text.map(String.init).joined(separator: " ")
            case "hyphen": code.grouped
            default: " \(code.text.prefix(2).lowercased())- -\(code.text.dropFirst(2)) "
            }
        await browser.get("/activate")
        try await browser.submit("/activate", [("code", typed)]).expect(heading: "Who is your TV provider?")
    }

    @Test func `Who scans the QR code picks the provider at once, and sees which TV it is for`() async throws {
        await browser.get("/activate?code=\(code.text.lowercased())").expect(
            200, heading: "Who is your TV provider?", shows: code.grouped, "The TV calls itself Living room.")
        #expect(browser.page.alert == nil)
        await browser.get("/activate?code=BCDFGHJ").expect(400)
        #expect(browser.page.alert?.hasPrefix("This code is not valid, or not any more.") == true)
    }

    @Test("Who scans the short address finds the code filled in, whatever its case", arguments: ["/G/", "/g/"])
    func shortAddress(_ path: String) async throws {
        for text in [code.text, code.text.lowercased()] {
            await browser.get(path + text).expect(303, location: "/activate?code=\(code.text)")
            await browser.follow().expect(contains: #"value="\#(code.text)""#)
        }
    }

    @Test("The short address tells no guesser whether there is such a code, and leads to no other place")
    func shortAddressOfGuesses() async throws {
        var shapes: Set<[Int]> = []
        for text in [code.text, "BCDFGHJ"] {
            let page = await browser.get("/G/\(text)")
            #expect(page.location == "/activate?code=\(text)")
            shapes.insert([page.status, page.text.utf8.count, page.response.headers.all("Set-Cookie").count])
        }
        #expect(shapes.count == 1)
        for _ in 0..<200 { await browser.get("/G/BCDFGHJ") }
        #expect(browser.page.status == 303)
        for text in ["%22%3E%3Cscript", "a", "%0D%0ASet-Cookie:x", "..%2F..%2Fevil.example"] {
            #expect(await browser.get("/G/\(text)").location == "/activate")
        }
    }

    @Test func `The box hears that the code was entered, and not that a page with it was opened`() async throws {
        await browser.get("/activate?code=\(code.text)")
        #expect(try await fixture.standing(of: code) == .open(.waiting, refusal: nil))
        await browser.get("/activate")
        try await browser.submit("/activate", [("code", code.text)]).expect(heading: "Who is your TV provider?")
        #expect(try await fixture.standing(of: code) == .open(.opened, refusal: nil))
        try await browser.submit("/activate/provider", [("mvpd", "CedarCable")])
        #expect(try await fixture.standing(of: code) == .open(.loggingIn, refusal: nil))
        await browser.get("/activate?code=\(code.text)")
        try await browser.submit("/activate/provider", [("mvpd", "CedarCable")])
        #expect(try await fixture.standing(of: code) == .open(.loggingIn, refusal: nil))
    }

    @Test func `Whoever made the address with the code wrote only text`() async throws {
        await browser.get("/activate?code=%22%3E%3Cscript%3Ealert(1)%3C/script%3E").expect(
            contains: #"value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;""#)
    }

    @Test func `The provider the box chose comes first and says so`() async throws {
        let code = try await fixture.code(mvpd: ScreenFixture.harbor)
        await browser.get("/activate/provider?code=\(code.text)")
        let page = browser.page.text
        let harbor = try #require(page.firstRange(of: "Harbor Fiber"))
        #expect(harbor.lowerBound < (try #require(page.firstRange(of: "Cedar Cable"))).lowerBound)
        #expect(browser.page.text.matches(of: /Chosen on your TV/).count == 1)
    }

    @Test(
        "Entering a code whose provider the box chose skips the picker, if the picker has that provider",
        arguments: [("HarborFiber", true), ("NoSuch", false), ("PromoHour", false)])
    func skippedPicker(name: String, isSkipped: Bool) async throws {
        let mvpd = try #require(MVPDID(name))
        let code = try await fixture.code(mvpd: mvpd)
        await browser.get("/activate")
        try await browser.submit("/activate", [("code", code.text)])
        let path = browser.page.path
        #expect(browser.page.status == 200)
        #expect(path.hasPrefix(isSkipped ? "/activate/sign-in" : "/activate/provider"), "\(path)")
    }

    @Test func `Pictures of providers come from this server or not at all`() async throws {
        let picture = try Picture(SamplePicture.png(), atMost: LogoShelf.maximumSize)
        #expect(fixture.settings.logos.put(picture, at: LogoPlace(ScreenFixture.harbor)))
        await browser.get("/activate/provider?code=\(code.text)").expect(contains: #"src="\#(picture.path)""#)
        #expect(!browser.page.text.contains("cdn.example"))
        #expect(browser.page.text.contains(#"aria-hidden="true">CC</span>"#))
    }

    @Test(arguments: ["CedarCable", "NoSuch", "PromoHour", "", "a b"])
    func `A provider that the picker does not have is not taken`(_ mvpd: String) async throws {
        let code = try await fixture.code(requestor: ScreenFixture.strangeBrand)
        await browser.get("/activate/provider?code=\(code.text)")
        try await browser.submit("/activate/provider", [("mvpd", mvpd)]).expect(
            400, alert: "Please pick one of these TV providers.")
    }

    @Test("A wrong password leads back to the sign-in, with the provider's own sentence and the account still there")
    func wrongPassword() async throws {
        try await browser.walkToSignIn(code.text)
        try await browser.signIn(password: "wrong").expect(
            403, alert: "Not with this password, <b>friend</b>.", contains: #"name="account" type="text" value="ada""#)
        #expect(!browser.page.text.contains("wrong"))
        try await browser.signIn().expect(heading: "Is this TV in front of you?")
    }

    @Test("A provider without a sentence for the viewer is spoken for", arguments: ["silent", "nobody"])
    func silentProvider(_ account: String) async throws {
        try await browser.walkToSignIn(code.text)
        try await browser.signIn(account: account, password: "x")
        let sentence = "Cedar Cable did not accept this. Please check the account name and the password."
        #expect(browser.page.alert == sentence)
    }

    @Test(
        "An empty sign-in is asked for again without troubling the provider",
        arguments: [("", "x"), ("ada", ""), (" ", "x")])
    func emptySignIn(_ account: String, password: String) async throws {
        try await browser.walkToSignIn(code.text)
        try await browser.signIn(account: account, password: password).expect(
            400, alert: "Please type your account name and your password.")
    }

    @Test func `Two browsers may sign in for one code; the first to confirm wins and the other is told`() async throws {
        let first = Browser(fixture)
        let second = Browser(fixture)
        try await first.walkToConfirmation(code.text)
        try await second.walkToConfirmation(code.text)
        try await first.decide("confirm").expect(heading: "Done. Look at your TV")
        try await second.decide("confirm").expect(400, heading: "This code is not valid")
    }
}
