import Clientless
import Entitlement
import Testing

@Suite("The clock that purges go by")
struct PurgeClockTests {
    private static let start = Timestamp(milliseconds: 1_767_225_600_000)
    private let day: Int64 = 86_400

    /// Looks with a process that has run for `uptime` seconds, and a wall clock `wall` seconds after the start.
    private func look(
        _ clock: inout PurgeClock, wall: Int64, uptime: Int64, lastPurge: Int64? = nil
    ) -> PurgeClock.Doubt? {
        clock.look(
            wall: Self.start + .seconds(wall), uptime: .seconds(uptime),
            lastPurge: lastPurge.map { Self.start + .seconds($0) })
    }

    @Test func `is believed while it goes on as time does, in a new store too`() {
        var clock = PurgeClock()
        for second in stride(from: Int64(0), to: 40 * self.day, by: 3600) {
            #expect(self.look(&clock, wall: second + second % 7, uptime: second) == nil)
        }
    }

    @Test(
        "is doubted after a jump forward or back, and believed at once when it comes back",
        arguments: [1464, 9600, -1464, -480_000, 20, 2, -2] as [Int64])
    func jump(_ hours: Int64) {
        var clock = PurgeClock()
        #expect(self.look(&clock, wall: 0, uptime: 0, lastPurge: 0) == nil)
        for second in stride(from: Int64(30), to: 3600, by: 30) {
            let verdict = self.look(&clock, wall: hours * 3600 + second, uptime: second, lastPurge: 0)
            let wait = self.day - (second - 30)
            #expect(verdict == .jumped(ahead: .seconds(hours * 3600), wait: .seconds(wait)))
        }
        #expect(self.look(&clock, wall: 3600, uptime: 3600, lastPurge: 0) == nil)
    }

    @Test func `is believed after a day at the new time, and not sooner by jumping on`() {
        var clock = PurgeClock()
        #expect(self.look(&clock, wall: 0, uptime: 0, lastPurge: 0) == nil)
        let ahead = 400 * self.day
        func isBelieved(_ wall: Int64, _ uptime: Int64) -> Bool {
            self.look(&clock, wall: wall, uptime: uptime, lastPurge: 0) == nil
        }
        #expect(!isBelieved(ahead, 30))
        #expect(!isBelieved(ahead + self.day - 31, self.day - 1))
        // Half a year further: that time begins anew.
        #expect(!isBelieved(2 * ahead, self.day))
        #expect(!isBelieved(2 * ahead + self.day - 1, 2 * self.day - 1))
        #expect(isBelieved(2 * ahead + self.day, 2 * self.day))
        #expect(isBelieved(2 * ahead + self.day + 30, 2 * self.day + 30))
    }

    @Test("of a start is believed a week after the last purge, and doubted later and before it")
    func start() {
        for (wall, isBelieved) in [
            (0, true), (-3600, true), (7 * self.day, true), (7 * self.day + 1, false), (-3601, false),
            (400 * self.day, false), (-20_000 * self.day, false),
        ] {
            var clock = PurgeClock()
            #expect((self.look(&clock, wall: wall, uptime: 5, lastPurge: 0) == nil) == isBelieved)
        }
    }

    @Test func `may be wrong by a week in the first hour after a start, and by an hour from then on`() {
        var clock = PurgeClock()
        #expect(self.look(&clock, wall: 6 * self.day, uptime: 5, lastPurge: 0) == nil)
        #expect(clock.slack(at: .seconds(5)) == PurgeClock.absence)
        #expect(self.look(&clock, wall: 6 * self.day + 3599, uptime: 3604, lastPurge: 0) == nil)
        #expect(clock.slack(at: .seconds(3604)) == PurgeClock.absence)
        #expect(clock.slack(at: .seconds(3605)) == PurgeClock.tolerance)
    }

    @Test func `of a box that comes up in 1970 is believed as soon as it is right`() {
        var clock = PurgeClock()
        #expect(self.look(&clock, wall: -20_000 * self.day, uptime: 1, lastPurge: 0) != nil)
        #expect(self.look(&clock, wall: 3600, uptime: 31, lastPurge: 0) == nil)
    }

    @Test func `is believed when an operator vouches for it`() {
        var clock = PurgeClock()
        #expect(self.look(&clock, wall: 0, uptime: 0, lastPurge: 0) == nil)
        let ahead = 90 * self.day
        #expect(self.look(&clock, wall: ahead, uptime: 30, lastPurge: 0) != nil)
        #expect(self.look(&clock, wall: ahead + 30, uptime: 60, lastPurge: ahead) == nil)
    }

    @Test("is not believed while that of the store's machine shows another time, though nothing else speaks against it")
    func disagreeing() {
        for ahead in [86_400, -86_400, 3601] as [Int64] {
            var clock = PurgeClock()
            func look(_ uptime: Int64, _ error: Int64) -> PurgeClock.Doubt? {
                let time = Self.start + .seconds(uptime)
                return clock.look(
                    wall: time + .seconds(error), uptime: .seconds(uptime), lastPurge: Self.start, storeClock: time)
            }
            for uptime in stride(from: Int64(0), to: 3 * self.day, by: 3600) {
                #expect(look(uptime, ahead) == .disagreeing(ahead: .seconds(ahead)))
            }
            var fresh = PurgeClock()
            #expect(
                fresh.look(
                    wall: Self.start + .seconds(3600), uptime: .zero, lastPurge: Self.start, storeClock: Self.start)
                    == nil)
        }
    }
}
