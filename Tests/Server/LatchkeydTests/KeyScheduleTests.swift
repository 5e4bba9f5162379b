import Clientless
import Testing
import latchkeyd

@Suite("The schedule of signing keys")
struct KeyScheduleTests {
    private let start = Timestamp(seconds: 1_800_000_000)

    /// Two keys, the newer one made at `start`, to sign ten minutes later; what they sign lives an hour.
    private var two: KeySchedule {
        KeySchedule(
            made: [self.start, self.start - .seconds(86_400)], lead: .seconds(600), longestLife: .seconds(3600))
    }

    @Test func `lets the only key of a new set-up sign from its first moment on, and for ever`() {
        let schedule = KeySchedule(made: [self.start], lead: .seconds(600), longestLife: .seconds(1))
        for moment in [self.start - .seconds(1), self.start, self.start + .seconds(86_400)] {
            #expect(schedule.signing(at: moment) == 0)
            #expect(schedule.accepted(at: moment) == [0])
        }
    }

    @Test func `publishes a new key before it signs, after the one that does`() {
        #expect(self.two.signing(at: self.start + .seconds(599)) == 1)
        #expect(self.two.accepted(at: self.start) == [1, 0])
        #expect(self.two.signing(at: self.start + .seconds(600)) == 0)
        #expect(self.two.accepted(at: self.start + .seconds(600)) == [0, 1])
    }

    @Test func `accepts an old key until what it signed last is over, and five minutes more`() {
        let end = self.start + .seconds(600 + 3600 + 300)
        #expect(self.two.accepted(at: end - .milliseconds(1)) == [0, 1])
        #expect(self.two.accepted(at: end) == [0])
        let endless = KeySchedule(made: [self.start, self.start], lead: .zero, longestLife: nil)
        #expect(endless.accepted(at: self.start + .seconds(1_000_000_000)) == [0, 1])
    }

    @Test("counts a key as retired since the first newer one signed, also when files were put back out of order")
    func order() {
        let schedule = KeySchedule(
            made: [self.start + .seconds(5000), self.start, self.start + .seconds(9000)], lead: .zero,
            longestLife: .seconds(100))
        #expect(schedule.signing(at: self.start - .seconds(1)) == 2)
        #expect(schedule.signing(at: self.start) == 1)
        #expect(schedule.accepted(at: self.start + .seconds(399)) == [1, 0, 2])
        #expect(schedule.accepted(at: self.start + .seconds(400)) == [1, 0])
        #expect(schedule.signing(at: self.start + .seconds(5000)) == 0)
    }
}
