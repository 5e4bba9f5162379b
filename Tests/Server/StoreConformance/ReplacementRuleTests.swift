import Clientless
import Entitlement
import StoreFixtures
import Testing

@Suite("What a new sign-in ends")
struct ReplacementRuleTests {
    private let origins: [AuthNOrigin] = [.regular, .platform, .degraded, .temporaryPass]

    private func record(
        _ number: Int, context: DeviceContext = Fixture.context(1), requestor: RequestorID = Fixture.northSport,
        isExclusive: Bool = false, mvpd: MVPDID = Fixture.cableNova, origin: AuthNOrigin = .regular,
        created: Timestamp = Fixture.now
    ) -> AuthNRecord {
        Fixture.authentication(
            number, context, requestor: requestor, isExclusive: isExclusive, mvpd: mvpd, origin: origin,
            created: created)
    }

    private func ends(_ held: AuthNRecord, by new: AuthNRecord) -> Bool { new.ended(among: [held]) == [held] }

    @Test(
        "is the requestor's earlier sign-in at any provider, shared or its own", arguments: [true, false],
        [true, false])
    func ownEarlier(_ heldIsExclusive: Bool, _ newIsExclusive: Bool) {
        let held = self.record(1, isExclusive: heldIsExclusive)
        let new = self.record(2, isExclusive: newIsExclusive, mvpd: Fixture.skyPeak)
        #expect(self.ends(held, by: new))
    }

    @Test func `is what requestors share, and not what another one keeps to itself`() {
        let own = self.record(1, requestor: Fixture.southNews, isExclusive: true)
        let shared = self.record(2, requestor: Fixture.southNews)
        for isExclusive in [true, false] {
            let new = self.record(3, isExclusive: isExclusive, mvpd: Fixture.skyPeak)
            #expect(!self.ends(own, by: new))
            #expect(self.ends(shared, by: new) == !isExclusive)
        }
    }

    @Test func `is nothing of another application, user, device or client`() {
        let new = self.record(1)
        for context in [Fixture.context(1, appID: "a"), Fixture.context(1, deviceUser: "u"), Fixture.context(2)] {
            #expect(!self.ends(self.record(2, context: context), by: new))
        }
        let ofClient = AuthNRecord(
            id: Fixture.authenticationID(3), context: Fixture.context(1), requestor: Fixture.northSport,
            isExclusive: false, mvpd: Fixture.cableNova, client: "c", userID: "", code: nil, created: Fixture.now,
            expires: Fixture.now, sealedSession: [])
        #expect(!self.ends(ofClient, by: new))
    }

    @Test func `is never a real sign-in when only a trial begins, nor a trial when a login is skipped`() {
        for isExclusive in [true, false] {
            let trial = self.record(9, isExclusive: true, mvpd: Fixture.skyPeak, origin: .temporaryPass)
            for origin in self.origins where origin != .temporaryPass {
                let real = self.record(1, isExclusive: isExclusive, origin: origin)
                #expect(!self.ends(real, by: trial))
                #expect(self.ends(trial, by: real) == (origin != .degraded))
            }
            let later = self.record(
                8, isExclusive: true, mvpd: Fixture.skyPeak, origin: .temporaryPass,
                created: Fixture.now + .milliseconds(1))
            #expect(!self.ends(later, by: self.record(1)))
            #expect(self.ends(trial, by: later))
        }
    }

    @Test func `is always what has its key`() {
        for held in self.origins {
            for new in self.origins {
                #expect(self.ends(self.record(1, origin: held), by: self.record(2, origin: new)))
            }
        }
    }

    @Test func `is the oldest beyond the bounds of a device`() throws {
        let held = (0..<20).map { self.record($0, context: Fixture.context(1, appID: "\($0)")) }
        let new = self.record(99, context: Fixture.context(1, appID: "new"))
        #expect(new.ended(among: held) == Array(held[15...]))
        // One more in a context that is there takes no room.
        let other = self.record(
            98, context: Fixture.context(1, appID: "1"), requestor: Fixture.southNews, isExclusive: true)
        #expect(other.ended(among: Array(held[..<16])) == [])
        let own = try (0..<300).map {
            self.record($0, requestor: try #require(RequestorID("r\($0)")), isExclusive: true)
        }
        #expect(self.record(999).ended(among: own) == Array(own[255...]))
    }
}
