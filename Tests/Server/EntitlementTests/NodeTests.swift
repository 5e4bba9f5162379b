import Clientless
import Cryptography
import Entitlement
import Synchronization
import TestSupport
import Testing

@Suite("Two nodes on one store", .fixture, .timeLimit(.minutes(5)))
struct NodeTests {
    @Test func `a node hears of what another node changed, and wakes who waits with it`() async throws {
        let other = try Fixture.domain(on: fixture.store)
        try await other.upkeep.start(now: Fixture.now)
        var position = try await fixture.store.latestChange()
        let code = try await fixture.code()
        _ = try await other.codes.codeStanding(of: code)
        #expect(other.waitingRoom.wait(on: [.code(code)], for: .seconds(50), resume: { _ in }) != nil)
        let token = try await fixture.acceptedLogin(code)
        _ = try await domain.logins.confirm(token)
        try await other.upkeep.followChanges(after: &position, now: Fixture.now)
        #expect(other.waitingRoom.count == 0)
        guard case .signedIn = try await other.codes.codeStanding(of: code)
        else { return #expect(Bool(false), "the other node answers from old memory") }
    }

    @Test func `a node that was paused or cut off asks the store until it has caught up`() async throws {
        let uptime = ManualUptime()
        let node = try Fixture.domain(on: fixture.store, uptime: uptime)
        var position = try await node.upkeep.start(now: Fixture.now)
        let code = try await fixture.code()
        func inMemory() -> CodeStanding? { node.codes.codeStandingInMemory(of: code) }
        func asked() async throws -> CodeStanding { try await node.codes.codeStanding(of: code) }
        let waiting = try await asked()
        try await node.upkeep.followChanges(after: &position, now: Fixture.now)
        _ = try await fixture.store.deleteCode(code, of: nil)
        uptime.advance(by: Freshness.limit)
        #expect(inMemory() == waiting)
        uptime.advance(by: .milliseconds(1))
        #expect(inMemory() == nil)
        #expect(try await asked() == .unknown)
        // What it remembers of others answers again at once.
        let other = try await fixture.code()
        _ = try await node.codes.codeStanding(of: other)
        try await node.upkeep.followChanges(after: &position, now: Fixture.now)
        #expect(inMemory() == nil)
        #expect(node.codes.codeStandingInMemory(of: other) == waiting)
    }

    @Test func `a node that could not follow the feed once asks the store`() async throws {
        let uptime = ManualUptime()
        let node = try Fixture.domain(on: fixture.store, uptime: uptime)
        var position = try await node.upkeep.start(now: Fixture.now)
        let code = try await fixture.code()
        let waiting = try await node.codes.codeStanding(of: code)
        uptime.advance(by: .seconds(60))
        #expect(node.codes.codeStandingInMemory(of: code) == waiting)
        await fixture.store.close()
        await #expect(throws: StoreError.self) {
            try await node.upkeep.followChanges(after: &position, now: Fixture.now)
        }
        #expect(node.codes.codeStandingInMemory(of: code) == nil)
    }

    @Test func `a node forgets a code that no one asks about, and finds it again in the store`() async throws {
        let (codes, upkeep) = (domain.codes, domain.upkeep)
        var position = try await upkeep.start(now: Fixture.now)
        try await upkeep.followChanges(after: &position, now: Fixture.now)
        let code = try await fixture.code()
        let waiting = try await codes.codeStanding(of: code)
        for _ in 0..<3 {
            upkeep.age()
            #expect(codes.codeStandingInMemory(of: code) != nil)
        }
        upkeep.age()
        upkeep.age()
        #expect(codes.codeStandingInMemory(of: code) == nil)
        #expect(try await codes.codeStanding(of: code) == waiting)
        #expect(codes.codeStandingInMemory(of: code) == waiting)
    }

    @Test func `a current permit is answered from memory, until a node erases it`() async throws {
        let (device, resource) = (fixture.device("box"), Resource("ada TV")!)
        let other = try Fixture.domain(on: fixture.store)
        var position = try await other.upkeep.start(now: Fixture.now)
        try await fixture.signedIn()
        let permit = try await domain.decisions.authorize(resource, context: device)
        func known() async throws -> AuthZRecord {
            try await other.decisions.storedAuthorization(resource, context: device)
        }
        try await other.upkeep.followChanges(after: &position, now: Fixture.now)
        _ = try await known()
        let reads = fixture.store.statistics.reads
        #expect(try await known() == permit)
        #expect(fixture.store.statistics.reads == reads)
        try await fixture.store.deleteAuthorization(
            of: permit.authentication, requestor: Fixture.requestor, resource: resource)
        try await other.upkeep.followChanges(after: &position, now: Fixture.now)
        await expectError(.authorizationMissing) { try await known() }
    }

