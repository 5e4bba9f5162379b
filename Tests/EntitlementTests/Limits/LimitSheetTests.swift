import Clientless
import Entitlement
import Testing

@Suite("Limits that nodes tell one another late or in parts")
struct LimitSheetTests {
    private typealias Nodes = LimitNodes
    private static let (now, uptime, unseen, stranger) = (Nodes.now, Nodes.uptime, Nodes.unseen, Nodes.stranger)

    @Test("count a sheet that is heard late as of its time, by the clock of the store, and one that is over not at all")
    func late() async throws {
        for delay in [30, 59, 60, 3600] as [Int] {
            let (one, other, board) = try await Nodes.make()
            var guesser = Self.stranger
            guesser.session = nil
            board.setTime(Self.now)
            one.guess(20, as: guesser, at: Self.uptime)
            try await Nodes.exchange(one)
            // The other was paused meanwhile, and its wall clock is a day ahead.
            let later = Self.uptime + .seconds(delay)
            board.setTime(Self.now + .seconds(delay))
            let outcome = try await other.exchange.exchange(now: Self.now + .seconds(86_400), uptime: later)
            #expect((outcome.heard, outcome.late) == (delay < 60 ? (1, 0) : (0, 1)))
            #expect(other.guess(1, as: guesser, at: later) == (delay < 60 ? 0 : 1))
            // It is closed for ten minutes from the guesses on.
            #expect(other.guess(1, as: guesser, at: Self.uptime + .seconds(601)) == 1)
        }
    }

    @Test("tell after the store was away what is of use still, as of its time")
    func toldLate() async throws {
        for delay in [30, 60] as [Int] {
            let (one, other, board) = try await Nodes.make()
            var guesser = Self.stranger
            guesser.session = nil
            board.setAway(true)
            one.guess(20, as: guesser, at: Self.uptime)
            await #expect(throws: StoreError.self) { try await Nodes.exchange(one) }
            board.setAway(false)
            let (now, later) = (Self.now + .seconds(delay), Self.uptime + .seconds(delay))
            for node in [one, other] { _ = try await node.exchange.exchange(now: now, uptime: later) }
            #expect(other.guess(1, as: guesser, at: later) == (delay < 60 ? 0 : 1))
            #expect(other.guess(1, as: guesser, at: Self.uptime + .seconds(601)) == 1)
        }
    }

    @Test("tell of an attack from more sources than a sheet holds in parts, its total at once")
    func manySources() async throws {
        let (one, other, _) = try await Nodes.make()
        for node in [one, other] { node.codes.resize(openCodes: [7: 100_000], at: Self.uptime) }
        func source(_ number: UInt32) -> Guesser { Guesser(.v4(number << 16 | 1)) }
        for number in 0..<1000 as Range<UInt32> { one.guess(3, as: source(number), at: Self.uptime) }
        try await Nodes.exchangeOnce(one, other)
        let scarcity = one.codes.scarcity(at: Self.uptime)
        #expect(scarcity > 0)
        #expect(other.codes.scarcity(at: Self.uptime) == scarcity)
        // The others follow, 256 a second, and the total stays as it is.
        for _ in 0..<3 { #expect(try await Nodes.exchangeOnce(one, other) == 1) }
        #expect(try await Nodes.exchangeOnce(one, other) == 0)
        #expect(other.codes.scarcity(at: Self.uptime) == scarcity)
    }

    @Test("leave a sheet within its bound, whatever strangers write into names")
    func size() async throws {
        let (one, _, board) = try await Nodes.make()
        // A control character becomes six bytes of JSON.
        let account = String(repeating: "\u{1}", count: 252)
        for number in 0..<1100 as Range<UInt32> {
            let address = NetworkAddress.v6(high: 0x2001_0DB8_0000_0000 | UInt64(number) << 8)
            let credential = String(repeating: "c", count: 120) + "\(1000 + number)"
            let bytes = (0..<32).map { UInt8(truncatingIfNeeded: 200 + Int(number) * $0) }
            var guesser = Guesser(address, session: bytes)
            guesser.relay = Guesser.Relay(credential: credential, at: address)
            one.guess(1, as: guesser, at: Self.uptime)
            one.codes.recordSuccess(of: guesser, account: "\(account)\(number)", at: Self.uptime)
            one.codes.noteIssued(Self.unseen, to: address, until: .seconds(9999))
            _ = one.issuance.admit(guesser, credential: credential, at: Self.uptime)
            let attempt = PasswordGuesser(
                address, session: bytes, isSettledBrowser: false, provider: MVPDID(unchecked: "TV"),
                account: "\(account)\(number)", attempt: bytes, code: Self.unseen)
            if let place = try? one.passwords.admit(attempt, at: Self.uptime) {
                place.settle(isRight: false, at: Self.uptime)
            }
        }
        try await Nodes.exchange(one)
        let largest = try #require(board.sheets.map(\.content.count).max())
        #expect(largest > 500_000 && largest <= NodeSheet.mostBytes, "\(largest)")
    }

    @Test("a count of things keeps the total of each time, whatever is told when")
    func totals() {
        var counts = NotedCounts<Int>()
        let bound = NotedCounts<Int>.bound
        for thing in 0..<(2 * bound) { counts.add(thing, thing == 300 ? 5 : 1) }
        let first = counts.takeSheet()
        #expect(first.counts.count == bound && first.counts[300] == 5)
        #expect(first.total == 2 * bound + 4)
        counts.add(-1)
        let second = counts.takeSheet()
        #expect(second.counts.count == bound && second.total == 1)
        #expect(!counts.isEmpty)
        #expect(counts.takeSheet().total == 0)
        #expect(counts.isEmpty)
        for thing in 0..<(NotedCounts<Int>.mostWaiting + 7) { counts.add(thing) }
        #expect(counts.counts.count == NotedCounts<Int>.mostWaiting)
        #expect(counts.total == NotedCounts<Int>.mostWaiting + 7)
    }
}
