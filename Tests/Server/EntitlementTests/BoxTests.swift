import Clientless
import Entitlement
import Testing

@Suite("The boxes of a viewer", .fixture, .timeLimit(.minutes(5)))
struct BoxTests {
    private func names(_ list: BoxList) -> [Int64] { list.boxes.map { ($0.since - Fixture.now).components.seconds } }

    @Test("are those that signed in with the account for the requestor, this one first, then the newest")
    func list() async throws {
        for (number, device) in ["box", "attic", "guest"].enumerated() {
            try await fixture.signedIn(device: device, now: Fixture.now + .seconds(number))
        }
        let own = try await fixture.record(of: "attic", now: Fixture.now + .seconds(9))
        let list = try await domain.boxes.list(for: own, now: Fixture.now + .seconds(9))
        #expect(self.names(list) == [1, 2, 0] && !list.hasMore)
        #expect(list.boxes[0].handle == own.context.device.handle)
        #expect(list.boxes.allSatisfy { $0.name == "Living room" && $0.model == "HC-100" })
        #expect(Set(list.boxes.map(\.handle)).count == 3)
        #expect(list.boxes[0].until == own.expires)
        // The same handles for every one of them.
        let other = try await domain.boxes.list(
            for: try await fixture.record(now: Fixture.now + .seconds(9)),
            now: Fixture.now + .seconds(9))
        #expect(Set(other.boxes.map(\.handle)) == Set(list.boxes.map(\.handle)))
    }

    @Test func `were last seen when they asked for something to play, and the one that asks now`() async throws {
        for device in ["box", "attic", "guest"] { try await fixture.signedIn(device: device) }
        let resource = Resource("ada TV")!
        let played = Fixture.now + .seconds(60)
        _ = try await domain.decisions.authorize(resource, context: fixture.device("attic"), now: played)
        let own = try await fixture.record(now: played)
        let list = try await domain.boxes.list(for: own, now: played + .seconds(1))
        #expect(list.boxes[0].seen == played + .seconds(1))
        #expect(Set(list.boxes.dropFirst().map(\.seen)) == [played, nil])
        // A sign-in in place of that one has played nothing yet.
        _ = try await domain.signIns.logout(fixture.device("attic"), requestors: [Fixture.requestor], now: played)
        try await fixture.signedIn(device: "attic", now: played)
        let later = try await domain.boxes.list(for: own, now: played + .seconds(2))
        #expect(later.boxes.dropFirst().allSatisfy { $0.seen == nil })
    }

    @Test("are never another account's, another provider's, another requestor's, nor over")
    func others() async throws {
        try await fixture.signedIn()
        try await fixture.signedIn(device: "neighbour", account: "bob")
        try await fixture.signedIn(device: "dish", mvpd: Fixture.otherProvider)
        try await fixture.signedIn(device: "south", requestor: Fixture.sibling)
        let old = Fixture.now - .seconds(300 * 24 * 3600)
        try await fixture.signedIn(device: "over", now: old)
        let own = try await fixture.record()
        #expect(try await domain.boxes.list(for: own).boxes.count == 1)
        // A box that uses a sign-in that another requestor obtained sees that requestor's boxes no more than any.
        let shared = try await fixture.record(of: "south")
        let seen = try await domain.boxes.list(for: shared)
        #expect(seen.boxes.count == 2 && seen.boxes[1].handle == own.context.device.handle)
        let south = try await domain.boxes.list(for: shared, requestor: Fixture.sibling, now: Fixture.now)
        #expect(south.boxes.map(\.handle) == [shared.context.device.handle])
    }

    @Test func `are one box where nobody signed in with an account: trials and skipped logins`() async throws {
        try await fixture.addRule(.authnAll)
        let skipped = try await fixture.skippedLogin()
        _ = try await fixture.skippedLogin(device: "other")
        #expect(try await domain.boxes.list(for: skipped).boxes.count == 1)
    }

