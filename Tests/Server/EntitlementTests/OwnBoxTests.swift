import Clientless
import Cryptography
import Testing

@testable import Entitlement

@Suite("The boxes of a viewer who signed in on a page", .fixture, .timeLimit(.minutes(5)))
struct OwnBoxTests {
    /// Signs a viewer in to look at their boxes.
    private func visit(
        account: String = "ada", mvpd: MVPDID = Fixture.provider, browser: Browser = Fixture.browser
    ) async throws -> LoginView {
        let start = try await domain.logins.beginForBoxes(
            at: mvpd, browser: browser, callback: Fixture.callback, by: .viewer, now: Fixture.now)
        _ = try await fixture.signIn(start.token, account: account, browser: browser)
        return try await domain.logins.login(start.token, browser: browser, now: Fixture.now)
    }

    private func viewer(account: String = "ada") async throws -> Viewer {
        let view = try await self.visit(account: account)
        return try #require(try await domain.logins.viewer(of: view, now: Fixture.now))
    }

    @Test("are known once the provider vouched for the viewer, and never before")
    func vouched() async throws {
        let start = try await domain.logins.beginForBoxes(
            at: Fixture.provider, browser: Fixture.browser, callback: Fixture.callback, by: .viewer, now: Fixture.now)
        #expect(start.view.stage(at: Fixture.now) == .signIn)
        #expect(try await domain.logins.viewer(of: start.view, now: Fixture.now) == nil)
        let view = try await self.visit()
        #expect(view.stage(at: Fixture.now) == .boxes)
        let viewer = try #require(try await domain.logins.viewer(of: view, now: Fixture.now))
        #expect(try await viewer.userID == fixture.newSignIn().userID)
    }

    @Test func `are listed by box, whatever brand they are signed in for`() async throws {
        try await fixture.signedIn(now: Fixture.now)
        try await fixture.signedIn(device: "attic", requestor: Fixture.sibling, now: Fixture.now + .seconds(1))
        try await fixture.signedIn(device: "next", account: "bob", now: Fixture.now + .seconds(2))
        let viewer = try await self.viewer()
        let list = try await domain.boxes.list(of: viewer, now: Fixture.now + .seconds(3))
        #expect(list.boxes.map(\.requestors) == [[Fixture.sibling], [Fixture.requestor]] && !list.hasMore)
        #expect(list.boxes.allSatisfy { $0.name == "Living room" && $0.network == "192.0.2.0" })
        #expect(Set(list.boxes.map(\.handle)).count == 2)
        // The viewer's name for a box outlives a new sign-in of theirs.
        let later = Fixture.now + .seconds(4)
        #expect(try await domain.boxes.rename(list.boxes[1].handle, to: "Den", of: viewer, now: later))
        try await fixture.signedIn(now: later)
        #expect(try await domain.boxes.list(of: viewer, now: later).boxes.map(\.name) == ["Den", "Living room"])
    }

    @Test func `are all found and ended, however many sign-ins of the account are over`() async throws {
        for device in ["box", "attic"] { try await fixture.signedIn(device: device) }
        for (number, device) in ["box", "attic"].enumerated() {
            let record = try await fixture.record(of: device)
            // The stores give records by their IDs.
            _ = try await fixture.store.deleteAuthentication(
                record.id, as: SignInEnd(at: Fixture.now, by: "test", .signedOut), audit: nil)
            try await self.keep("f\(number)", like: record, until: record.expires)
            for copy in 0..<101 {
                try await self.keep(
                    "\(number)\(100 + copy)", like: record, device: "old-\(number)-\(copy)", until: Fixture.now)
            }
        }
        let own = try #require(try await fixture.store.authentication(AuthNID(text: "f1")))
        let brief = try await domain.boxes.list(for: own)
        #expect(brief.boxes.count == 2 && !brief.hasMore)
        let viewer = Viewer(mvpd: own.mvpd, userID: own.userID)
        let list = try await domain.boxes.list(of: viewer, now: Fixture.now)
        #expect(list.boxes.count == 2 && !list.hasMore)
        try await domain.boxes.signOutAll(of: viewer, now: Fixture.now)
        #expect(try await domain.boxes.list(of: viewer, now: Fixture.now).boxes.isEmpty)
    }

    private func keep(
        _ id: String, like record: AuthNRecord, device: String? = nil, until end: Timestamp
    ) async throws {
        let copy = AuthNRecord(
            id: AuthNID(text: id), context: device.map { fixture.device($0) } ?? record.context,
            requestor: record.requestor, isExclusive: false, mvpd: record.mvpd, userID: record.userID, code: nil,
            created: record.created, expires: end, sealedSession: [])
        try await fixture.store.insert(copy)
    }

