import Clientless
import Cryptography
import Entitlement
import Testing

@Suite("A token document", .fixture, .timeLimit(.minutes(5)))
struct DocumentTests {
    private let box = DeviceID("box")!
    private let channel = Resource("ada TV")!

    private func present(
        _ document: String, to domain: Entitlements, device: DeviceID? = nil,
        requestor: RequestorID? = Fixture.requestor, now: Timestamp = Fixture.now
    ) async throws -> AuthNRecord {
        try await domain.documents.authentication(
            presenting: document, device: device ?? self.box, requestor: requestor, now: now)
    }

    private func permit(_ record: AuthNRecord) async throws -> AuthZRecord {
        try await domain.decisions.authorize(self.channel, by: record)
    }

    @Test func `of a sign-in says all that old clients read, none of it empty, on one line`() async throws {
        let record = try await fixture.newSignIn()
        let text = try domain.documents.authenticationDocument(of: record, device: self.box)
        #expect(text.hasPrefix("<signatureInfo>") && !text.contains("\n"))
        let said = try AuthenticationTokenDocument(element: SignedTokenDocument(parsing: text).element)
        #expect(said.guid == record.id.text && said.requestor == Fixture.requestor)
        #expect(said.domainName == "north-sport.example" && said.mvpd == Fixture.provider)
        #expect(said.expiresAt == record.expires)
        #expect(said.deviceFingerprint == Hex.encode(Digest.sha256("box".utf8)))
        #expect(said.nameID == record.userID && !said.sessionIndex.isEmpty)
        #expect(!text.contains("upstream-ada"))
    }

    @Test("of a sign-in brings back its record, to the requestor it was issued to and to one that shares it")
    func authentication() async throws {
        let record = try await fixture.newSignIn()
        let text = try domain.documents.authenticationDocument(of: record, device: self.box)
        #expect(try await self.present(text, to: domain) == record)
        #expect(try await self.present(text, to: domain, requestor: nil) == record)
        let shared = try await self.present(text, to: domain, requestor: Fixture.sibling)
        #expect(shared.id == record.id && shared.expires == Fixture.now + .seconds(7 * 24 * 3600))
    }

    @Test func `of a sign-in that is its obtainer's alone is of no use to another requestor`() async throws {
        try await fixture.signedIn(mvpd: Fixture.perRequestorProvider)
        let text = try domain.documents.authenticationDocument(of: try await fixture.record(), device: self.box)
        await expectError(.notAuthenticated) { try await self.present(text, to: domain, requestor: Fixture.sibling) }
        #expect(try await self.present(text, to: domain, requestor: nil).requestor == Fixture.requestor)
    }

    @Test func `presented by another device is refused, after its signature was found good`() async throws {
        let record = try await fixture.newSignIn()
        let other = DeviceID("other")!
        let text = try domain.documents.authenticationDocument(of: record, device: self.box)
        await expectError(.deviceMismatch) { try await self.present(text, to: domain, device: other) }
        let altered = text.replacing("CableNova", with: "DishNova")
        await expectError(.foreignToken) { try await self.present(altered, to: domain, device: other) }
        let permit = try domain.documents.authorizationDocument(of: try await self.permit(record), device: self.box)
        await expectError(.deviceMismatch) {
            try await domain.documents.authorization(presenting: permit, device: other)
        }
    }

    @Test func `of which any byte was changed is foreign, like one nobody can read`() async throws {
        try await fixture.signedIn()
        let text = try domain.documents.authenticationDocument(of: try await fixture.record(), device: self.box)
        let bytes = Array(text.utf8)
        for index in stride(from: 0, to: bytes.count, by: 7) {
            var changed = bytes
            changed[index] ^= 1
            let document = String(decoding: changed, as: UTF8.self)
            await expectError(.foreignToken) { try await self.present(document, to: domain) }
        }
        let unreadable = ["", "<", "no document", String(repeating: "<", count: 100_000), text + text]
        for document in unreadable {
            await expectError(.foreignToken) { try await self.present(document, to: domain) }
        }
    }

    @Test func `of one kind is foreign where the other is asked for`() async throws {
        let record = try await fixture.newSignIn()
        let permit = try await self.permit(record)
        let (signIn, decision) = (
            try domain.documents.authenticationDocument(of: record, device: self.box),
            try domain.documents.authorizationDocument(of: permit, device: self.box)
        )
        await expectError(.foreignToken) { try await self.present(decision, to: domain) }
        await expectError(.foreignToken) {
            try await domain.documents.authorization(presenting: signIn, device: self.box)
        }
        let media = try domain.decisions.mediaToken(for: permit, of: record, now: Fixture.now).document.text
        await expectError(.foreignToken) { try await self.present(media, to: domain) }
    }

    @Test func `is over in the very millisecond it says, not one before`() async throws {
        let record = try await fixture.newSignIn()
        let signIn = try domain.documents.authenticationDocument(of: record, device: self.box)
        #expect(try await self.present(signIn, to: domain, now: record.expires - .milliseconds(1)) == record)
        await expectError(.authenticationExpired) { try await self.present(signIn, to: domain, now: record.expires) }
        let permit = try await self.permit(record)
        let decision = try domain.documents.authorizationDocument(of: permit, device: self.box)
        func presentDecision(_ now: Timestamp) async throws -> AuthZRecord {
            try await domain.documents.authorization(presenting: decision, device: self.box, now: now).0
        }
        #expect(try await presentDecision(permit.expires - .milliseconds(1)) == permit)
        await expectError(.authorizationExpired) { try await presentDecision(permit.expires) }
        _ = try await domain.decisions.authorize(self.channel, by: record, now: permit.expires)
        await expectError(.authorizationExpired) { try await presentDecision(permit.expires) }
    }

