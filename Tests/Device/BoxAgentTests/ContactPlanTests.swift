import HTTPClient
import Observability
import TestSupport
import Testing

@testable import AccessEnabler
@testable import latchkey

@Suite("The way to a server that is gone")
struct ContactPlanTests {
    private let unreachable = EntitlementError(.unreachable)

    @Test func `pauses grow to a minute on average, each drawn from a range as wide as itself`() {
        var plan = ContactPlan()
        var ranges: [ClosedRange<Duration>] = []
        for _ in 0..<8 {
            var low = plan
            let least = low.failed(self.unreachable, at: .zero, jitter: 0).pause
            let most = plan.failed(self.unreachable, at: .zero, jitter: 1).pause
            ranges.append(least...most)
        }
        #expect(ranges[0] == .milliseconds(500)...Duration.milliseconds(1500))
        #expect(ranges[3] == .seconds(4)...Duration.seconds(12))
        #expect(ranges[6] == .seconds(30)...Duration.seconds(90))
        #expect(ranges[7] == ranges[6])
    }

    @Test(
        "5,000 boxes that lost the server at one moment come back over a minute and more, never in a herd",
        arguments: [Duration.seconds(120), .seconds(3600), .seconds(86_400)])
    func spread(outage: Duration) {
        var generator = SeededGenerator(seed: 7)
        var returns: [Duration] = []
        for _ in 0..<5000 {
            var plan = ContactPlan()
            var now = Duration.zero
            while now < outage {
                now += plan.failed(self.unreachable, at: now, jitter: Double.random(in: 0..<1, using: &generator)).pause
            }
            returns.append(now - outage)
        }
        returns.sort()
        #expect(returns[4999] - returns[0] >= .seconds(60))
        #expect(returns[4999] <= .seconds(90))
        // In no second more than a twentieth of them.
        var busiest = 0
        for second in 0..<90 {
            let count = returns.count { $0 >= .seconds(second) && $0 < .seconds(second + 1) }
            busiest = max(busiest, count)
        }
        #expect(busiest <= 250, "the busiest second has \(busiest)")
    }

    @Test func `asks a server that wishes for a pause later than that, and not every box at the same moment`() {
        let busy = EntitlementError(.throttled, retryAfter: .seconds(100))
        var early = ContactPlan()
        var late = ContactPlan()
        let pauses = [
            early.failed(busy, at: .zero, jitter: 0).pause, late.failed(busy, at: .zero, jitter: 0.5).pause,
        ]
        #expect(pauses == [.seconds(100), .seconds(150)])
    }

    @Test func `is not hurried by what only an operator can change`() {
        var plan = ContactPlan()
        let pause = plan.failed(EntitlementError(.refused), at: .zero, jitter: 0).pause
        #expect(pause == .seconds(900))
    }

    @Test func `calls of applications ask at most every second and a half, and a failure is news once`() {
        var plan = ContactPlan()
        #expect(plan.refusal(at: .zero) == nil && !plan.isReached && !plan.hasReached)
        let news = [self.unreachable, self.unreachable, EntitlementError(.untrusted)].map {
            plan.failed($0, at: .seconds(10), jitter: 0).isNews
        }
        #expect(news == [true, false, true])
        #expect(plan.refusal(at: .milliseconds(11_499))?.code == .untrusted)
        #expect(plan.refusal(at: .milliseconds(11_500)) == nil)
        let returns = (0..<2).map { _ in plan.reached(at: .seconds(20), jitter: 0) }
        _ = plan.failed(self.unreachable, at: .seconds(20), jitter: 0)
        #expect(returns == [true, false] && !plan.isReached && plan.hasReached)
    }

    @Test func `what the server said counts for some hours, and not all boxes ask again at one moment`() {
        var (early, late) = (ContactPlan(), ContactPlan())
        #expect(!early.isOutdated(at: .seconds(100_000)))
        _ = early.reached(at: .seconds(20), jitter: 0)
        _ = late.reached(at: .seconds(20), jitter: 0.5)
        let later = Duration.seconds(20 + 3 * 3600)
        #expect(!early.isOutdated(at: later - .seconds(1)) && early.isOutdated(at: later))
        #expect(!late.isOutdated(at: later) && late.isOutdated(at: later + .seconds(3 * 3600)))
    }
}

@Suite("The desk of a requestor", .timeLimit(.minutes(1)))
struct DeskTests {
    @Test func `that has ended lets no caller wait for the server`() async throws {
        let folder = try TemporaryFolder()
        let credentials = try #require(AccessEnabler.Credentials.keyPair(publicKey: "key", privateKey: "secret"))
        let settings = BoxAgent.Requestor(
            requestor: "NORTHSPORT", credentials: credentials, configuration: AccessEnabler.Configuration(),
            stateFile: folder.file("state.json"))
        let surroundings = DeskSurroundings(
            events: EventDesk(), reasons: ReasonBook(path: folder.file("reasons.json")), transport: HTTPClient(),
            serverName: "tv.example", logger: .silent)
        let desk = Desk(settings, surroundings, firstPause: .seconds(3600))
        let run = Task { await desk.run() }
        run.cancel()
        await run.value
        await #expect(throws: AgentError.self) { try await desk.reach() }
    }
}

@Suite("The health of a store")
struct StoreHealthTests {
    @Test func `a store that failed is written to for one caller a second, and a sound one for none`() {
        let health = StoreHealth()
        let now = Duration.seconds(10)
        #expect(!health.isDueForLook(at: now))
        #expect(health.note(EntitlementError(.state)) && !health.note(EntitlementError(.state)))
        #expect(health.isDueForLook(at: now) && !health.isDueForLook(at: now + .milliseconds(999)))
        #expect(health.isDueForLook(at: now + .seconds(1)))
        #expect(health.note(nil) && !health.isDueForLook(at: now + .seconds(9)))
    }
}
