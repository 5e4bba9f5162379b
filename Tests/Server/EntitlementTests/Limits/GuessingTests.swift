import Clientless
@testable import Entitlement
import Synchronization
import TestSupport
import Testing

/// Guessing under a clock of the test's own, with what it told.
private final class Strangers: Sendable {
    let guessing: Guessing
    private let box = Notes<GuessClosing>()
    private let random = Mutex(SeededGenerator(seed: 1))

    var heard: [GuessClosing] { self.box.all }

    init(_ settings: Guessing.Settings = Guessing.Settings()) {
        self.guessing = Guessing(settings) { [box] in box.add($0) }
    }

    func code() -> RegistrationCodeText { self.random.withLock { RegistrationCodeText.random(using: &$0) } }

    /// Guesses once.
    /// - Returns: whether the code was looked up; `nil` when the answer was known.
    @discardableResult
    func guess(
        _ guesser: Guesser, _ code: RegistrationCodeText? = nil, is outcome: GuessOutcome = .unknown,
        at now: Duration
    ) -> Bool? {
        switch self.guessing.admit(guesser, code: code ?? self.code(), at: now) {
        case .lookUp(let reservation):
            reservation.settle(outcome, at: now)
            return true
        case .knownWrong: return nil
        case .refused: return false
        }
    }

    /// How many of `count` guesses of new codes were looked up.
    func guesses(_ count: Int, of guesser: Guesser, at now: Duration) -> Int {
        (0..<count).reduce(0) { sum, _ in sum + (self.guess(guesser, at: now) == true ? 1 : 0) }
    }
}

@Suite("Guessing codes")
struct GuessingTests {
    static let start = Duration.seconds(1000)
    static let viewer = Guesser(.v4(0xC000_0201))

    private let strangers = Strangers()

    /// A service whose budget is spent by strangers all over the world.
    private static func underAttack(at now: Duration) -> Strangers {
        let strangers = Strangers()
        strangers.guessing.resize(openCodes: [7: 100_000], at: now)
        for stranger in 0..<3000 {
            _ = strangers.guesses(1, of: Guesser(.v4(0x0100_0000 + UInt32(stranger) << 12)), at: now)
        }
        #expect(strangers.guessing.scarcity(at: now) == 1)
        return strangers
    }

    @Test func `closes an address for ten minutes at its twentieth wrong code, says so once, and opens it then`() {
        #expect(strangers.guesses(25, of: Self.viewer, at: Self.start) == 20)
        #expect(strangers.heard.map(\.scope) == [.address])
        #expect(strangers.heard.map(\.network.description) == ["192.0.2.0/24"])
        #expect(strangers.guess(Self.viewer, at: Self.start + .seconds(599)) == false)
        #expect(strangers.guess(Guesser(.v4(0xC000_0202)), at: Self.start) == true)
        #expect(strangers.guess(Self.viewer, at: Self.start + .seconds(600)) == true)
        #expect(strangers.guessing.counts.wrong == 22)
        #expect(strangers.guessing.counts.refused == 6)
    }

    @Test("looks up twenty of five hundred codes that one address asks for before any is answered")
    func atOnce() {
        var looked = 0
        var refused = 0
        func ask(_ count: Int) {
            guard count > 0 else { return }
            switch strangers.guessing.admit(Self.viewer, code: strangers.code(), at: Self.start) {
            case .lookUp(let reservation):
                looked += 1
                ask(count - 1)
                reservation.settle(.unknown, at: Self.start)
            case .knownWrong: Issue.record("each code is new")
            case .refused:
                refused += 1
                ask(count - 1)
            }
        }
        ask(500)
        #expect((looked, refused) == (20, 480))
        #expect(strangers.guess(Self.viewer, at: Self.start + .seconds(599)) == false)
    }

    @Test func `costs nothing when the code is right, or when nobody looked`() {
        for _ in 0..<200 {
            #expect(strangers.guess(Self.viewer, is: .right, at: Self.start) == true)
            _ = strangers.guessing.admit(Self.viewer, code: strangers.code(), at: Self.start)
        }
        let counts = strangers.guessing.counts
        #expect(counts.wrong == 0 && counts.refused == 0)
        #expect(strangers.guesses(25, of: Self.viewer, at: Self.start) == 20)
    }

    @Test func `counts a code that is over once, however often it is asked for, and keeps looking it up`() {
        let code = strangers.code()
        for poll in 0..<100 {
            #expect(strangers.guess(Self.viewer, code, is: .ended, at: Self.start + .seconds(5 * poll)) == true)
        }
        #expect(strangers.guesses(25, of: Self.viewer, at: Self.start + .seconds(500)) == 19)
    }