    enum Ending: CaseIterable {
        case signedOut, replaced, erased
    }

    @Test(arguments: Ending.allCases) func `is honoured only while its record lives`(_ ending: Ending) async throws {
        let record = try await fixture.newSignIn()
        let signIn = try domain.documents.authenticationDocument(of: record, device: self.box)
        let decision = try domain.documents.authorizationDocument(of: try await self.permit(record), device: self.box)
        let later = Fixture.now + .seconds(5)
        switch ending {
        case .signedOut:
            try await domain.signIns.logout(fixture.device("box"), requestors: [Fixture.requestor], now: Fixture.now)
        case .replaced: try await fixture.signedIn(account: "bob", mvpd: Fixture.otherProvider, now: later)
        case .erased: _ = try await domain.operations.deleteRecords(of: self.box, actor: "test", now: later)
        }
        await expectError(.authenticationRevoked) { try await self.present(signIn, to: domain, now: later) }
        await expectError(.authenticationRevoked) {
            try await domain.documents.authorization(presenting: decision, device: self.box, now: later)
        }
    }

    @Test("stays good when another requestor of the box signs in at the same provider, and ends with that sign-in")
    func succeeded() async throws {
        let record = try await fixture.newSignIn()
        let document = try domain.documents.authenticationDocument(of: record, device: self.box)
        let later = Fixture.now + .seconds(5)
        try await fixture.signedIn(requestor: Fixture.sibling, now: later)
        let shared = try await self.present(document, to: domain, now: later)
        #expect(shared.requestor == Fixture.sibling && shared.mvpd == record.mvpd)
        // Not without the box, which the document alone does not prove.
        await expectError(.authenticationRevoked) {
            try await domain.documents.authentication(
                presenting: document, device: nil, requestor: Fixture.requestor, now: later)
        }
        try await domain.signIns.logout(fixture.device("box"), requestors: [Fixture.sibling], now: later)
        await expectError(.authenticationRevoked) { try await self.present(document, to: domain, now: later) }
    }

    @Test func `of a sign-in that another requestor replaced at another provider is over`() async throws {
        let record = try await fixture.newSignIn()
        let document = try domain.documents.authenticationDocument(of: record, device: self.box)
        let later = Fixture.now + .seconds(5)
        try await fixture.signedIn(requestor: Fixture.sibling, mvpd: Fixture.otherProvider, now: later)
        await expectError(.authenticationRevoked) { try await self.present(document, to: domain, now: later) }
    }

    @Test func `of a decision brings back both records, and only to its own requestor`() async throws {
        let record = try await fixture.newSignIn()
        let permit = try await self.permit(record)
        let text = try domain.documents.authorizationDocument(of: permit, device: self.box)
        let said = try AuthorizationTokenDocument(element: SignedTokenDocument(parsing: text).element)
        #expect(said.resource == self.channel && said.expiresAt == permit.expires)
        #expect(try await domain.documents.authorization(presenting: text, device: self.box) == (permit, record))
        await expectError(.foreignToken) {
            try await domain.documents.authorization(
                presenting: text, device: self.box, requestor: Fixture.sibling, now: Fixture.now)
        }
        // Not signed out, while its provider is switched off.
        domain.replace(ConfiguredCatalogue(Catalogue(requestors: [], mvpds: []), providers: [:]))
        await expectError(.notAuthenticated) {
            try await domain.documents.authorization(presenting: text, device: self.box)
        }
        let signIn = try domain.documents.authenticationDocument(of: record, device: self.box)
        for isLogout in [false, true] {
            let ended = try? await domain.documents.authentication(
                presenting: signIn, device: self.box, requestor: nil, isLogout: isLogout, now: Fixture.now)
            #expect((ended == record) == isLogout, "its viewer can sign out all the same")
        }
    }

    @Test func `of a decision that was withdrawn is over, and does not sign the device out`() async throws {
        let record = try await fixture.newSignIn()
        let text = try domain.documents.authorizationDocument(of: try await self.permit(record), device: self.box)
        try await fixture.store.deleteAuthorization(of: record.id, requestor: Fixture.requestor, resource: self.channel)
        await expectError(.authorizationExpired) {
            try await domain.documents.authorization(presenting: text, device: self.box)
        }
    }

    @Test func `with an MRSS fragment in it comes back unchanged`() async throws {
        let record = try await fixture.newSignIn()
        let fragment = Resource(
            "<rss version=\"2.0\"><channel><title><![CDATA[ada TV]]></title><x>a &amp; b</x></channel></rss>")!
        let permit = try await domain.decisions.authorize(fragment, by: record)
        let text = try domain.documents.authorizationDocument(of: permit, device: self.box)
        let found = try await domain.documents.authorization(presenting: text, device: self.box)
        #expect(found.0.resource == fragment)
        let media = try domain.decisions.mediaToken(for: found.0, of: found.1, now: Fixture.now)
        #expect(
            try MediaTokenDocument(element: SignedTokenDocument(parsing: media.document.text).element).resource
                == fragment)
    }
}
