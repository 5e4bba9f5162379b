import Clientless
import Testing

@testable import Entitlement

@Suite("A node's clock beside that of its store's machine")
struct ClockAgreementTests {
    private static let start = Timestamp(milliseconds: 1_800_000_000_000)
    private static let day: Int64 = 86_400

    private func time(_ seconds: Int64) -> Timestamp { Self.start + .seconds(seconds) }

    private func isRight(_ agreement: ClockAgreement, _ wall: Int64, at uptime: Int64) -> Bool {
        agreement.isRight(self.time(wall), at: .seconds(uptime))
    }

    @Test func `counts for a node alone, whatever it shows`() {
        let agreement = ClockAgreement()
        #expect(self.isRight(agreement, 40 * Self.day, at: 0))
        #expect(agreement.time(by: self.time(Self.day), at: .zero) == self.time(Self.day))
        #expect(agreement.storeTime(by: self.time(Self.day), at: .zero) == self.time(Self.day))
        #expect(agreement.look(wall: self.time(0), uptime: .zero, storeClock: nil) == .agreed)
        #expect(self.isRight(agreement, -40 * Self.day, at: 5))
    }

    @Test("does not count from the moment it jumps until it is right again, without another look")
    func jumps() {
        for jump in [Self.day, -Self.day, 303, -303] {
            let agreement = ClockAgreement()
            #expect(agreement.look(wall: self.time(2), uptime: .zero, storeClock: self.time(0)) == .agreed)
            #expect(self.isRight(agreement, 10 + 2, at: 10))
            #expect(!self.isRight(agreement, 10 + 2 + jump, at: 10))
            #expect(agreement.time(by: self.time(10 + 2 + jump), at: .seconds(10)) == self.time(10))
            #expect(agreement.time(by: self.time(10 + 2 + 30), at: .seconds(10)) == self.time(42))
            #expect(agreement.storeTime(by: self.time(10 + 2 + 30), at: .seconds(10)) == self.time(10))
            let found = agreement.look(wall: self.time(20 + 2 + jump), uptime: .seconds(20), storeClock: self.time(20))
            #expect(found == .wrong(ahead: .seconds(jump + 2)))
            #expect(!self.isRight(agreement, 21 + 2 + jump, at: 21))
            #expect(self.isRight(agreement, 22 + 2, at: 22))
        }
    }

    @Test("does not count where it drifts away, a second at each look, and is never more than the tolerance off")
    func drifts() {
        let agreement = ClockAgreement()
        for look in 0..<400 as Range<Int64> {
            let uptime = 5 * look
            let found = agreement.look(
                wall: self.time(uptime + look), uptime: .seconds(uptime), storeClock: self.time(uptime))
            #expect(found == (look <= 300 ? .agreed : .wrong(ahead: .seconds(look))))
            #expect(self.isRight(agreement, uptime + look, at: uptime) == (look <= 300))
        }
        // Agreed at the edge, and then a jump that is none by itself.
        #expect(agreement.look(wall: self.time(2299), uptime: .seconds(2000), storeClock: self.time(2000)) == .agreed)
        #expect(!self.isRight(agreement, 2299 + 299 + 1, at: 2001))
    }

    @Test func `does not count at a start elsewhere until both agree`() {
        let agreement = ClockAgreement()
        let ahead = agreement.look(wall: self.time(Self.day), uptime: .zero, storeClock: self.time(0))
        #expect(ahead == .wrong(ahead: .seconds(Self.day)))
        #expect(!self.isRight(agreement, Self.day + 1, at: 1))
        #expect(!self.isRight(agreement, 1, at: 1))
        #expect(agreement.look(wall: self.time(5), uptime: .seconds(5), storeClock: self.time(5)) == .agreed)
        #expect(self.isRight(agreement, 6, at: 6))
    }

    @Test func `counts on where the other one jumped`() {
        let agreement = ClockAgreement()
        #expect(agreement.look(wall: self.time(0), uptime: .zero, storeClock: self.time(0)) == .agreed)
        let found = agreement.look(wall: self.time(60), uptime: .seconds(60), storeClock: self.time(Self.day))
        #expect(found == .storeWrong(ahead: .seconds(60 - Self.day)))
        #expect(self.isRight(agreement, 61, at: 61))
        // And on, as long as that lasts; one that jumps itself then does not count either.
        let later = agreement.look(wall: self.time(65), uptime: .seconds(65), storeClock: self.time(Self.day + 5))
        #expect(later == .storeWrong(ahead: .seconds(60 - Self.day)))
        let both = agreement.look(
            wall: self.time(-Self.day), uptime: .seconds(70), storeClock: self.time(Self.day + 10))
        #expect(both == .wrong(ahead: .seconds(-2 * Self.day - 10)))
    }
}
