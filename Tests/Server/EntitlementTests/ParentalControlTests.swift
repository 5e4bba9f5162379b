import Clientless
import Entitlement
import Synchronization
import Testing

@Suite("Parental controls", .fixture, .timeLimit(.minutes(5)))
struct ParentalControlTests {
    private static func fragment(_ ratings: String, title: String = "kid TV") -> Resource {
        let item = "<item><title>Cup Final</title><guid>evt-8842</guid>\(ratings)</item>"
        let space = "xmlns:media=\"http://search.yahoo.com/mrss/\""
        return Resource("<rss version=\"2.0\" \(space)><channel><title>\(title)</title>\(item)</channel></rss>")!
    }

    private static func rating(_ value: String, scheme: String) -> String {
        "<media:rating scheme=\"\(scheme)\">\(value)</media:rating>"
    }

    @discardableResult
    private func authorize(_ resource: Resource, now: Timestamp = Fixture.now) async throws -> Resource {
        try await domain.decisions.authorize(resource, context: fixture.device("box"), now: now).resource
    }

    /// The household allows TV-PG and PG.
    static let cases: [(ratings: String, isAllowed: Bool)] = [
        ("", true), (rating("tv-y", scheme: "urn:v-chip"), true),
        (rating("TV-Y7", scheme: "urn:v-chip"), true), (rating("tv-y7-fv", scheme: "urn:v-chip"), true),
        (rating("tv-g", scheme: "urn:v-chip"), true), (rating("tv-pg", scheme: "urn:v-chip"), true),
        (rating("tv-14", scheme: "urn:v-chip"), false), (rating("TV-MA", scheme: "URN:V-CHIP"), false),
        (rating(" tv-14\n", scheme: "urn:v-chip"), false), (rating("<![CDATA[tv-14]]>", scheme: "urn:v-chip"), false),
        (rating("tv-14", scheme: "urn:v-&#99;hip"), false),
        (rating("g", scheme: "urn:mpaa"), true), (rating("pg", scheme: "urn:mpaa"), true),
        (rating("pg-13", scheme: "urn:mpaa"), false), (rating("R", scheme: "urn:mpaa"), false),
        (rating("nc-17", scheme: "urn:mpaa"), false),
        // What is unknown restricts nobody.
        (rating("tv-99", scheme: "urn:v-chip"), true), (rating("tv-ma", scheme: "urn:simple"), true),
        ("<media:rating>adult</media:rating>", true),
        // Several: each counts.
        (rating("g", scheme: "urn:mpaa") + rating("tv-ma", scheme: "urn:v-chip"), false),
        // Another prefix is no way around it.
        ("<m:rating scheme='urn:mpaa'>r</m:rating>", false),
        ("<media:group>" + rating("r", scheme: "urn:mpaa") + "</media:group>", false),
    ]

    @Test("refuse what is rated above the household's limit, and say that it is they", arguments: cases)
    func limits(_ ratings: String, isAllowed: Bool) async throws {
        try await fixture.signedIn(account: "kid")
        let resource = Self.fragment(ratings)
        let verdicts = try await domain.decisions.preauthorize([resource], context: fixture.device("box"))
        if isAllowed {
            #expect(try await self.authorize(resource) == resource)
            #expect(verdicts == [.permit])
        } else {
            await expectError(.notAuthorized, .parentalControls) { try await self.authorize(resource) }
            #expect(verdicts == [.deny(.parentalControls)])
            #expect(fixture.provider.questions.isEmpty)
        }
    }

    @Test("follow the provider: the answer that brings another limit counts itself, and is kept once")
    func changed() async throws {
        try await fixture.signedIn(account: "ada")
        let resource = Self.fragment(Self.rating("r", scheme: "urn:mpaa"), title: "ada TV")
        fixture.provider.latest.withLock { $0 = ScriptedProvider.login(of: "kid").metadata }
        let later = Fixture.now + .seconds(60)
        for _ in 0..<2 {
            await expectError(.notAuthorized, .parentalControls) { try await self.authorize(resource, now: later) }
        }
        let record = try await fixture.record()
        #expect(record.version == 1)
        let metadata = try await domain.metadata.userMetadata(of: record, now: later)
        #expect(metadata?.updated == later)
        #expect(metadata?.values.first { $0.key == "householdID" }?.value == .text("H-kid"))
        // A limit that is lifted counts as well.
        fixture.provider.latest.withLock { $0 = [:] }
        _ = try? await self.authorize(Resource("ada TV")!, now: later)
        #expect(try await self.authorize(resource, now: later) == resource)
    }

    @Test func `restrict nobody without a limit, and are as an account of this server has them now`() async throws {
        try await fixture.signedIn(account: "ada")
        let resource = Self.fragment(Self.rating("tv-ma", scheme: "urn:v-chip"), title: "ada TV")
        #expect(try await self.authorize(resource) == resource)
        fixture.provider.ownAccounts.withLock { $0["ada"] = "upstream-ada" }
        var account = Account(mvpd: Fixture.provider, id: "upstream-ada", name: "ada", passwordHash: "*", lineUp: [])
        account.metadata = ScriptedProvider.login(of: "kid").metadata
        #expect(try await fixture.store.insert(account, audit: nil))
        await expectError(.notAuthorized, .parentalControls) { try await self.authorize(resource) }
        await expectError(.authorizationMissing) {
            try await domain.decisions.mediaToken(resource, context: fixture.device("box"))
        }
        account.metadata = [:]
        #expect(try await fixture.store.replace(account, audit: nil))
        #expect(try await self.authorize(resource) == resource)
    }

    @Test func `hold while authorization is granted without the provider, too`() async throws {
        try await fixture.signedIn(account: "kid")
        try await fixture.addRule(.authzAll)
        await expectError(.notAuthorized, .parentalControls) {
            try await self.authorize(Self.fragment(Self.rating("r", scheme: "urn:mpaa")))
        }
    }

    @Test func `leave what is not well formed to the provider`() throws {
        #expect(throws: MalformedResource.self) { try Resource("<rss><media:rating>")!.ratings() }
        #expect(try Resource("plain & simple")!.ratings().isEmpty)
    }
}