    @Test("a page learns that its box was told, and a box that is told costs no change")
    func handover() async throws {
        let code = try await fixture.code()
        let token = try await fixture.acceptedLogin(code)
        // Of presses that came together one is kept.
        _ = try await concurrently(8) { _ in try? await fixture.domain.logins.confirm(token) }
        func handover(_ browser: Browser = Fixture.browser) -> Handover {
            domain.logins.handover(of: token, browser: browser)
        }
        #expect(handover() == .waiting)
        #expect(handover(Browser(Secret("another browser"))) == .unknown)
        let position = try await fixture.store.latestChange()
        _ = try await domain.codes.codeStanding(of: code)
        #expect(handover() == .told)
        #expect(try await fixture.store.latestChange() == position)
    }

    @Test("a node that remembers that a box is not signed in never tells it that its sign-in is gone")
    func justSignedIn() async throws {
        let other = try Fixture.domain(on: fixture.store)
        var position = try await other.upkeep.start(now: Fixture.now)
        let code = try await fixture.code()
        let device = fixture.device("box")
        // The other node learns that there is nothing yet.
        #expect(try await other.signIns.deviceStanding(of: device) == .never)
        let token = try await fixture.acceptedLogin(code)
        _ = try await domain.logins.confirm(token)
        // It has not followed the feed: what it would give up on, it asks the store for.
        #expect(
            try await other.signIns.currentSignIn(
                device, requestor: Fixture.requestor, mvpd: nil, now: Fixture.now) != nil)
        // It reads the code for the first time.
        for _ in 0..<2 {
            #expect(other.codes.codeStandingInMemory(of: code) != .signInGone)
            guard case .signedIn = try await other.codes.codeStanding(of: code)
            else { return #expect(Bool(false), "a box that has just signed in is told otherwise") }
        }
        // One that is gone indeed is told so.
        try await domain.signIns.logout(device, requestors: [Fixture.requestor], now: Fixture.now)
        try await other.upkeep.followChanges(after: &position, now: Fixture.now)
        #expect(try await other.codes.codeStanding(of: code) == .signInGone)
    }

    @Test func `a node that met a gap in the feed forgets everything, and wakes every held poll`() async throws {
        let other = try Fixture.domain(on: fixture.store)
        try await other.upkeep.start(now: Fixture.now)
        let (code, device) = (try await fixture.code(), fixture.device("box"))
        _ = try await other.codes.codeStanding(of: code)
        _ = try await other.signIns.deviceStanding(of: device)
        #expect(other.waitingRoom.wait(on: [.code(code)], for: .seconds(50), resume: { _ in }) != nil)
        let newest = try await fixture.store.latestChange()
        var position = ChangePosition(bytes: [1, 2, 3])
        try await other.upkeep.followChanges(after: &position, now: Fixture.now)
        #expect(position == newest)
        #expect(other.waitingRoom.count == 1)
        other.waitingRoom.expire()
        #expect(other.waitingRoom.count == 0)
        #expect(other.codes.codeStandingInMemory(of: code) == nil)
        #expect(other.signIns.deviceStandingInMemory(of: device) == nil)
    }