    @Test func `answers an unknown code from memory when it is asked for again, so that none can be watched`() {
        let code = strangers.code()
        #expect(strangers.guess(Self.viewer, code, at: Self.start) == true)
        for poll in 1..<100 {
            #expect(strangers.guess(Self.viewer, code, at: Self.start + .seconds(5 * poll)) == nil)
        }
        #expect(strangers.guess(Self.viewer, code, at: Self.start + .seconds(600)) == true)
    }

    @Test func `closes a browser session at its tenth wrong code, on whatever address`() {
        let looked = (0..<20).filter { step in
            strangers.guess(Guesser(.v4(UInt32(step) << 20), session: [7]), at: Self.start) == true
        }
        #expect(looked.count == 10)
        #expect(strangers.heard.map(\.scope) == [.session])
    }

    @Test func `lets a clock that steps back stretch no penalty, as times are durations since the start`() {
        #expect(strangers.guesses(25, of: Self.viewer, at: Self.start) == 20)
        #expect(strangers.guess(Self.viewer, at: Self.start - .seconds(500)) == false)
        #expect(strangers.guess(Self.viewer, at: Self.start + .seconds(600)) == true)
    }

    @Test(arguments: [(UInt64(8), 60), (16, 512), (32, 10_000)])
    func `bounds the guesses of one customer's IPv6 network`(bits: UInt64, bound: Int) {
        var random = SeededGenerator(seed: bits)
        var looked = 0
        for _ in 0..<40_000 {
            let high = 0x2001_0db8_0000_0000 | UInt64.random(in: 0..<(1 << bits), using: &random)
            looked += strangers.guess(Guesser(.v6(high: high)), at: Self.start) == true ? 1 : 0
        }
        #expect(looked <= bound)
        #expect(strangers.guess(Guesser(.v6(high: 0x2001_0db9_0000_0000)), at: Self.start) == true)
    }

    @Test func `leaves the neighbours of guessers in an IPv4 network their floor`() {
        for host in 0..<50 { _ = strangers.guesses(30, of: Guesser(.v4(0xC000_0200 + UInt32(host))), at: Self.start) }
        #expect(strangers.guesses(30, of: Guesser(.v4(0xC000_02FF)), at: Self.start) == 3)
        #expect(strangers.guesses(30, of: Guesser(.v4(0xC100_02FF)), at: Self.start) == 20)
    }

