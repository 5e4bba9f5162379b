import Clientless
import Testing

@Suite("The confirmation", .fixture)
struct ConfirmationPageTests {
    private let browser = Browser(fixture)

    @Test("Shows the code, the box, when and from where it asked, and what is granted")
    func facts() async throws {
        let code = try await fixture.code()
        fixture.advance(by: .seconds(200))
        try await browser.walkToConfirmation(code.text)
        let page = browser.page
        #expect(page.text.contains(#"<p class="code"><bdi dir="ltr">\#(code.grouped)</bdi></p>"#))
        for words in [
            "Living room", "NS-BOX-2", "3 minutes ago", "14:32 UTC", "Network 192.0.2.x",
            "This TV may play Northstar TV with your Cedar Cable account until 31 January 2026.",
        ] { #expect(page.shows(words), "\(words)") }
        #expect(page.text.contains(#"<time datetime="2026-01-01T14:32:00Z">"#))
        #expect(!page.text.contains(ScreenFixture.boxAddress))
        #expect(!page.shows("Latchkey 1.0"), "a viewer has no use for the software")
    }

    @Test func `Gives declining and confirming the same shape, declining first`() async throws {
        let code = try await fixture.code()
        let page = try await browser.walkToConfirmation(code.text).text
        let buttons = page.matches(of: /<button class="button (no|yes)" type="submit" name="decision" value="(.*?)">/)
        #expect(buttons.map { String($0.2) } == ["decline", "confirm"])
    }

    @Test(
        "Says that box and phone are in one network only where that is known, warns where they are not, and else is silent",
        arguments: [
            ("203.0.113.9", "203.0.113.9", "In the same network as this phone.", "Network 203.0.113.x"),
            ("192.168.1.7", "192.168.1.9", "In the same network as this phone.", "Network 192.168.1.x"),
            // Customers of one provider, not of one household.
            ("192.0.2.10", "192.0.2.200", nil, "Network 192.0.2.x"),
            ("192.0.2.10", "192.0.3.10", "Not in the same network as this phone.", "Network 192.0.2.x"),
            // A proxy on the server's own machine, as often as not.
            ("127.0.0.1", "127.0.0.1", nil, nil),
            ("127.0.0.1", "::1", nil, nil),
            ("2001:db8:1:2::5", "2001:db8:1:2:9::7", "In the same network as this phone.", "Network 2001:db8:1:2::/64"),
            (
                "2001:db8:1:2::5", "2001:db8:1:3::5", "Not in the same network as this phone.",
                "Network 2001:db8:1:2::/64"
            ),
            ("::ffff:192.0.2.10", "192.0.2.10", "In the same network as this phone.", "Network 192.0.2.x"),
            ("2001:db8::1", "192.0.2.1", nil, "Network 2001:db8::/64"),
            ("unix", "192.0.2.1", nil, nil),
            ("<script>", "192.0.2.1", nil, nil),
        ] as [(String, String, String?, String?)])
    func networks(_ box: String, phone: String, sentence: String?, network: String?) async throws {
        let code = try await fixture.code(ScreenFixture.box(address: box))
        let browser = try Browser(fixture, address: phone)
        try await browser.walkToConfirmation(code.text)
        let page = browser.page
        #expect(page.shows("same network as this phone") == (sentence != nil))
        if let sentence { #expect(page.shows(sentence)) }
        #expect(page.shows("Network ") == (network != nil))
        if let network { #expect(page.shows(network)) }
    }

    @Test(arguments: ["X-Forwarded-For", "Forwarded", "Via"])
    func `Says nothing of the network to a viewer behind a proxy that is not believed`(_ header: String) async throws {
        let code = try await fixture.code(ScreenFixture.box(address: "10.0.0.1"))
        let browser = try Browser(fixture, address: "10.0.0.1")
        browser.headers = [(header, "203.0.113.9")]
        try await browser.walkToConfirmation(code.text)
        #expect(!browser.page.shows("same network as this phone"))
    }

    @Test("Shows what a hostile box says as text, isolated and short")
    func hostileBox() async throws {
        let code = try await fixture.code(
            ScreenFixture.box(
                name: #""><script>alert('1')</script>"#, model: "a\u{202E}b\u{2066}\u{0}\nc",
                software: String(repeating: "W", count: 5000)))
        try await browser.walkToConfirmation(code.text)
        let text = browser.page.text
        #expect(text.contains("<dd>&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;</dd>"))
        #expect(text.contains("<dd>ab c</dd>"))
        #expect(!text.unicodeScalars.contains("\u{202E}"))
        let wordy = try await fixture.code(ScreenFixture.box(name: String(repeating: "W", count: 5000), model: nil))
        try await browser.walkToConfirmation(wordy.text).expect(
            contains: "<dd>\(String(repeating: "W", count: 63))…</dd>")
    }

    @Test("Says so when a box tells nothing about itself", arguments: [nil, "", " \u{200B}\u{202E} "])
    func silentBox(_ text: String?) async throws {
        let code = try await fixture.code(ScreenFixture.box(name: text, model: text, software: text))
        try await browser.walkToConfirmation(code.text)
        #expect(browser.page.text.matches(of: /<span class="unsaid">Not told<\/span>/).count == 2)
    }

    @Test(arguments: [
        (0, "Just now"), (59, "Just now"), (60, "1 minute ago"), (3599, "59 minutes ago"), (3600, "1 hour ago"),
        (7300, "2 hours ago"),
    ])
    func `Says how long ago the box asked`(_ seconds: Int, words: String) async throws {
        let code = try await fixture.code(lifetime: .seconds(36_000))
        fixture.advance(by: .seconds(seconds))
        try await browser.walkToConfirmation(code.text).expect(shows: words)
    }

    @Test("Shows a brand's name as text")
    func hostileBrand() async throws {
        let code = try await fixture.code(requestor: ScreenFixture.strangeBrand)
        try await browser.walkToConfirmation(code.text, mvpd: "HarborFiber").expect(
            contains: " &lt;b&gt;South &amp; Star&lt;/b&gt; ")
    }
}
