import Clientless
import Synchronization
import TestSupport
import Testing

@testable import Entitlement

@Suite("Guessing passwords")
final class PasswordGuessingTests {
    static let start = Duration.seconds(1000)

    private let guessing = PasswordGuessing(PasswordGuessing.Settings(cores: 1000)) { _ in }
    private let codes = Mutex(SeededGenerator(seed: 1))

    /// A guesser with a login of its own.
    private func guesser(
        _ address: UInt32, _ account: String = "owner", session: [UInt8]? = nil, attempt: [UInt8]? = nil,
        code: RegistrationCodeText? = nil
    ) -> PasswordGuesser {
        self.codes.withLock { random in
            PasswordGuesser(
                address: .v4(address), session: session, isSettledBrowser: false, provider: MVPDID(unchecked: "TV"),
                account: account, attempt: attempt ?? (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) },
                code: code ?? RegistrationCodeText.random(using: &random))
        }
    }

    /// - Returns: whether the password was checked.
    private func check(_ guesser: PasswordGuesser, isRight: Bool = false, at now: Duration = start) -> Bool {
        guard let reservation = try? self.guessing.admit(guesser, at: now) else { return false }
        reservation.settle(isRight, at: now)
        return true
    }

    @Test("checks ten of a hundred passwords that one network tries for an account at once")
    func atOnce() throws {
        // Ten places are held here as answers are awaited, and no eleventh is given.
        var held = 0
        func hold(_ depth: Int) {
            guard depth < 100, let place = try? self.guessing.admit(self.guesser(1), at: Self.start) else { return }
            held += 1
            hold(depth + 1)
            place.settle(false, at: Self.start)
        }
        hold(0)
        #expect(held == 10)
        #expect(!self.check(self.guesser(1)))
    }

    @Test func `remembers no places of a login whose passwords were right`() {
        #expect(self.check(self.guesser(1, session: [1]), isRight: true))
        #expect(self.guessing.slots.count == 0)
        #expect(self.check(self.guesser(1, session: [1])))
        #expect(self.guessing.slots.count == 4)
    }

    @Test("closes an account for the network that guessed, not for its owner elsewhere")
    func ownerElsewhere() {
        for _ in 0..<200 { _ = self.check(self.guesser(0x0100_0001)) }
        #expect(self.check(self.guesser(0x0200_0001), isRight: true))
        #expect(!self.check(self.guesser(0x0100_00FF), isRight: true))
        #expect(self.check(self.guesser(0x0100_00FF), isRight: true, at: Self.start + .seconds(300)))
    }

    @Test func `slows an account that many networks guess at, for networks that have not signed in to it lately`() {
        #expect(self.check(self.guesser(0x0200_0001), isRight: true))
        var checked = 0
        for network in 0..<400 {
            for _ in 0..<10 { checked += self.check(self.guesser(0x0300_0000 + UInt32(network) << 8)) ? 1 : 0 }
        }
        // Two networks had ten, the others three, until all were slow.
        #expect(checked <= 102)
        // Owner at home: at once. Owner on the way: within a turn.
        #expect(self.check(self.guesser(0x0200_0002), isRight: true))
        #expect(self.check(self.guesser(0x0900_0001), isRight: true, at: Self.start + .seconds(10)))
        #expect(self.check(self.guesser(0x0400_0001, "neighbour"), isRight: true))
    }

    @Test func `leaves a network three tries with an account under attack, also when it sends ten at once`() {
        for network in 1...20 as ClosedRange<UInt32> { #expect(self.check(self.guesser(network << 16))) }
        var held = 0
        func hold(_ depth: Int, isRight: Bool) {
            guard depth < 10, let place = try? self.guessing.admit(self.guesser(0x0900_0001), at: Self.start)
            else { return }
            held += 1
            hold(depth + 1, isRight: isRight)
            if isRight { return }
            place.settle(false, at: Self.start)
        }
        // Unanswered, and given back.
        hold(0, isRight: true)
        #expect(held == 3)
        held = 0
        hold(0, isRight: false)
        #expect(held == 3)
        #expect(!self.check(self.guesser(0x0900_0001)))
    }

    @Test func `knows a network for thirty days after a sign-in`() {
        #expect(self.check(self.guesser(0x0200_0001), isRight: true))
        let late = Self.start + .seconds(30 * 86_400)
        for network in 0..<40 {
            for _ in 0..<3 { _ = self.check(self.guesser(0x0300_0000 + UInt32(network) << 8), at: late - .seconds(1)) }
        }
        #expect(self.check(self.guesser(0x0200_0001), at: late - .seconds(1)))
        for _ in 0..<3 { _ = self.check(self.guesser(0x0200_0001), at: late) }
        #expect(!self.check(self.guesser(0x0200_0001), at: late))
    }

    @Test("gives a browser that knows one account what a stranger has at another")
    func foreignAccount() {
        for browser in 2...9 as ClosedRange<UInt8> {
            #expect(self.check(self.guesser(0x0300_0001, "own \(browser)", session: [browser]), isRight: true))
        }
        // Ten for their network together.
        let together = (0..<80).filter { self.check(self.guesser(0x0300_0001, session: [UInt8($0 / 10 + 2)])) }
        #expect(together.count == 10)
        // Under attack the account leaves such a browser a stranger's floor.
        for network in 1...20 as ClosedRange<UInt32> { #expect(self.check(self.guesser(network << 16))) }
        #expect(self.check(self.guesser(0x0900_0001, "own", session: [10]), isRight: true))
        let floor = (0..<10).filter { _ in self.check(self.guesser(0x0900_0001, session: [10])) }
        #expect(floor.count == 3)
    }

    @Test("counts the wrong passwords of an address also where browser and network are known")
    func address() {
        var checked = 0
        for account in 0..<10 {
            let name = "own \(account)"
            let session = [UInt8(account)]
            guard self.check(self.guesser(1, name, session: session), isRight: true) else { continue }
            for _ in 0..<9 { checked += self.check(self.guesser(1, name, session: session)) ? 1 : 0 }
        }
        #expect(checked == 30)
    }

    @Test func `takes ten wrong passwords in a login, and thirty for a code, from wherever they come`() {
        let code = self.codes.withLock { RegistrationCodeText.random(using: &$0) }
        var checked = 0
        for login in 0..<10 {
            let before = checked
            for step in 0..<20 {
                let address = UInt32(login * 20 + step) << 12
                let guesser = self.guesser(address, "account \(step)", attempt: [UInt8(login)], code: code)
                checked += self.check(guesser) ? 1 : 0
            }
            #expect(checked - before <= 10)
        }
        #expect(checked == 30)
    }

    @Test func `bounds the checks for browsers that came just now, and goes on for those it knows`() {
        let told = Mutex<[GuessClosing]>([])
        let guessing = PasswordGuessing(PasswordGuessing.Settings(cores: 1)) { closing in
            told.withLock { $0.append(closing) }
        }
        let known = self.guesser(0x0200_0001, session: [1])
        if let place = try? guessing.admit(known, at: Self.start) { place.settle(true, at: Self.start) }
        var checked = 0
        for stranger in 0..<500 {
            let guesser = self.guesser(0x0300_0000 + UInt32(stranger) << 12, "account \(stranger)")
            guard let place = try? guessing.admit(guesser, at: Self.start) else { continue }
            place.settle(false, at: Self.start)
            checked += 1
        }
        #expect(checked == 60)
        // Once, for the first of 440 who had to wait.
        #expect(told.withLock { $0.map(\.scope) } == [.service])
        var settled = self.guesser(0x0500_0001, "other", session: [2])
        #expect(throws: GuessRefusal.self) { _ = try guessing.admit(settled, at: Self.start) }
        settled.isSettledBrowser = true
        #expect(throws: Never.self) { _ = try guessing.admit(settled, at: Self.start) }
        #expect(throws: Never.self) { _ = try guessing.admit(known, at: Self.start) }
        #expect(guessing.counts.refused == 441)
    }

    @Test func `costs nothing when the password is right, or when the provider did not answer`() {
        for step in 0..<100 {
            #expect(self.check(self.guesser(1, "a"), isRight: true), "after \(step)")
            _ = try? self.guessing.admit(self.guesser(1, "a"), at: Self.start)
        }
    }
}

@Suite("Issuing codes")
struct IssuanceTests {
    static let start = Duration.seconds(1000)

    private static func issued(_ count: Int, _ limiter: IssuanceLimiter, _ caller: (Int) -> Guesser) -> Int {
        (0..<count).reduce(0) { $0 + (limiter.admit(caller($1), credential: "key", at: self.start) == nil ? 1 : 0) }
    }

    @Test("gives an address 120 codes at once and one every five seconds then")
    func address() {
        let limiter = IssuanceLimiter()
        let caller = Guesser(.v4(0xC000_0201))
        #expect(Self.issued(500, limiter) { _ in caller } == 120)
        #expect(limiter.admit(caller, credential: "key", at: Self.start) == .seconds(5))
        #expect(limiter.admit(caller, credential: "key", at: Self.start + .seconds(5)) == nil)
        limiter.takeBack(caller, credential: "key", at: Self.start + .seconds(5))
        #expect(limiter.admit(caller, credential: "key", at: Self.start + .seconds(5)) == nil)
        #expect(limiter.admit(caller, credential: "key", at: Self.start + .seconds(5)) != nil)
    }

    @Test func `gives the networks of one customer no more than one address of another kind`() {
        let limiter = IssuanceLimiter()
        #expect(Self.issued(1000, limiter) { Guesser(.v6(high: 0x2001_0db8_0000_0000 | UInt64($0 & 255))) } == 240)
        #expect(Self.issued(9000, limiter) { Guesser(.v6(high: 0x2001_0db8_0001_0000 | UInt64($0 & 0xFFFF))) } == 2000)
        #expect(Self.issued(9000, limiter) { Guesser(.v4(0xC000_0200 | UInt32($0 & 255))) } == 2000)
    }

    @Test func `never closes a credential for the boxes that share it`() {
        let limiter = IssuanceLimiter()
        // One guesser with many addresses takes all that the credential has at once.
        #expect(Self.issued(30_000, limiter) { Guesser(.v4(0x0100_0000 + UInt32($0 % 1000) << 12)) } == 20_000)
        let box = Guesser(.v4(0xC000_0201))
        #expect(Self.issued(10, limiter) { _ in box } == 5)
        #expect(limiter.admit(box, credential: nil, at: Self.start) == nil)
    }
}
