import Clientless
import FoundationEssentials
import Synchronization
import TestSupport
import Testing
import TextCoding

@testable import Entitlement
@testable import Stores

@Suite("A session whose token counts once", .fixture(manner: .rotating), .timeLimit(.minutes(5)))
struct ProviderSessionTests {
    private static let resource = Resource("ada TV")!

    private func permit(
        _ domain: Entitlements, _ record: AuthNRecord, _ resource: Resource = Self.resource,
        now: Timestamp = Fixture.now
    ) async throws -> AuthZRecord {
        try await domain.decisions.authorize(resource, by: record, now: now)
    }

    private func verdicts(_ domain: Entitlements, _ record: AuthNRecord) async throws -> [Verdict] {
        try await domain.decisions.preauthorize([Self.resource], by: record)
    }

    @Test("is kept anew after each answer, and its sign-in stays as it is")
    func rotation() async throws {
        try await fixture.signedIn()
        for _ in 0..<3 { #expect(try await self.verdicts(domain, fixture.record()) == [.permit]) }
        let record = try await fixture.record()
        #expect(record.version == 3 && record.providerSession?.count == 32)
        #expect(record.expires == Fixture.now + .seconds(30 * 24 * 3600))
    }

    @Test func `is kept with every sign-in that rests on it, however many they are`() async throws {
        let devices = (0..<70).map { "box \($0)" }
        for device in devices { try await fixture.signedIn(device: device) }
        #expect(try await self.verdicts(domain, try await fixture.record(of: devices[0])) == [.permit])
        for device in devices {
            let record = try await fixture.record(of: device)
            #expect(try domain.signIns.keptSession(of: record).session.account == "ada 1", "\(device)")
        }
    }

    @Test func `is not lost when two nodes and forty questions use it at once`() async throws {
        try await fixture.signedIn()
        let other = try Fixture.domain(on: fixture.store, provider: fixture.provider)
        let record = try await fixture.record()
        let verdicts = try await concurrently(40) { number in
            try await self.verdicts(number.isMultiple(of: 2) ? fixture.domain : other, record)
        }
        #expect(verdicts.allSatisfy { $0 == [.permit] })
        #expect(try await self.verdicts(fixture.domain, try await fixture.record()) == [.permit])
        #expect(fixture.provider.questions.count == 41)
    }

    @Test(
        "takes turns on a node: the second question waits and uses what the first one kept", arguments: [false, true]
    )
    func turns(isOtherOfClaim: Bool) async throws {
        let record = try await fixture.newSignIn()
        var other = record
        if isOtherOfClaim { other.providerSession = try Self.namesake(of: #require(record.providerSession)) }
        let asked = other
        let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
        let (leave, permission) = AsyncStream.makeStream(of: Void.self)
        let isFirst = Atomic(true)
        fixture.provider.gate.withLock {
            $0 = {
                guard isFirst.exchange(false, ordering: .relaxed) else { return }
                arrival.yield()
                for await _ in leave { break }
            }
        }
        async let first = self.verdicts(domain, record)
        for await _ in arrived { break }
        async let second = self.verdicts(domain, asked)
        while domain.signIns.turns.counts.waiting == 0 { await Task.yield() }
        permission.yield()
        #expect(try await first == [.permit])
        #expect(try await second == [.permit])
        #expect(try await fixture.record().version == 2)
        #expect(domain.signIns.turns.counts.waiting == 0)
    }

    /// Another session's name, under the claim of `session`.
    private static func namesake(of session: [UInt8]) throws -> [UInt8] {
        let names = (0..<100_000).lazy.map { Array("session \($0)".utf8) }
        return try #require(names.first { $0.span.hash % SignIns.claims == session.span.hash % SignIns.claims })
    }

    @Test("that another node changed is read again before it is given up")
    func readAgain() async throws {
        let stale = try await fixture.newSignIn()
        let other = try Fixture.domain(on: fixture.store, provider: fixture.provider)
        #expect(try await self.verdicts(other, stale) == [.permit])
        #expect(try await self.verdicts(domain, stale) == [.permit])
        #expect(try await fixture.record().expires == stale.expires)
        // One that is gone lets the next one have its claim at once.
        _ = try await domain.signIns.logout(stale, now: Fixture.now)
        await expectError(.notAuthenticated) { try await self.permit(other, stale) }
        let (now, end) = (Fixture.now + .milliseconds(1), Fixture.now + .seconds(60))
        #expect(try await fixture.store.leases(now..<end).isEmpty)
    }

    @Test func `is held while the store keeps nothing, and kept before it is used again`() async throws {
        var options = SQLiteStore.Options()
        options.busyTimeout = .milliseconds(20)
        try await Fixture.with(manner: .rotating, options: options) {
            let record = try await fixture.newSignIn()
            // Another program takes the file while the provider answers.
            let other = Mutex<SQLiteConnection?>(nil)
            let file = fixture.file
            fixture.provider.gate.withLock {
                $0 = {
                    other.withLock { other in
                        other = try? SQLiteConnection(opening: file)
                        _ = try? other?.run("BEGIN IMMEDIATE")
                    }
                }
            }
            for _ in 0..<2 {
                await expectError(.storeUnavailable) { try await self.verdicts(domain, record) }
            }
            #expect(fixture.provider.questions.count == 1)
            fixture.provider.gate.withLock { $0 = nil }
            other.withLock { $0 = nil }
            await domain.signIns.keepHeldSessions(now: Fixture.now)
            #expect(try await fixture.record().version == 1)
            #expect(try await self.verdicts(domain, record) == [.permit])
        }
    }

    @Test(
        "is kept although its answer comes after the time of questions",
        .fixture(manner: .rotating, limits: { $0.providerTime = .milliseconds(10) }))
    func late() async throws {
        try await fixture.signedIn()
        // The token is on its way; that its caller gives up does not call it back.
        fixture.provider.gate.withLock { $0 = { for await _ in AsyncStream<Never>.makeStream().stream {} } }
        let record = try await fixture.record()
        #expect(try await self.verdicts(domain, record) == [.permit])
        #expect(try await fixture.record().version == 1)
    }

    @Test func `is doubted anew after a good answer`() async throws {
        try await fixture.signedIn()
        fixture.provider.isLasting.withLock { $0 = true }
        let later = Fixture.now + .seconds(20 * 24 * 3600)
        for now in [Fixture.now, later] {
            let record = try await fixture.record(now: now)
            fixture.provider.revoke("ada")
            await expectError(.notAuthorized) { try await self.permit(domain, record, now: now) }
            fixture.provider.revoke("ada", until: 0)
            let known = try await fixture.record(now: now)
            _ = try await self.permit(domain, known, Resource("ada TV")!, now: now)
            #expect(try await fixture.record(now: now).expires == record.expires)
        }
    }

    @Test func `that the provider ended ends the sign-in, once no other node can be about to renew it`() async throws {
        let record = try await fixture.newSignIn()
        fixture.provider.revoke("ada")
        for wait in [0, 1, 29] {
            await expectError(.notAuthorized) {
                try await self.permit(domain, record, now: Fixture.now + .seconds(wait))
            }
            #expect(try await fixture.record(now: Fixture.now + .seconds(wait)).id == record.id)
            // What is decided without a question to the provider takes no doubt back.
            fixture.provider.isOffline.withLock { $0 = true }
            #expect(try await self.verdicts(domain, record) == [.permit])
            fixture.provider.isOffline.withLock { $0 = false }
        }
        let later = Fixture.now + .seconds(30)
        await expectError(.authenticationExpired) { try await self.permit(domain, record, now: later) }
        let standing = try await domain.signIns.deviceStanding(of: fixture.device("box"), now: later)
        guard case .expired = standing else { return #expect(Bool(false), "\(standing)") }
    }

    @Test func `is shared by the sign-ins that rest on it`() async throws {
        let source = try await fixture.newSignIn(mvpd: Fixture.perRequestorProvider)
        let gained = try await domain.signIns.passiveSignIn(
            by: source, requestor: Fixture.sibling, mvpd: Fixture.perRequestorProvider, now: Fixture.now)
        #expect(gained.providerSession == source.providerSession)
        for _ in 0..<2 {
            #expect(try await self.verdicts(domain, fixture.record()) == [.permit])
            let second = try await fixture.record(requestor: Fixture.sibling)
            let verdicts = try await domain.decisions.preauthorize(
                [Self.resource], by: second, requestor: Fixture.sibling, now: Fixture.now)
            #expect(verdicts == [.permit])
        }
    }

    @Test func `and permits end when the provider says, and no later than configured`() async throws {
        for (end, expected) in [
            (Fixture.now + .seconds(60), Fixture.now + .seconds(60)),
            (Fixture.now + .seconds(400 * 24 * 3600), Fixture.now + .seconds(30 * 24 * 3600)),
        ] {
            fixture.provider.end = end
            #expect(try await fixture.newSignIn(account: "eve").expires == expected)
        }
        fixture.provider.end = Fixture.now + .seconds(30)
        let record = try await fixture.record()
        #expect(try await self.permit(domain, record, Resource("eve TV")!).expires == Fixture.now + .seconds(30))
    }

    @Test func `that a caller sees shortened is kept with the end it has in the store`() async throws {
        try await fixture.signedIn()
        // This requestor uses the shared sign-in for seven days only.
        let shortened = try await fixture.record(requestor: Fixture.sibling)
        _ = try await domain.decisions.preauthorize(
            [Self.resource], by: shortened, requestor: Fixture.sibling, now: Fixture.now)
        #expect(try await fixture.record().expires == Fixture.now + .seconds(30 * 24 * 3600))
    }

    @Test func `is written as text where it is text, and any bytes come back`() throws {
        let text = Data(ProviderSession(account: "id 7a").json.bytes)
        #expect(String(decoding: text, as: UTF8.self) == #"{"account":"id 7a"}"#)
        for bytes: [UInt8] in [[], [0xFF, 0, 1], Array("{\"refresh\":\"x\"}".utf8)] {
            let session = try ProviderSession(bytes)
            #expect(try JSONDecoder().decode(ProviderSession.self, from: Data(session.json.bytes)) == session)
        }
        #expect(throws: ProviderError.self) { try ProviderSession([UInt8](repeating: 0, count: 16_385)) }
    }
}

@Suite("A sign-in that its provider ends", .fixture)
struct ProviderLogoutTests {
    private func isSignedIn(_ domain: Entitlements, _ context: DeviceContext) async throws -> Bool {
        let standing = try await domain.signIns.deviceStanding(of: context)
        if case .signedIn = standing { return true }
        return false
    }

    @Test("is found by the session's name or the viewer, ends once, and is in the log", .fixture(manner: .rotating))
    func ending() async throws {
        try await fixture.signedIn(device: "ada's", account: "ada")
        try await fixture.signedIn(device: "bea's", account: "bea")
        let operations = domain.operations
        for (ending, mvpd, count) in [
            (ProviderEnding.session("sid-ada"), Fixture.otherProvider, 0), (.session("sid-x"), Fixture.provider, 0),
            (.session("sid-ada"), Fixture.provider, 1), (.session("sid-ada"), Fixture.provider, 0),
            (.viewer("upstream-bea"), Fixture.provider, 1),
        ] {
            #expect(try await operations.end(ending, at: mvpd, now: Fixture.now) == count, "\(ending)")
        }
        #expect(try await !self.isSignedIn(domain, fixture.device("ada's")))
        #expect(try await !self.isSignedIn(domain, fixture.device("bea's")))
        let entries = try await operations.auditEntries(limit: 9)
        #expect(entries.map(\.action) == ["provider.logout", "provider.logout"])
        #expect(entries.allSatisfy { $0.actor == "provider CableNova" && !$0.subject.contains(/upstream|sid/) })
    }

    @Test("is over on every node, and an earlier one stays over when a store comes back", .fixture(manner: .rotating))
    func everyNode() async throws {
        try await fixture.signedIn()
        let other = try Fixture.domain(on: fixture.store, provider: fixture.provider)
        var position = try await other.upkeep.start(now: Fixture.now)
        #expect(try await self.isSignedIn(other, fixture.device("box")))
        #expect(try await domain.operations.end(.session("sid-ada"), at: Fixture.provider, now: Fixture.now) == 1)
        try await other.upkeep.followChanges(after: &position, now: Fixture.now)
        let known = other.signIns.deviceStandingInMemory(of: fixture.device("box"))
        if case .signedIn = known { #expect(Bool(false), "memory still says signed in") }
    }

    @Test(.fixture(manner: .rotating))
    func `may wait for its confirmation, which every node refuses then; a later proof is taken`() async throws {
        let other = try Fixture.domain(on: fixture.store, provider: fixture.provider)
        for (ending, second, count) in [(ProviderEnding.session("sid-ada"), 0, 0), (.viewer("upstream-ada"), 9, 1)] {
            let begin = Fixture.now + .seconds(second)
            let token = try await fixture.acceptedLogin(try await fixture.code(now: begin), now: begin)
            let next = try await fixture.begun(try await fixture.code(now: begin), now: begin).token
            let later = begin + .seconds(1)
            #expect(try await domain.operations.end(ending, at: Fixture.provider, now: later) == count)
            _ = try await fixture.signIn(next, account: "ada", now: later)
            _ = try await other.logins.confirm(next, now: later)
            await expectError(.loginUnknown) { try await other.logins.confirm(token, now: later) }
        }
    }

    @Test func `is told from a trial and from a login that a rule skipped`() async throws {
        try await fixture.addRule(.authnAll)
        let record = try await fixture.skippedLogin()
        let count = try await domain.operations.end(
            .viewer(record.context.device.bytes.map { String($0, radix: 16) }.joined()), at: Fixture.provider,
            now: Fixture.now)
        #expect(count == 0)
    }
}
