import Clientless
import Testing

@Suite("A decision about a box", .fixture)
struct DecisionTests {
    private let browser = Browser(fixture)

    @Test("Declining is final: going back and confirming shows that it was declined")
    func declineIsFinal() async throws {
        let code = try await fixture.code()
        let confirmation = try await browser.walkToConfirmation(code.text)
        let form = try #require(confirmation.form("/activate/confirm"))
        try await browser.decide("decline").expect(heading: "Declined")
        #expect(try await fixture.isDeclined(code))

        await browser.get(confirmation.path).expect(location: "/activate/declined")
        await browser.post("/activate/confirm", form + [("decision", "confirm")]).expect(location: "/activate/declined")
        #expect(try await fixture.isDeclined(code))
    }

    @Test("A form sent twice is taken once, and both answers say the same", arguments: ["confirm", "decline"])
    func twice(_ decision: String) async throws {
        let code = try await fixture.code()
        let form = try #require(try await browser.walkToConfirmation(code.text).form("/activate/confirm"))
        let first = await browser.post("/activate/confirm", form + [("decision", decision)])
        let second = await browser.post("/activate/confirm", form + [("decision", decision)])
        #expect(first.status == 303)
        #expect(second.status == 303)
        #expect(first.location == second.location)
        await browser.follow().expect(heading: decision == "confirm" ? "Done. Look at your TV" : "Declined")
    }

    @Test func `Going back after the end shows the end, from every page of the login`() async throws {
        let code = try await fixture.code()
        let signIn = try await browser.walkToSignIn(code.text)
        let signInForm = try #require(signIn.form("/activate/sign-in"))
        let confirmation = try await browser.signIn()
        try await browser.decide("confirm")
        for path in ["/activate/provider?code=\(code.text)", signIn.path, confirmation.path] {
            await browser.get(path)
            await browser.follow().expect(heading: "Done. Look at your TV")
        }
        await browser.post("/activate/sign-in", signInForm + [("account", "ada"), ("password", "right")])
        await browser.follow().expect(heading: "Done. Look at your TV")
    }

    @Test("Going back to the sign-in after signing in leads to the confirmation, and the end is not shown early")
    func backToSignIn() async throws {
        let code = try await fixture.code()
        let signIn = try await browser.walkToSignIn(code.text)
        await browser.get(signIn.path.replacing("sign-in", with: "done")).expect(location: signIn.path)
        await browser.get(signIn.path.replacing("sign-in", with: "confirm")).expect(location: signIn.path)
        await browser.get(signIn.path)
        let confirmation = try await browser.signIn()
        await browser.get(signIn.path).expect(location: confirmation.path)
    }

    @Test(
        "A box can be declined before anybody signed in, from the picker and from the sign-in",
        arguments: [false, true])
    func early(_ atSignIn: Bool) async throws {
        let code = try await fixture.code()
        if atSignIn {
            try await browser.walkToSignIn(code.text)
        } else {
            await browser.get("/activate/provider?code=\(code.text)")
        }
        let form = try #require(browser.page.form("/activate/decline"))
        try await browser.submit("/activate/decline").expect(heading: "Declined")
        #expect(try await fixture.isDeclined(code))
        await browser.post("/activate/decline", form).expect(location: "/activate/declined")
    }

    @Test("A decision that is neither is refused and changes nothing", arguments: ["", "maybe", "CONFIRM"])
    func noDecision(_ decision: String) async throws {
        let code = try await fixture.code()
        try await browser.walkToConfirmation(code.text)
        try await browser.decide(decision).expect(400)
        #expect(try await fixture.isSignedIn(code) == false)
        #expect(try await fixture.isDeclined(code) == false)
    }

    @Test("The password alone signs no box in: without confirming it stays as it was")
    func confirmationIsNeeded() async throws {
        let code = try await fixture.code()
        let signIn = try await browser.walkToSignIn(code.text)
        let confirm = try #require(signIn.form("/activate/sign-in"))
        await browser.post("/activate/confirm", confirm + [("decision", "confirm")]).expect(403)
        #expect(try await fixture.isSignedIn(code) == false)
        await browser.get(signIn.path)
        let question = try await browser.signIn()
        #expect(question.form("/activate/confirm") != nil)
        await browser.get("\(question.path)&decision=confirm")
        #expect(try await fixture.isSignedIn(code) == false)
    }

    @Test(
        "A confirmation within the grace after expiry still signs the box in, one after it does not",
        arguments: [60, 150])
    func grace(_ seconds: Int) async throws {
        let code = try await fixture.code(lifetime: .seconds(300))
        try await browser.walkToConfirmation(code.text)
        fixture.advance(by: .seconds(300 + seconds))
        try await browser.decide("confirm").expect(
            heading: seconds < 120 ? "Done. Look at your TV" : "This code is not valid")
    }
}