    @Test func `never closes the service: a stranger keeps a floor, and a right code costs nothing`() {
        let strangers = Self.underAttack(at: Self.start)
        for _ in 0..<100 { #expect(strangers.guess(Self.viewer, is: .right, at: Self.start) == true) }
        #expect(strangers.guesses(25, of: Self.viewer, at: Self.start) == 3)
        #expect(strangers.heard.last?.scope == .service)
        #expect(strangers.guess(Self.viewer, is: .right, at: Self.start) == false)
        // When the attack is over, the address has its twenty again.
        #expect(strangers.guesses(25, of: Self.viewer, at: Self.start + .seconds(900)) == 20)
    }

    @Test func `is not paid back by right codes: a guesser with a box of its own makes guesses no less scarce`() {
        let strangers = Self.underAttack(at: Self.start)
        for _ in 0..<1000 { strangers.guess(Guesser(.v4(0x0B00_0001)), is: .right, at: Self.start) }
        #expect(strangers.guessing.scarcity(at: Self.start) == 1)
    }

    @Test func `refuses the largest offenders first as guesses grow scarce`() {
        let offender = Guesser(.v4(0xC633_6401))
        #expect(strangers.guesses(19, of: offender, at: Self.start) == 19)
        #expect(strangers.guesses(18, of: offender, at: Self.start + .seconds(601)) == 18)
        let now = Self.start + .seconds(700)
        strangers.guessing.resize(openCodes: [7: 100_000], at: now)
        for stranger in 0..<400 {
            _ = strangers.guess(Guesser(.v4(0x0100_0000 + UInt32(stranger) << 12)), at: now)
        }
        #expect(strangers.guess(offender, at: now) == false)
        #expect(strangers.guesses(10, of: Self.viewer, at: now) == 10)
    }

    @Test("lets an address, session or box that has paired go on while strangers are held to their floor")
    func proven() {
        let strangers = Self.underAttack(at: Self.start)
        let session = Guesser(.v4(0xC633_6401), session: [1])
        let box = Guesser(.v4(0xC633_6402), box: [2])
        strangers.guessing.recordSuccess(of: Guesser(.v4(0xC633_6403)), account: "a", at: Self.start)
        strangers.guessing.recordSuccess(of: Guesser(.v4(0x0B00_0001), session: [1]), account: "b", at: Self.start)
        strangers.guessing.recordSuccess(of: Guesser(.v4(0x0B00_0002), box: [2]), account: "c", at: Self.start)
        #expect(strangers.guesses(20, of: Guesser(.v4(0xC633_6403)), at: Self.start) == 12)
        #expect(strangers.guesses(9, of: session, at: Self.start) == 9)
        #expect(strangers.guesses(9, of: box, at: Self.start) == 9)
        #expect(strangers.guesses(9, of: Guesser(.v4(0xC633_6404)), at: Self.start) == 3)
    }

    @Test func `lets a browser session that has paired go on behind an address that guessers closed`() {
        strangers.guessing.recordSuccess(of: Guesser(.v4(0x0B00_0001), session: [1]), account: "a", at: Self.start)
        #expect(strangers.guesses(25, of: Self.viewer, at: Self.start) == 20)
        #expect(strangers.guess(Guesser(Self.viewer.address, session: [1]), is: .right, at: Self.start) == true)
        #expect(strangers.guess(Guesser(Self.viewer.address, session: [2]), is: .right, at: Self.start) == false)
    }

    @Test("looks up the code of a box in the caller's own network whatever is closed")
    func ownNetwork() {
        let strangers = Self.underAttack(at: Self.start)
        #expect(strangers.guesses(25, of: Self.viewer, at: Self.start) < 20)
        let code = strangers.code()
        strangers.guessing.noteIssued(code, to: .v4(0xC000_02FE), until: Self.start + .seconds(1800))
        #expect(strangers.guess(Self.viewer, code, is: .right, at: Self.start) == true)
        #expect(strangers.guess(Self.viewer, code, is: .right, at: Self.start + .seconds(1799)) == true)
        let other = strangers.code()
        strangers.guessing.noteIssued(other, to: .v4(0xC000_03FE), until: Self.start + .seconds(1800))
        #expect(strangers.guess(Self.viewer, other, is: .right, at: Self.start) == false)
    }

    @Test func `takes an account's word for thirty-two strangers in thirty days, not for more`() {
        let strangers = Self.underAttack(at: Self.start)
        let addresses = (0..<100).map { Guesser(.v4(0xC800_0000 + UInt32($0) << 8)) }
        for address in addresses { strangers.guessing.recordSuccess(of: address, account: "a", at: Self.start) }
        #expect(addresses.filter { strangers.guesses(9, of: $0, at: Self.start) == 9 }.count == 32)
    }

    @Test func `counts the viewers of a programmer's server apart, by the addresses it forwards`() {
        let relay = Guesser.Relay(credential: "key", at: .v4(0x0A00_0001))
        #expect(strangers.guesses(25, of: Guesser(.v4(0xC000_0201), relay: relay), at: Self.start) == 20)
        #expect(strangers.guesses(25, of: Guesser(.v4(0xC000_0302), relay: relay), at: Self.start) == 20)
        var looked = 0
        for viewer in 0..<3000 {
            looked += strangers.guesses(1, of: Guesser(.v4(UInt32(viewer) << 16), relay: relay), at: Self.start)
        }
        #expect(looked == 1960)
        let elsewhere = Guesser.Relay(credential: "key", at: .v4(0x0B00_0001))
        #expect(strangers.guess(Guesser(.v4(0xD000_0000), relay: elsewhere), at: Self.start) == true)
    }

    @Test func `asks nothing before an answer from memory until something was closed`() {
        let code = strangers.code()
        #expect(strangers.guessing.refusal(of: Self.viewer, code: code, at: Self.start) == nil)
        _ = strangers.guesses(20, of: Self.viewer, at: Self.start)
        #expect(strangers.guessing.refusal(of: Self.viewer, code: code, at: Self.start)?.wait == .seconds(600))
        #expect(strangers.guessing.refusal(of: Guesser(.v4(1)), code: code, at: Self.start) == nil)
        #expect(strangers.guessing.refusal(of: Self.viewer, code: code, at: Self.start + .seconds(601)) == nil)
    }

    @Test(
        "allows the service the fewer wrong codes a minute the more are open, by the lengths that are",
        arguments: [
            ([:], 100_000), ([7: 100], 100_000), ([7: 100_000], 134), ([8: 100_000], 3778),
            ([7: 100_000, 8: 1], 134), ([7: 50_000, 8: 50_000], 260), ([7: 10_000_000], 60),
        ] as [([Int: Int], Int)])
    func space(openCodes: [Int: Int], expected: Int) {
        #expect(Int(ServiceBudget.perMinute(openCodes: openCodes)) == expected)
    }

    @Test(.timeLimit(.minutes(5))) func `remembers no more strangers than its bound`() {
        var settings = Guessing.Settings()
        settings.bound = 1000
        let strangers = Strangers(settings)
        for stranger in 0..<20_000 { strangers.guess(Guesser(.v6(high: UInt64(stranger) << 32)), at: Self.start) }
        #expect(strangers.guessing.ledgers.count + strangers.guessing.tiers.count <= 2100)
    }
}