    @Test("sign no box in: the login is not confirmed, its code is unknown, and an operator's rule is no proof")
    func noSignIn() async throws {
        let view = try await self.visit()
        let start = try await domain.logins.beginForBoxes(
            at: Fixture.provider, browser: Fixture.browser, callback: Fixture.callback, by: .viewer, now: Fixture.now)
        _ = try await fixture.signIn(start.token, account: "ada")
        await #expect(throws: EntitlementError.self) { try await domain.logins.confirm(start.token) }
        for purpose in [CodePurpose.completing, .following] {
            let error = await #expect(throws: EntitlementError.self) {
                try await domain.codes.lookUp(view.record.code, of: nil, for: purpose, by: .viewer, now: Fixture.now)
            }
            #expect(error?.code == .codeUnknown)
        }
        #expect(try await fixture.store.authentications(.all, after: nil, limit: 9).isEmpty)
        // A rule that skips the login of a box does not open anyone's list.
        try await fixture.addRule(.authnAll)
        let skipped = try await domain.logins.beginForBoxes(
            at: Fixture.provider, browser: Fixture.browser, callback: Fixture.callback, by: .viewer, now: Fixture.now)
        #expect(skipped.view.stage(at: Fixture.now) == .signIn)
    }

    @Test func `count wrong passwords as every other login does`() async throws {
        let start = try await domain.logins.beginForBoxes(
            at: Fixture.provider, browser: Fixture.browser, callback: Fixture.callback, by: .viewer, now: Fixture.now)
        var codes: Set<EntitlementError.Code> = []
        for number in 0..<40 {
            do throws(EntitlementError) {
                _ = try await domain.logins.complete(
                    start.token, response: .password(account: "ada", password: Secret("wrong \(number)")))
            } catch {
                codes.insert(error.code)
            }
        }
        #expect(codes == [.tooManyAttempts])
    }

    @Test func `are at no provider that has no accounts, and at none that is not configured`() async throws {
        for mvpd in [Fixture.trial, Fixture.promotion, MVPDID("Nowhere")!] {
            await expectError(.unknownProvider) {
                try await domain.logins.beginForBoxes(
                    at: mvpd, browser: Fixture.browser, callback: Fixture.callback, by: .viewer, now: Fixture.now)
            }
        }
        #expect(!domain.catalogue.mvpdsOfViewers.isEmpty)
    }

    @Test("end in the store, and the audit log says who ended them; their boxes are told that it was elsewhere")
    func ended() async throws {
        let record = try await fixture.newSignIn()
        let viewer = try await self.viewer()
        let box = try #require(try await domain.boxes.list(of: viewer, now: Fixture.now).boxes.first)
        #expect(try await domain.boxes.signOut(box.handle, of: viewer, now: Fixture.now) == box)
        #expect(try await domain.boxes.signOut(box.handle, of: viewer, now: Fixture.now) == nil)
        #expect(try await fixture.store.authentication(record.id) == nil)
        let entry = try #require(try await fixture.store.auditEntries(limit: 1).first)
        #expect(entry.actor == "viewer \(viewer.userID.prefix(16)) on a page" && entry.action == "box.sign-out")
    }

    @Test(
        arguments: [
            ("192.0.2.17", "192.0.2.0"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), ("2001:db8::1", "2001:db8:0:0::"),
            ("::1", nil), ("127.0.0.1", nil), ("::2", "0:0:0:0::"), ("fe80::1%eth0", "fe80:0:0:0::"), ("", nil),
            ("unix", nil), ("1.2.3", nil),
            ("1.2.3.256", nil), ("1:2:3", nil), ("g::1", nil), ("::ffff:192.0.2.1", nil), ("1::2::3", nil),
        ] as [(String, String?)])
    func `keep the network part of their address, and no more`(_ address: String, network: String?) {
        let box = BoxDescription(
            name: nil, model: nil, software: nil, userAgent: nil, deviceInformation: nil, address: address)
        #expect(KeptBox(box).network == network)
    }

    @Test("have no model where they say that they know none", arguments: ["Unknown", "unknown", nil, "Set-top 3"])
    func model(_ said: String?) {
        let box = BoxDescription(
            name: nil, model: said, software: nil, userAgent: nil, deviceInformation: nil, address: "")
        #expect(box.model == (said == "Set-top 3" ? said : nil))
    }

    @Test func `have the readable channels of their package, and a count of the others`() {
        #expect(LineUpNames(["*", "News"]).hasEverything && LineUpNames(["*", "News"]).names.isEmpty)
        #expect(LineUpNames([]).isEmpty && !LineUpNames(["<rss/>"]).isEmpty)
        let many = LineUpNames((1...30).map { "Channel \($0)" } + ["<rss/>", ""])
        #expect(many.names.count == LineUpNames.mostNames && many.others == 6)
    }
}