    @Test(
        "are not told to trials and skipped logins, nor of them, though they go by one name",
        arguments: [
            AuthNOrigin.temporaryPass, .degraded,
        ])
    func sameName(origin: AuthNOrigin) async throws {
        let account = try await fixture.newSignIn(device: "account")
        var trials: [AuthNRecord] = []
        for device in ["box", "other"] {
            let record = try await fixture.newSignIn(device: device)
            trials.append(
                AuthNRecord(
                    id: AuthNID(text: "trial-\(device)"), context: record.context, requestor: record.requestor,
                    isExclusive: record.isExclusive, mvpd: record.mvpd, userID: record.userID, code: nil,
                    origin: origin, created: record.created, expires: record.expires,
                    sealedSession: record.sealedSession))
            try await fixture.store.insert(trials[trials.count - 1])
        }
        for own in trials + [account] { #expect(try await domain.boxes.list(for: own).boxes.count == 1) }
    }

    @Test func `are at most fifty, and the list says that there are more`() async throws {
        for number in 0...Boxes.mostListed {
            let record = try await domain.signIns.signIn(
                fixture.device("box-\(number)"), requestor: Fixture.requestor, mvpd: Fixture.provider,
                login: ProviderLogin(upstreamUserID: "ada", session: ProviderSession(account: "ada")),
                origin: .regular, now: Fixture.now)
            let list = try await domain.boxes.list(for: record)
            #expect(list.boxes.count == min(number + 1, Boxes.mostListed))
            #expect(list.hasMore == (number >= Boxes.mostListed))
            #expect(list.boxes.allSatisfy { $0.name == nil })
        }
    }

    @Test("end one another, with a line in the audit log, and the box that is ended hears who did it")
    func signOut() async throws {
        try await fixture.signedIn()
        try await fixture.signedIn(device: "lost")
        let own = try await fixture.record()
        let lost = try await fixture.record(of: "lost")
        let document = try domain.documents.authenticationDocument(of: lost, device: DeviceID("lost")!)
        let handle = try #require(try await domain.boxes.list(for: own).boxes.last?.handle)
        #expect(try await domain.boxes.signOut(handle, for: own))
        #expect(try await !domain.boxes.signOut(handle, for: own))
        let entries = try await domain.operations.auditEntries(limit: 9)
        #expect(entries.count == 1 && entries[0].action == "box.sign-out")
        #expect(entries[0].actor.hasPrefix("viewer ") && entries[0].actor.contains(" on device "))
        #expect(entries[0].subject.hasPrefix("record ") && entries[0].subject.hasSuffix(", device \(handle)"))
        var search = AuditSelection()
        search.subject = handle.description.uppercased().filter { $0 != "-" }
        #expect(try await domain.operations.auditEntries(search, limit: 9) == entries)
        #expect(await fixture.toldSessions() == ["ada"])
        let error = await #expect(throws: EntitlementError.self) {
            try await domain.documents.authentication(
                presenting: document, device: DeviceID("lost")!, requestor: Fixture.requestor, now: Fixture.now)
        }
        #expect(error?.code == .authenticationRevoked && error?.ending == .signedOutElsewhere)
        _ = try await fixture.record()
    }

    @Test("are ended by those who may see them alone")
    func foreign() async throws {
        try await fixture.signedIn()
        try await fixture.signedIn(device: "other")
        try await fixture.signedIn(device: "neighbour", account: "bob")
        let own = try await fixture.record()
        let neighbour = try await fixture.record(of: "neighbour")
        let handles = try await domain.boxes.list(for: own)
            .boxes.map(\.handle)
        for handle in handles {
            #expect(try await !domain.boxes.signOut(handle, for: neighbour))
            #expect(try await !domain.boxes.signOut(handle, for: own, requestor: Fixture.sibling, now: Fixture.now))
        }
        // Its own sign-in a box ends with a logout.
        #expect(try await !domain.boxes.signOut(handles[0], for: own))
        for device in ["box", "other", "neighbour"] { _ = try await fixture.record(of: device) }
    }
}
