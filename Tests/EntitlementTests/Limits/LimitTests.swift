import Clientless
import Entitlement
import Testing

@Suite("Limits on guessing")
struct LimitTests {
    static let start = Timestamp(milliseconds: 1_767_225_600_000)
    static let limit = AttemptLimit(failures: 20, window: .seconds(600), penalty: .seconds(600))

    @Test("close the door for ten minutes at the twentieth wrong code of an address, and open it then")
    func address() {
        let limiter = GuessLimiter(limit: Self.limit, sessionLimit: Self.limit)
        let sources = [GuessLimiter.Source.address("192.0.2.1")]
        for failure in 1...19 {
            limiter.recordFailure(of: sources, now: Self.start)
            #expect(limiter.waitingTime(of: sources, now: Self.start) == nil, "after \(failure)")
        }
        limiter.recordFailure(of: sources, now: Self.start)
        #expect(limiter.waitingTime(of: sources, now: Self.start) == .seconds(600))
        #expect(limiter.waitingTime(of: [.address("192.0.2.2")], now: Self.start) == nil)
        #expect(limiter.waitingTime(of: sources, now: Self.start + .seconds(600)) == nil)
    }

    @Test("forget failures that lie more than a window apart")
    func window() {
        let limiter = GuessLimiter(limit: Self.limit, sessionLimit: Self.limit)
        let sources = [GuessLimiter.Source.address("192.0.2.1")]
        for step in 0..<100 {
            let now = Self.start + .seconds(60 * step)
            limiter.recordFailure(of: sources, now: now)
            #expect(limiter.waitingTime(of: sources, now: now) == nil)
        }
    }

    @Test("count a browser session apart from its address")
    func session() {
        let tight = AttemptLimit(failures: 2, window: .seconds(600), penalty: .seconds(60))
        let limiter = GuessLimiter(limit: Self.limit, sessionLimit: tight)
        let session = GuessLimiter.Source.session([1, 2, 3])
        limiter.recordFailure(of: [.address("a"), session], now: Self.start)
        limiter.recordFailure(of: [.address("b"), session], now: Self.start)
        #expect(limiter.waitingTime(of: [session], now: Self.start) == .seconds(60))
        #expect(limiter.waitingTime(of: [.address("a")], now: Self.start) == nil)
    }

    @Test("close the whole service until the next minute when everybody together guesses too much")
    func service() {
        let limiter = GuessLimiter(limit: Self.limit, sessionLimit: Self.limit)
        limiter.setServiceLimit(60)
        for stranger in 0..<60 { limiter.recordFailure(of: [.address("\(stranger)")], now: Self.start) }
        #expect(limiter.waitingTime(of: [.address("new")], now: Self.start + .seconds(15)) == .seconds(45))
        #expect(limiter.waitingTime(of: [.address("new")], now: Self.start + .seconds(60)) == nil)
    }

    @Test(
        "allow the service the fewer guesses the more codes are open",
        arguments: [
            (0, 100_000), (100, 100_000), (100_000, 134), (10_000_000, 60),
        ])
    func serviceLimit(liveCodes: Int, expected: Int) {
        #expect(GuessLimiter.serviceLimit(liveCodes: liveCodes, codeSpace: 13_492_928_512) == expected)
    }
}
