import Clientless
import Cryptography
@testable import Entitlement
import Synchronization
import TestSupport
import Testing

@Suite("An operator", .fixture, .timeLimit(.minutes(5)))
struct OperationTests {
    private static let later = Fixture.now + .seconds(60)
    private static let created = AuditEntry(time: Fixture.now, actor: "setup", action: "made", subject: "made")

    private func log() async throws -> [String] { try await domain.operations.auditEntries(limit: 10).map(\.action) }

    @Test func `sees a device's sign-ins and decisions, and erases them, which ends them everywhere`() async throws {
        let box = DeviceID("box")!
        let code = try await fixture.signedIn(requestor: Fixture.sibling)
        try await fixture.signedIn(mvpd: Fixture.perRequestorProvider, now: Fixture.now + .seconds(1))
        _ = try await domain.decisions.authorize(Resource("ada TV")!, context: fixture.device("box"), now: Self.later)
        let mvpds = try await domain.operations.records(of: box).map(\.mvpd)
        #expect(mvpds == [Fixture.perRequestorProvider, Fixture.provider])
        #expect(try await domain.operations.decisions(of: box).map(\.resource.text) == ["ada TV"])
        #expect(try await domain.operations.deleteRecords(of: box, actor: "op", now: Self.later).count == 2)
        #expect(try await domain.operations.decisions(of: box).isEmpty)
        let standing = try await domain.codes.codeStanding(of: code, requestor: Fixture.sibling, now: Self.later)
        #expect(standing == .signInGone)
        let entry = try #require(try await domain.operations.auditEntries(limit: 1).first)
        #expect(entry.actor == "op" && entry.action == "box.sign-out" && entry.time == Self.later)
        #expect(!entry.subject.contains("box"), "the log names no device ID")
    }

    @Test func `erases one record by its GUID, and who waits for its device hears of it`() async throws {
        let record = try await fixture.newSignIn()
        let place = domain.waitingRoom.wait(on: [.device(record.context.device)], for: .seconds(50), resume: { _ in })
        #expect(place != nil)
        #expect(try await domain.operations.deleteRecord(record.id, actor: "op", now: Self.later)?.id == record.id)
        #expect(domain.waitingRoom.count == 0)
        #expect(try await domain.operations.deleteRecord(record.id, actor: "op", now: Self.later) == nil)
        let log = try await domain.operations.auditEntries(limit: 10).map { "\($0.action) \($0.subject)" }
        #expect(log == ["sign-in.end \(Operations.auditName(of: record))"], "nothing was done the second time")
    }

    @Test func `revokes a key pair at once, once, and not one that nobody has`() async throws {
        let publicKey = "0123456789abcdef0123456789abcdef"
        let sealed = try domain.keys.seal.seal(
            Secret("private"), authenticating: Credentials.purpose(of: publicKey).utf8)
        let pair = KeyPairRecord(
            publicKey: publicKey, sealedPrivateKey: sealed, requestors: [Fixture.requestor], isServerToServer: true,
            created: Fixture.now, ends: nil)
        try await fixture.store.save(pair, audit: Self.created)
        try await domain.credentials.reload()
        #expect(domain.credentials.key(publicKey)?.isServerToServer == true)
        #expect(domain.credentials.key(publicKey)?.isActive(at: Self.later) == true)
        for time in [Self.later, Self.later + .seconds(100)] {
            #expect(try await domain.credentials.revokeKeyPair(publicKey, actor: "op", now: time) != nil)
        }
        let known = try #require(domain.credentials.key(publicKey))
        #expect(known.ends == Self.later && known.isServerToServer && known.requestors == [Fixture.requestor])
        #expect(try await domain.credentials.revokeKeyPair("another", actor: "op", now: Self.later) == nil)
        #expect(try await self.log() == ["key-pair.revoke", "made"])
    }

    @Test func `revokes an application at once, and leaves everything else of it as it was`() async throws {
        let application = ApplicationRecord(
            softwareID: "6ba7b810", name: "Player", version: "1", requestors: [Fixture.requestor],
            redirectTargets: ["player"], scopes: ["api:client:v1"], isServerToServer: true, created: Fixture.now,
            ends: nil)
        try await fixture.store.save(application, audit: Self.created)
        try await domain.credentials.reload()
        #expect(try await domain.credentials.revokeApplication("6ba7b810", actor: "op", now: Self.later) != nil)
        var ended = application
        ended.ends = Self.later
        #expect(domain.credentials.application("6ba7b810") == ended)
        #expect(try await domain.credentials.revokeApplication("7c9e6679", actor: "op", now: Self.later) == nil)
        #expect(try await self.log() == ["application.revoke", "made"])
    }

