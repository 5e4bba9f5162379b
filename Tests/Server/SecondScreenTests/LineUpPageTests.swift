import Clientless
import Testing

@Suite("What an account includes", .fixture)
struct LineUpPageTests {
    @Test(
        "is said once the box is signed in, as far as the provider says it by itself",
        arguments: [
            ("ada", [], ["channels", "includes"]), ("all", ["Your account includes every channel."], []),
            ("nothing", ["Your account includes no channels at the moment. Ask Cedar Cable about it."], []),
            ("few", ["Channels of your account", "North & South", "Sport 1"], ["more"]),
            ("many", ["Channel 1", "Channel 24", "and 6 more"], ["Channel 25", "rss"]),
        ] as [(String, [String], [String])])
    func said(_ account: String, words: [String], others: [String]) async throws {
        let browser = Browser(fixture)
        try await browser.pair(try await fixture.code().text, account: account)
        #expect(browser.page.heading == "Done. Look at your TV")
        for word in words { #expect(browser.page.shows(word), "\(word)") }
        for word in others { #expect(!browser.page.shows(word), "\(word)") }
    }
}
