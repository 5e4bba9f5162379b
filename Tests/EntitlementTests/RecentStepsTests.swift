import Clientless
import Testing

@testable import Entitlement

@Suite("The steps of the last hour")
struct RecentStepsTests {
    private static let now = Timestamp(seconds: 1_767_225_600)
    private static let made = BoxEvent.Kind.allCases.firstIndex(of: .codeMade) ?? -1

    private func made(_ steps: RecentSteps, at now: Timestamp) -> [Int] {
        steps.minutes(until: now).map { $0[Self.made] }
    }

    @Test("are told by the minute, the newest last, and go after sixty")
    func minutes() {
        var steps = RecentSteps()
        steps.count(.codeMade, at: Self.now)
        steps.count(.codeMade, at: Self.now + .seconds(59))
        steps.count(.confirmed, at: Self.now)
        steps.count(.codeMade, at: Self.now + .seconds(60))
        let first = self.made(steps, at: Self.now + .seconds(60))
        #expect(first.count == RecentSteps.span && first.suffix(2) == [2, 1] && first.reduce(0, +) == 3)
        #expect(self.made(steps, at: Self.now + .seconds(59 * 60)).first == 2)
        #expect(self.made(steps, at: Self.now + .seconds(60 * 60)).reduce(0, +) == 1)
        #expect(self.made(steps, at: Self.now + .seconds(61 * 60)).reduce(0, +) == 0)
    }

    @Test("of an hour ago do not count among those of now, and late ones are left out")
    func ring() {
        var steps = RecentSteps()
        steps.count(.codeMade, at: Self.now)
        steps.count(.codeMade, at: Self.now + .seconds(3600))
        steps.count(.codeMade, at: Self.now)
        #expect(self.made(steps, at: Self.now + .seconds(3600)).reduce(0, +) == 1)
        steps.count(.codeMade, at: Timestamp(milliseconds: -1))
        #expect(self.made(RecentSteps(), at: Timestamp(milliseconds: 0)).reduce(0, +) == 0)
    }
}
