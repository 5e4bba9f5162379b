import Clientless
import Testing

@Suite("A code that was read out over the telephone", .fixture)
struct ReadOutTests {
    private let browser = Browser(fixture)

    @Test("is not spoken of where the requestor does not allow it, and not taken")
    func off() async throws {
        let code = try await fixture.code()
        let confirmation = try await browser.walkToConfirmation(code.text)
        #expect(!confirmation.text.contains("readOut"))
        #expect(await browser.get("\(confirmation.path)&way=readOut").heading == "Is this TV in front of you?")
        try await browser.decide("confirm", [("way", "readOut"), ("known", "yes")])
        #expect(try await fixture.isSignedIn(code) == false)
        try await browser.decide("confirm", [("way", "readOut")])
        #expect(try await fixture.isSignedIn(code) == false)
        let form = try #require(confirmation.form("/activate/confirm"))
        await browser.post("/activate/confirm", form + [("decision", "confirm"), ("way", "x")]).expect(400)
        // The login is as good as before for the box in front of the viewer.
        await browser.get(confirmation.path)
        try await browser.decide("confirm")
        #expect(try await fixture.isSignedIn(code))
    }

    @Test(
        "is confirmed after a stronger warning, once the viewer says that they know the caller",
        .fixture(.init(takesReadOutCodes: true)))
    func on() async throws {
        let code = try await fixture.code()
        let confirmation = try await browser.walkToConfirmation(code.text)
        #expect(confirmation.heading == "Is this TV in front of you?")
        let link = try #require(confirmation.text.firstMatch(of: /href="([^"]*way=readOut)"/))
        let (tongue, question) = ([("language", "en")], "Do you know who is calling you?")
        await browser.get(ShownPage.unescaped(String(link.1))).expect(
            heading: question, shows: "Hang up, and call back on the number that you know.", code.grouped)
        try await browser.submit("/activate/language", tongue).expect(heading: question)
        try await browser.decide("confirm").expect(400, alert: "Please tick the box, or decline.")
        try await browser.submit("/activate/language", tongue).expect(heading: question)
        #expect(try await fixture.isSignedIn(code) == false)
        try await browser.decide("confirm", [("known", "yes")])
        #expect(try await fixture.isSignedIn(code))
        try await browser.walkToBoxes().expect(shows: "You confirmed its code over the telephone.")
    }

    @Test(.fixture(.init(takesReadOutCodes: true))) func `is declined as any other`() async throws {
        let code = try await fixture.code()
        let confirmation = try await browser.walkToConfirmation(code.text)
        await browser.get("\(confirmation.path)&way=readOut")
        try await browser.decide("decline")
        #expect(try await fixture.isDeclined(code))
    }

    @Test("starts no free preview on a box elsewhere", .fixture(.init(takesReadOutCodes: true)))
    func preview() async throws {
        let code = try await fixture.code()
        try await browser.walkToSignIn(code.text, mvpd: "FreePreview")
        #expect(!browser.page.text.contains("readOut"))
        try await browser.decide("confirm", [("way", "readOut"), ("known", "yes")])
        #expect(try await fixture.isSignedIn(code) == false)
    }
}
