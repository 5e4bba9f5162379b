import Clientless
import TestSupport
import Testing

@testable import AccessEnabler

private let start = Timestamp(seconds: 1_800_000_000)

private func schedule(lasting life: Duration = .seconds(1800), interval: Duration = .seconds(5)) -> PollingSchedule {
    var schedule = PollingSchedule(interval: interval, expires: start + life)
    _ = schedule.begin(at: start)
    return schedule
}

extension PollingSchedule.Poll? {
    fileprivate var pause: Duration? { self.map(\.pause) }

    fileprivate var hold: Duration? { self.flatMap(\.hold) }
}

@Suite("A polling schedule")
struct PollingScheduleTests {
    @Test func `asks at once at first, and lets the server hold the question for 50 s`() {
        var schedule = PollingSchedule(interval: .seconds(5), expires: start + .seconds(1800))
        let poll = PollingSchedule.Poll(pause: .zero, hold: .seconds(50), timeout: .seconds(60))
        #expect(schedule.begin(at: start) == poll)
    }

    @Test func `asks again at once after a question that was held`() {
        var schedule = schedule()
        let step = schedule.next(
            after: .pending(heldFor: .seconds(50), changed: false), at: start + .seconds(50), jitter: 0.5)
        #expect(step.pause == .zero && step.hold == .seconds(50))
    }

    @Test func `asks at once after an early answer that brought news`() {
        var schedule = schedule()
        for second in 1...5 {
            let step = schedule.next(
                after: .pending(heldFor: .milliseconds(10), changed: true), at: start + .seconds(second), jitter: 0.5)
            #expect(step.pause == .zero)
        }
    }

    @Test func `slows down, to one interval, for a server that says it waits and does not`() {
        var schedule = schedule()
        let pauses = (0..<9).map { _ in
            schedule.next(after: .pending(heldFor: .zero, changed: false), at: start, jitter: 0.5).pause
        }
        #expect(pauses.prefix(4) == [.milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800)])
        #expect(pauses.last == .some(.seconds(5)))
    }

    @Test(arguments: [(0.0, 4500), (0.5, 5000)])
    func `asks every five seconds, a tenth more or less, where nothing is held`(jitter: Double, milliseconds: Int) {
        var schedule = schedule()
        let step = schedule.next(after: .pending(heldFor: nil, changed: false), at: start, jitter: jitter)
        #expect(step == .init(pause: .milliseconds(milliseconds), hold: nil, timeout: .seconds(10)))
    }

    @Test func `asks half as often after five minutes of asking`() {
        var schedule = schedule()
        let answer = PollingSchedule.Answer.pending(heldFor: nil, changed: false)
        #expect(schedule.next(after: answer, at: start + .seconds(300), jitter: 0.5).pause == .seconds(5))
        #expect(schedule.next(after: answer, at: start + .seconds(301), jitter: 0.5).pause == .seconds(10))
    }

    @Test("tries again at the next interval, then doubles its pause to a minute, and begins anew after an answer")
    func failures() {
        var schedule = schedule()
        let pauses = (0..<6).map { _ in schedule.next(after: .failed, at: start, jitter: 0.5).pause }
        #expect(pauses == [5, 10, 20, 40, 60, 60].map { .seconds($0) })
        #expect(schedule.failures == 6)
        let answer = PollingSchedule.Answer.pending(heldFor: nil, changed: false)
        #expect(schedule.next(after: answer, at: start, jitter: 0.5).pause == .zero)
        #expect(schedule.next(after: answer, at: start, jitter: 0.5).pause == .seconds(5))
        #expect(schedule.failures == 0)
        #expect(schedule.next(after: .failed, at: start, jitter: 0.5).pause == .seconds(5))
    }

    @Test(
        "5,000 boxes whose held questions were dropped at one moment come back over a minute, never in a herd",
        arguments: [Duration.seconds(60), .seconds(120), .seconds(3600)])
    func returns(outage: Duration) {
        var generator = SeededGenerator(seed: 9)
        var returns: [Duration] = []
        for _ in 0..<5000 {
            var schedule = schedule(lasting: .seconds(36_000))
            _ = schedule.next(after: .pending(heldFor: .seconds(50), changed: false), at: start, jitter: 0.5)
            var elapsed = Duration.zero
            while elapsed < outage {
                let jitter = Double.random(in: 0..<1, using: &generator)
                elapsed += schedule.next(after: .cut(after: .zero), at: start + elapsed, jitter: jitter).pause ?? outage
            }
            returns.append(elapsed - outage)
        }
        returns.sort()
        #expect(returns[4999] - returns[0] >= .seconds(60))
        #expect(returns[4999] <= .seconds(90))
        let busiest = (0..<90).map { second in
            returns.count { $0 >= .seconds(second) && $0 < .seconds(second + 1) }
        }.max()
        // In no second more than a twentieth of them.
        #expect(busiest.map { $0 <= 250 } == true, "the busiest second has \(busiest ?? 0)")
    }

