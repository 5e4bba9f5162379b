import Clientless
import Entitlement
import Testing

@Suite("An authorization", .fixture, .timeLimit(.minutes(5)))
struct AuthorizationTests {
    @Test func `decisions are the provider's, kept, given again, and needed for a media token`() async throws {
        let device = fixture.device("box")
        let resource = Resource("ada TV")!
        await expectError(.notAuthenticated) { try await domain.decisions.authorize(resource, context: device) }
        _ = try await fixture.signedIn()
        await expectError(.authorizationMissing) { try await domain.decisions.mediaToken(resource, context: device) }
        let permit = try await domain.decisions.authorize(resource, context: device)
        #expect(permit.expires == Fixture.now + .seconds(24 * 3600))
        let again = try await domain.decisions.authorize(resource, context: device, now: Fixture.now + .seconds(60))
        #expect(again == permit)
        let token = try await domain.decisions.mediaToken(resource, context: device)
        #expect(token.expires == Fixture.now + .seconds(420))
        let said = try MediaTokenDocument(element: SignedTokenDocument(parsing: token.document.text).element)
        #expect(said.resource == resource && said.timeToLive == .seconds(420) && said.issueTime == Fixture.now)
        #expect(said.sessionGUID == token.userID && said.mvpd == Fixture.provider)
        let refusal = await expectError(.notAuthorized, .provider) {
            try await domain.decisions.authorize(Resource("bob TV")!, context: device)
        }
        #expect(refusal?.viewerMessage == "bob TV is not in your package.")
        await expectError(.authorizationExpired) {
            try await domain.decisions.storedAuthorization(
                resource, context: device, now: Fixture.now + .seconds(24 * 3600))
        }
    }

    @Test("a repeated authorization and its media tokens come from memory, unless something forbids them meanwhile")
    func fromMemory() async throws {
        let (device, decisions, resource) = (fixture.device("box"), domain.decisions, Resource("ada TV")!)
        func remembered(now: Timestamp = Fixture.now) -> AuthZRecord? {
            decisions.rememberedPermit(resource, context: device, requestor: Fixture.requestor, now: now)?.permit
        }
        func token() throws(EntitlementError) -> IssuedMediaToken? {
            try decisions.mediaTokenFromMemory(
                resource, context: device, requestor: Fixture.requestor, now: Fixture.now)
        }
        try await fixture.signedIn()
        _ = try await decisions.authorize(resource, context: device)
        let permit = try await decisions.storedAuthorization(resource, context: device)
        #expect(remembered() == permit && remembered(now: permit.expires) == nil)
        #expect(try token()?.resource == resource)
        try await fixture.addRule(.authzNone, resources: ["ada TV"], message: "Back at eight.")
        #expect(remembered() == nil)
        await expectError(.notAuthorized, .programmer) { try token() }
        try await fixture.endRule(.authzNone, now: Fixture.now)
        #expect(remembered() == permit)
        try await domain.signIns.logout(device, requestors: [Fixture.requestor], now: Fixture.now)
        #expect(try remembered() == nil && token() == nil)
    }

    @Test("a media token names the provider that serves another's viewers, and no provider for one that serves its own")
    func proxy() async throws {
        let (device, resource) = (fixture.device("box"), Resource("ada TV")!)
        _ = try await fixture.signedIn()
        _ = try await domain.decisions.authorize(resource, context: device)
        func said() async throws -> MediaTokenDocument {
            let token = try await domain.decisions.mediaToken(resource, context: device)
            return try MediaTokenDocument(element: SignedTokenDocument(parsing: token.document.text).element)
        }
        #expect(try await said().proxyMVPD == nil)
        let served = Fixture.catalogue.mvpds.map { mvpd in
            MVPD(id: mvpd.id, displayName: mvpd.displayName, trial: mvpd.trial, proxy: MVPDID("NovaProxy"))
        }
        domain.replace(
            ConfiguredCatalogue(
                Catalogue(requestors: Fixture.catalogue.requestors, mvpds: served),
                providers: domain.configured.providers))
        let document = try await said()
        #expect(document.proxyMVPD == MVPDID("NovaProxy") && document.mvpd == Fixture.provider)
    }

    @Test("every media token is new, also within one millisecond, and ends when the box is told it does")
    func distinctMediaTokens() async throws {
        let (device, resource) = (fixture.device("box"), Resource("ada TV")!)
        _ = try await fixture.signedIn()
        _ = try await domain.decisions.authorize(resource, context: device)
        var documents: Set<String> = []
        for offset in [0, 0, 0, 0, 1, 2, 999, 999, 1000, 1000, 1001] {
            let now = Fixture.now + .milliseconds(offset)
            let token = try await domain.decisions.mediaToken(resource, context: device, now: now)
            let said = try MediaTokenDocument(element: SignedTokenDocument(parsing: token.document.text).element)
            #expect(said.issueTime + said.timeToLive == token.expires)
            #expect(token.expires >= now + .seconds(420) && token.expires < now + .seconds(420) + .milliseconds(12))
            #expect(!said.isExpired(at: now) && said.isExpired(at: token.expires))
            documents.insert(token.document.text)
        }
        #expect(documents.count == 11)
        // A clock that is set back a day makes no token that outlives its time.
        let earlier = Fixture.now - .seconds(86_400)
        let token = try await domain.decisions.mediaToken(resource, context: device, now: earlier)
        #expect(token.expires == earlier + .seconds(420))
    }

    @Test(.fixture(manner: .silent, limits: { $0.providerTime = .milliseconds(10) }))
    func `a provider that says nothing lets nobody in`() async throws {
        _ = try await fixture.signedIn()
        await expectError(.notAuthorized, .network(timeout: true)) {
            try await domain.decisions.authorize(Resource("ada TV")!, context: fixture.device("box"))
        }
    }
}