    @Test("lists rules in force, and on demand those that are over")
    func rules() async throws {
        let one = try await fixture.addRule(.authzAll).id
        let two = try await fixture.addRule(.authzNone, now: Fixture.now + .seconds(1)).id
        try await fixture.endRule(.authzAll, now: Self.later)
        func rules(_ includingEnded: Bool) async throws -> [String] {
            try await domain.degradations.rules(includingEnded: includingEnded, now: Self.later).map(\.id)
        }
        #expect(try await rules(false) == [two])
        #expect(try await rules(true) == [one, two])
        #expect(try await self.log() == ["degradation.end", "degradation.add", "degradation.add"])
    }

    @Test func `takes one resource out of a rule, and the last one ends it`() async throws {
        try await fixture.addRule(.authzAll, resources: ["One", "Two"])
        func end(_ resource: String) async throws -> [DegradationRule] {
            try await domain.degradations.end(
                .authzAll, requestor: Fixture.requestor, mvpd: Fixture.provider, resource: Resource(resource),
                actor: "op", now: Self.later)
        }
        #expect(try await end("Three").isEmpty)
        #expect(try await end("One").map(\.resources) == [[Resource("Two")!]])
        let effect = { (resource: String) in
            domain.degradations.inForce.effect(
                on: Resource(resource)!, Fixture.requestor, Fixture.provider, at: Self.later)
        }
        #expect(effect("One") == nil && effect("Two") != nil)
        #expect(try await end("Two").map(\.ends) == [Self.later])
        #expect(effect("Two") == nil)
    }

    @Test func `ends the rules of every provider by naming none, and of one kind only`() async throws {
        let one = try await fixture.addRule(.authzAll).id
        let two = try await fixture.addRule(.authzAll, mvpd: nil).id
        let three = try await fixture.addRule(.authzNone, resources: ["One"]).id
        let four = try await fixture.addRule(.authzAll, requestor: Fixture.sibling).id
        let ended = try await domain.degradations.end(
            .authzAll, requestor: Fixture.requestor, mvpd: nil, resource: nil, actor: "op", now: Self.later)
        #expect(Set(ended.map(\.id)) == [one, two])
        #expect(Set(domain.degradations.inForce.rules.map(\.id)) == [three, four])
    }

    @Test func `cannot set rules for a requestor or a provider that does not exist`() async throws {
        await expectError(.unknownRequestor) {
            try await fixture.addRule(.authzAll, requestor: RequestorID("EASTSPORT")!)
        }
        await expectError(.unknownProvider) { try await fixture.addRule(.authzAll, mvpd: MVPDID("NoNova")!) }
        #expect(try await self.log().isEmpty)
    }