    @Test func `tries to have questions held again after a failure, since the server may be another`() {
        var schedule = schedule()
        _ = schedule.next(after: .pending(heldFor: nil, changed: false), at: start, jitter: 0.5)
        #expect(schedule.next(after: .failed, at: start, jitter: 0.5).hold == .seconds(50))
    }

    @Test(arguments: [0.0, 0.5, 0.99])
    func `comes back within three seconds when a held question is dropped, spread by chance`(jitter: Double) {
        var schedule = schedule()
        _ = schedule.next(after: .pending(heldFor: .seconds(50), changed: false), at: start, jitter: 0.5)
        #expect(schedule.next(after: .failed, at: start, jitter: jitter).pause == .seconds(3) * jitter)
        #expect(schedule.next(after: .failed, at: start, jitter: 0.5).pause == .seconds(10))
    }

    @Test func `asks for an answer at once while the connection is gone, and to be held again once it is back`() {
        var schedule = schedule()
        _ = schedule.next(after: .cut(after: .seconds(20)), at: start, jitter: 0.5)
        #expect(schedule.next(after: .cut(after: .zero), at: start, jitter: 0.5).hold == nil)
        let back = schedule.next(after: .pending(heldFor: nil, changed: false), at: start, jitter: 0.5)
        #expect(back.pause == .zero && back.hold == .seconds(50))
    }

    @Test("takes at least the pause a throttling server asks for, at least double its own, of its own at most a minute")
    func throttled() {
        var schedule = schedule()
        #expect(schedule.next(after: .throttled(retryAfter: .seconds(12)), at: start, jitter: 0).pause == .seconds(12))
        #expect(schedule.next(after: .throttled(retryAfter: .seconds(1)), at: start, jitter: 0).pause == .seconds(24))
        #expect(schedule.next(after: .throttled(retryAfter: nil), at: start, jitter: 0).pause == .seconds(48))
        #expect(
            schedule.next(after: .throttled(retryAfter: .seconds(900)), at: start, jitter: 0).pause == .seconds(900))
        #expect(schedule.next(after: .throttled(retryAfter: nil), at: start, jitter: 0.5).pause == .seconds(60))
        #expect(schedule.failures == 0)
    }

    @Test func `shortens the hold when questions are cut off twice in a row after the same time, such as by a proxy`() {
        var schedule = schedule()
        _ = schedule.next(after: .pending(heldFor: .seconds(50), changed: false), at: start, jitter: 0.5)
        let holds = (0..<3).map { _ in
            schedule.next(after: .cut(after: .seconds(30)), at: start, jitter: 0.5)
        }
        #expect(holds.map(\.hold) == [.seconds(50), .seconds(24), .seconds(19)])
        // The way to the server works: no pause grows.
        #expect(holds.map(\.pause) == [1500, 1500, 1500].map { .milliseconds($0) })
        // What was learnt stays; one node that stops changes nothing.
        let held = PollingSchedule.Answer.pending(heldFor: .seconds(19), changed: false)
        #expect(schedule.next(after: held, at: start, jitter: 0.5).hold == .seconds(19))
        #expect(schedule.next(after: .cut(after: .seconds(9)), at: start, jitter: 0.5).hold == .seconds(19))
    }

    @Test func `takes a question that fails at once for a failure, though it was to be held`() {
        var schedule = schedule()
        let pauses = (0..<3).map { _ in schedule.next(after: .cut(after: .zero), at: start, jitter: 0.5).pause }
        #expect(pauses == [5, 10, 20].map { .seconds($0) })
    }

    @Test func `never comes sooner than a throttling server asked for`() {
        var schedule = schedule()
        let pause = schedule.next(after: .throttled(retryAfter: .seconds(20)), at: start, jitter: 0.999).pause
        #expect(pause.map { $0 >= .seconds(20) && $0 <= .seconds(22) } == true)
    }

    @Test func `ends with the code, and lets nothing reach beyond its end but one second`() {
        var schedule = schedule(lasting: .seconds(20))
        let held = PollingSchedule.Answer.pending(heldFor: .seconds(10), changed: false)
        #expect(schedule.next(after: held, at: start + .seconds(10), jitter: 0.5).hold == .seconds(11))
        #expect(
            schedule.next(after: .throttled(retryAfter: nil), at: start + .seconds(15), jitter: 0).pause == .seconds(5))
        #expect(schedule.next(after: held, at: start + .seconds(20), jitter: 0.5) == nil)
        var over = PollingSchedule(interval: .seconds(5), expires: start)
        #expect(over.begin(at: start) == nil)
    }

    @Test("brings a strange interval to one second or one minute", arguments: [(0, 1), (5, 5), (3600, 60)])
    func interval(given: Int, used: Int) {
        #expect(PollingSchedule(interval: .seconds(given), expires: start).interval == .seconds(used))
    }
}