    @Test func `a node purges nothing when its clock jumps, and one node purges at a time`() async throws {
        try await fixture.signedIn()
        let upkeep = domain.upkeep
        let other = try Fixture.domain(on: fixture.store).upkeep
        func tidy(_ upkeep: Upkeep, _ wall: Duration, _ uptime: Duration) async throws -> Upkeep.Tidying {
            try await upkeep.tidy(now: Fixture.now + wall, share: .seconds(1)) { uptime }
        }
        #expect(try await tidy(upkeep, .zero, .zero) == .done(erased: 0))
        #expect(try await tidy(other, .zero, .zero) == .elsewhere)
        let ahead: Duration = .seconds(400 * 86_400)
        let doubted = Upkeep.Tidying.doubted(.jumped(ahead: ahead, wait: PurgeClock.probation))
        #expect(try await tidy(upkeep, ahead + .seconds(30), .seconds(30)) == doubted)
        // One that starts with such a clock doubts it as well.
        guard case .doubted = try await tidy(other, ahead, .zero)
        else { return #expect(Bool(false), "a start a year ahead purges") }
        #expect(try await fixture.store.authentications(of: fixture.device("box").device, limit: 9).count == 1)
        #expect(try await tidy(upkeep, .seconds(60), .seconds(60)) == .done(erased: 0))
    }

    @Test("a node that purges leaves the store alone between its batches, and leaves the rest when it is told to")
    func pausing() async throws {
        let end = Fixture.now + .seconds(1)
        for number in 0..<1600 {
            _ = try await fixture.store.takeNonce(
                "\(number)", publicKey: "k", expires: end, now: Fixture.now, isPassing: true)
        }
        let later = end + .seconds(8 * 86_400)
        try await fixture.store.confirm(later, audit: nil)
        let clock = Mutex(Duration.zero)
        let rests = Mutex<[Duration]>([])
        func tidy(going: Bool, share: Duration = .seconds(60)) async throws -> Upkeep.Tidying {
            try await domain.upkeep.tidy(
                now: later, share: share,
                uptime: {
                    clock.withLock { time in
                        time += .milliseconds(10)
                        return time
                    }
                },
                pause: { batch in
                    rests.withLock { $0.append(batch) }
                    return going
                })
        }
        #expect(try await tidy(going: false) == .unfinished(erased: 500))
        #expect(rests.withLock { $0.count } == 1)
        // A slow store has its rest also where a batch took all of the share.
        #expect(try await tidy(going: true, share: .zero) == .unfinished(erased: 500))
        #expect(rests.withLock { $0.count } == 2)
        #expect(try await tidy(going: true) == .done(erased: 600))
        #expect(rests.withLock { $0 }.allSatisfy { $0 > .zero && $0 < .seconds(1) })
        #expect(rests.withLock { $0.count } == 3)
    }

    @Test func `a purge of a slow store becomes smaller until it ends long before the lease, and larger again`() {
        var batch = PurgeBatch()
        #expect(batch.limit == 500)
        batch.note(taking: PurgeBatch.long)
        #expect(batch.limit == 500)
        batch.note(taking: PurgeBatch.long + .seconds(1))
        #expect(batch.limit == 125)
        batch.noteFailure()
        #expect(batch.limit == 31)
        for _ in 0..<9 { batch.noteFailure() }
        #expect(batch.limit == PurgeBatch.least)
        batch.note(taking: PurgeBatch.short)
        #expect(batch.limit == PurgeBatch.least)
        for _ in 0..<9 { batch.note(taking: .milliseconds(5)) }
        #expect(batch.limit == 500)
        #expect(PurgeBatch.long < Upkeep.lease / 4)
    }

    @Test func `a node whose batches take long purges less with each, and all of it in the end`() async throws {
        let end = Fixture.now + .seconds(1)
        for number in 0..<1000 {
            _ = try await fixture.store.takeNonce(
                "\(number)", publicKey: "k", expires: end, now: Fixture.now, isPassing: true)
        }
        let later = end + .seconds(8 * 86_400)
        try await fixture.store.confirm(later, audit: nil)
        let clock = Mutex(Duration.zero)
        func tidy() async throws -> Upkeep.Tidying {
            try await domain.upkeep.tidy(
                now: later, share: .zero,
                uptime: {
                    clock.withLock { time in
                        time += .seconds(16)
                        return time
                    }
                })
        }
        for erased in [500, 125, 31, 8, 8] { #expect(try await tidy() == .unfinished(erased: erased)) }
    }

    @Test("a clock that jumps 20 hours, or starts 6 days ahead, takes nothing that has time to go; an honest one does")
    func shortLived() async throws {
        let upkeep = domain.upkeep
        let other = try Fixture.domain(on: fixture.store).upkeep
        let credentials = domain.credentials
        func tidy(_ upkeep: Upkeep, _ wall: Duration, _ uptime: Duration) async throws -> Upkeep.Tidying {
            try await upkeep.tidy(now: Fixture.now + wall, share: .seconds(1)) { uptime }
        }
        func isNew(_ now: Timestamp) async throws -> Bool {
            try await credentials.nonces.take("nonce", of: "key", until: Fixture.now + .seconds(900), now: now)
        }
        #expect(try await isNew(Fixture.now))
        let code = try await fixture.code()
        let record = try await fixture.store.code(code)
        #expect(try await tidy(upkeep, .zero, .zero) == .done(erased: 0))
        let jump: Duration = .seconds(20 * 3600)
        #expect(
            try await tidy(upkeep, jump + .seconds(30), .seconds(30))
                == .doubted(.jumped(ahead: jump, wait: PurgeClock.probation)))
        #expect(try await tidy(other, .seconds(6 * 86_400), .zero) == .done(erased: 0))
        #expect(try await fixture.store.code(code) == record)
        #expect(try await isNew(Fixture.now + .seconds(60)) == false)
        // The first of the two has run on with the right time.
        #expect(try await tidy(upkeep, .seconds(4499), .seconds(4499)) == .done(erased: 0))
        #expect(try await tidy(upkeep, .seconds(4500), .seconds(4500)) == .done(erased: 1))
        #expect(try await tidy(upkeep, jump, jump) == .done(erased: 0))
        let later = try await fixture.store.code(code)
        #expect(later != nil && later != record)
    }

    @Test func `a node holds nonces in its memory while the store keeps none, each for one call`() async throws {
        let credentials = domain.credentials
        let end = Fixture.now + .seconds(900)
        func take(_ nonce: String, _ wall: Timestamp = Fixture.now) async throws -> Bool {
            try await credentials.nonces.take(nonce, of: "key", until: end, now: wall)
        }
        #expect(try await take("stored"))
        await fixture.store.close()
        #expect(try await take("stored") == false)
        #expect(try await take("held"))
        #expect(try await take("held") == false)
        #expect(try await take("other"))
        #expect(try await take("held", end - .milliseconds(1)) == false)
        #expect(try await take("held", end))
    }
}