    @Test("refuses rules that are too long, too many, or about what they cannot name, and says which part")
    func ruleLimits() async throws {
        func fault(
            _ kind: DegradationRule.Kind = .authzAll, _ resources: Int = 0, _ message: String = "",
            _ lifetime: Duration = .seconds(60), from first: Int = 0
        ) async -> DegradationRuleFault? {
            await thrown { () async throws(DegradationRuleFault) in
                try await domain.degradations.add(
                    kind, requestor: Fixture.requestor, mvpds: [nil],
                    resources: (0..<resources).compactMap { Resource("Channel \(first + $0)") }, message: message,
                    lifetime: lifetime, actor: "op", now: Fixture.now)
            }
        }
        #expect(await fault(.authnAll, 1) == .resources)
        #expect(await fault(.authzAll, 51) == .resources)
        #expect(await fault(.authzAll, 0, String(repeating: "é", count: 251)) == .message)
        #expect(await fault(.authzAll, 0, "a\u{7}") == .message)
        #expect(await fault(.authzAll, 0, "", .seconds(604_801)) == .lifetime)
        #expect(await fault(.authzAll, 0, "", .zero) == .lifetime)
        #expect(await fault(.authzAll, 50, String(repeating: "é", count: 250), .seconds(604_800)) == nil)
        for first in 1..<200 { #expect(await fault(.authzAll, 1, from: first) == nil) }
        #expect(await fault() == .tooMany)
        #expect(await fault(.authzAll, 1, from: 1) == nil)
    }

    @Test("ends the sign-ins of one viewer on every box, with their permits, and leaves the others")
    func endSignIns() async throws {
        try await fixture.signedIn(device: "one", account: "ada")
        try await fixture.signedIn(device: "two", account: "ada")
        let code = try await fixture.signedIn(device: "three", account: "bob")
        // Of an account of this server, too, a login that waits is over.
        fixture.provider.ownAccounts.withLock { $0 = ["ada": "upstream-ada", "eve": "upstream-eve"] }
        let waiting = try await fixture.acceptedLogin(try await fixture.code(for: "zero"))
        let eve = try await fixture.acceptedLogin(try await fixture.code(for: "nine"), account: "eve")
        _ = try await domain.decisions.authorize(Resource("ada TV")!, context: fixture.device("one"))
        let operations = domain.operations
        func end(_ selection: AuthNSelection) async throws -> Int {
            try await operations.endSignIns(selection, actor: "op", now: Self.later)
        }
        let viewer = operations.viewer("upstream-eve", of: Fixture.provider).userID
        #expect(try await end(.with { $0.userID = viewer }) == 0)
        #expect(try await end(operations.viewer("upstream-ada", of: Fixture.otherProvider)) == 0)
        #expect(try await end(operations.viewer("upstream-ada", of: Fixture.provider)) == 2)
        for login in [waiting, eve] {
            await expectError(.loginUnknown) { try await domain.logins.confirm(login, now: Self.later) }
        }
        #expect(try await operations.decisions(of: DeviceID("one")!).isEmpty)
        _ = try await fixture.record(of: "three", now: Self.later)
        #expect(try await end(.with { $0.code = code }) == 1)
        #expect(try await domain.signIns.deviceStanding(of: fixture.device("three"), now: Self.later) == .never)
        try await fixture.signedIn(device: "four", requestor: Fixture.sibling, account: "bob")
        #expect(try await end(.with { $0.requestor = Fixture.requestor }) == 0)
        #expect(try await end(.with { ($0.since, $0.before) = (Self.later, Self.later + .seconds(1)) }) == 0)
        #expect(try await end(.with { ($0.since, $0.before) = (Fixture.now, Self.later) }) == 1)
        try await fixture.signedIn(device: "five", account: "bob")
        #expect(try await operations.deleteRecords(of: DeviceID("five")!, actor: "op", now: Self.later).count == 1)
        try await fixture.signedIn(device: "six", account: "bob")
        #expect(try await end(.all) == 1)
        // One line each, newest first, also for those that ended nothing.
        let entries = try await operations.auditEntries(limit: 100)
        #expect(entries.map(\.action) == ["sign-ins.end", "box.sign-out"] + Array(repeating: "sign-ins.end", count: 7))
        #expect(entries.allSatisfy { $0.actor == "op" && $0.time == Self.later })
        #expect(!entries.contains { $0.subject.contains(code.text) || $0.subject.contains("upstream-ada") })
    }

    @Test func `finds an account in any spelling, and removes it with the sign-ins of its boxes`() async throws {
        let account = Account(mvpd: Fixture.provider, id: "upstream-ada", name: "ada", passwordHash: "*", lineUp: ["*"])
        #expect(try await fixture.store.insert(account, audit: nil))
        try await fixture.signedIn(account: "ada")
        let operations = domain.operations
        var question = SignInQuestion()
        (question.viewer, question.provider) = ("Ada", Fixture.provider.text)
        let viewer = operations.viewer(account.id, of: account.mvpd)
        #expect(try await operations.selection(question, Fixture.catalogue) == viewer)
        #expect(try await operations.removeAccount("ada", of: Fixture.provider, actor: "op", now: Self.later) == 1)
        #expect(try await operations.removeAccount("ada", of: Fixture.provider, actor: "op", now: Self.later) == nil)
        #expect(try await operations.records(of: DeviceID("box")!).isEmpty)
        #expect(try await self.log() == ["user.remove", "sign-ins.end"])
    }
}

@Suite("What a caller may touch", .fixture, .timeLimit(.minutes(5)))
struct RemitTests {
    @Test("is what belongs to its requestors, and speaks for none beside them; operators touch everything")
    func remit() async throws {
        let operations = domain.operations
        func remit(_ requestors: RequestorID...) -> Remit {
            Remit(
                of: ApplicationRecord(
                    softwareID: "s", name: "s", version: "1", requestors: requestors, redirectTargets: [],
                    scopes: [], created: Fixture.now, ends: nil))
        }
        let own = remit(Fixture.requestor)
        let record = try await fixture.newSignIn()
        let other = remit(Fixture.sibling)
        #expect(try await operations.records(of: DeviceID("box")!, within: other).isEmpty)
        #expect(try await operations.deleteRecord(record.id, within: other, actor: "c", now: Fixture.now) == nil)
        let code = AuthNSelection.with { $0.code = record.code! }
        #expect(try await operations.endSignIns(code, within: other, actor: "c", now: Fixture.now) == 0)
        #expect(try await operations.records(of: DeviceID("box")!, within: own) == [record])
        #expect(try await operations.endSignIns(code, within: own, actor: "c", now: Fixture.now) == 1)
        let pair = try await domain.credentials.issueKeyPair(
            for: [Fixture.requestor, Fixture.sibling], isServerToServer: false, actor: "op", now: Fixture.now
        ).record.publicKey
        for narrow in [own, other, remit()] {
            #expect(
                try await domain.credentials.revokeKeyPair(pair, within: narrow, actor: "c", now: Fixture.now) == nil)
        }
        let both = remit(Fixture.requestor, Fixture.sibling)
        #expect(try await domain.credentials.revokeKeyPair(pair, within: both, actor: "c", now: Fixture.now) != nil)
        #expect(try await domain.credentials.revokeKeyPair("none", within: both, actor: "c", now: Fixture.now) == nil)
        #expect(Remit.all.coversAll(of: domain.catalogue) && !both.coversAll(of: domain.catalogue))
    }
}
