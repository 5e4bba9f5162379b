import Clientless
import Entitlement
import TestSupport

/// An hour of a large service under attack, in simulated seconds: how probable a hit is, and which viewers are refused.
struct GuessingSimulation {
    /// How the guessers spread.
    enum Attack: String, CaseIterable {
        case none
        /// Each address in a network of its own.
        case spread
        /// The same, beginning with a hundred guesses of each address before any is answered.
        case burst
        /// All /64s of one /48.
        case site6 = "one /48"
        /// One /64 in each /48 of a /32.
        case provider6 = "one /32"
        /// 250 addresses of each of a few /24s, where viewers live as well.
        case neighbours = "/24 neighbours"
        /// Behind the addresses that viewers' phones share.
        case shared = "shared addresses"
        /// Asking again and again for codes that there are not, until one is issued.
        case watching
        /// No guessers: pages that go on asking for a code that is over, at addresses where viewers pair.
        case deadPages = "dead codes polled"
    }

    struct Result {
        var looked = 0
        /// The mean number of open codes that were hit.
        var expectedHits = 0.0
        var viewers = 0
        var refusedViewers = 0
        /// Of those, viewers away from their box's network who share an address with guessers.
        var refusedBehindGuessers = 0

        var chance: Double { 1 - Self.exponential(-self.expectedHits) }

        /// e to the `power`, as a limit; no more digits are shown.
        private static func exponential(_ power: Double) -> Double {
            var value = 1 + power / 1_048_576
            for _ in 0..<20 { value *= value }
            return value
        }
    }

    var liveCodes = 100_000
    var guessers = 10_000
    var viewers = 20_000
    var duration = 3600
    /// Seconds between two rounds of an address that may go on; a refused one comes back when it was told to.
    var round = 5
    /// Of a hundred viewers: who mistype, who are away from the network of their box, who have paired before.
    var (mistyping, away, known) = (4, 15, 50)

    /// Whether new codes get eight characters while guesses are scarce; each lives half an hour.
    var lengthens = false

    private static let (codes7, codes8) = (13_492_928_512.0, 377_801_998_336.0)

    func run(_ attack: Attack, seed: UInt64 = 1) -> Result {
        var random = SeededGenerator(seed: seed)
        let guessing = Guessing { _ in }
        var now = Duration.seconds(1000)
        guessing.resize(openCodes: [7: self.liveCodes], at: now)
        var result = Result()
        let attackers = self.attackers(attack)
        var due = [Int](repeating: 0, count: attackers.count)
        var watched: [[RegistrationCodeText]] = []
        if attack == .watching {
            watched = attackers.map { _ in (0..<20).map { _ in RegistrationCodeText.random(using: &random) } }
        }
        let dead = RegistrationCodeText.random(using: &random)
        var people = People(self, attack, &random, guessing, at: now)
        var short = Double(self.liveCodes)
        for second in 0..<self.duration {
            now = .seconds(1000 + second)
            if second % 60 == 0 {
                if self.lengthens, guessing.scarcity(at: now) > 0 {
                    short = max(0, short - Double(self.liveCodes) / 30)
                }
                guessing.resize(openCodes: [7: Int(short), 8: self.liveCodes - Int(short)], at: now)
            }
            let chance = short / Self.codes7 + (Double(self.liveCodes) - short) / Self.codes8
            if attack == .burst, second == 0 {
                for attacker in attackers {
                    let looked = Self.lookAtOnce(100, guessing, attacker, at: now, &random)
                    result.looked += looked
                    result.expectedHits += Double(looked) * chance
                }
            }
            for index in attackers.indices where due[index] <= second && (index + second) % self.round == 0 {
                if attack == .deadPages {
                    _ = Self.look(guessing, attackers[index], dead, is: .ended, at: now)
                    continue
                }
                for try_ in 0..<25 {
                    let code =
                        attack == .watching ? watched[index][try_ % 20] : RegistrationCodeText.random(using: &random)
                    let answer = Self.look(guessing, attackers[index], code, is: .unknown, at: now)
                    if answer == .looked {
                        result.looked += 1
                        result.expectedHits += chance
                    }
                    guard case .refused(let wait) = answer else { continue }
                    due[index] = second + wait
                    break
                }
            }
            people.pair(second, guessing, at: now, &random, &result)
        }
        return result
    }

    private func attackers(_ attack: Attack) -> [Guesser] {
        (0..<(attack == .none ? 0 : self.guessers)).map { index in
            switch attack {
            case .none, .spread, .burst, .watching: Guesser(.v4(0x2000_0001 + UInt32(index) << 12))
            case .site6: Guesser(.v6(high: 0x2001_0db8_0000_0000 | UInt64(index)))
            case .provider6: Guesser(.v6(high: 0x2001_0db8_0000_0000 | UInt64(index) << 16))
            case .neighbours: Guesser(.v4(0x6000_0001 + UInt32(index / 250) << 8 + UInt32(index % 250)))
            case .shared: Guesser(.v4(People.phoneAddress(index % People.phoneAddresses)))
            case .deadPages: Guesser(.v4(People.homeAddress(index, attack)))
            }
        }
    }

    enum Answer: Equatable {
        case looked
        case known
        case refused(Int)
    }

    static func look(
        _ guessing: Guessing, _ guesser: Guesser, _ code: RegistrationCodeText, is outcome: GuessOutcome,
        at now: Duration
    ) -> Answer {
        switch guessing.admit(guesser, code: code, at: now) {
        case .lookUp(let reservation):
            reservation.settle(outcome, at: now)
            return .looked
        case .knownWrong: return .known
        case .refused(let refusal): return .refused(Int(refusal.wait.components.seconds))
        }
    }

    /// Asks for `count` codes, and is answered when all were asked for.
    /// - Returns: how many were looked up.
    private static func lookAtOnce(
        _ count: Int, _ guessing: Guessing, _ guesser: Guesser, at now: Duration, _ random: inout SeededGenerator
    ) -> Int {
        guard count > 0 else { return 0 }
        switch guessing.admit(guesser, code: RegistrationCodeText.random(using: &random), at: now) {
        case .lookUp(let reservation):
            let others = self.lookAtOnce(count - 1, guessing, guesser, at: now, &random)
            reservation.settle(.unknown, at: now)
            return others + 1
        case .knownWrong: return self.lookAtOnce(count - 1, guessing, guesser, at: now, &random)
        case .refused: return self.lookAtOnce(count - 1, guessing, guesser, at: now, &random)
        }
    }

    /// The viewers: each pairs once, at a second of the hour.
    struct People {
        static let phoneAddresses = 500

        private struct Person {
            let address: UInt32
            let session: [UInt8]
            let isAway: Bool
            var mistakes: Int
        }

        private var arrivals: [Int: [Person]] = [:]
        private let attack: Attack

        static func homeAddress(_ index: Int, _ attack: Attack) -> UInt32 {
            // Neighbours of guessers, each with an address that no guesser has.
            attack == .neighbours
                ? 0x6000_00FB + UInt32(index % 40) << 8 + UInt32(index / 40 % 4) : 0x5000_0001 + UInt32(index) << 8
        }

        static func phoneAddress(_ index: Int) -> UInt32 { 0x6400_0001 + UInt32(index) }

        init(
            _ simulation: GuessingSimulation, _ attack: Attack, _ random: inout SeededGenerator, _ guessing: Guessing,
            at now: Duration
        ) {
            self.attack = attack
            for index in 0..<simulation.viewers {
                let isAway = Int.random(in: 0..<100, using: &random) < simulation.away
                let address =
                    isAway
                    ? Self.phoneAddress(Int.random(in: 0..<Self.phoneAddresses, using: &random))
                    : Self.homeAddress(index, attack)
                var mistakes = 0
                while Int.random(in: 0..<100, using: &random) < simulation.mistyping { mistakes += 1 }
                let session = [1, UInt8(index >> 16), UInt8(index >> 8 & 255), UInt8(index & 255)]
                let person = Person(address: address, session: session, isAway: isAway, mistakes: mistakes)
                if Int.random(in: 0..<100, using: &random) < simulation.known {
                    let viewer = Guesser(.v4(Self.homeAddress(index, attack)), session: session)
                    guessing.recordSuccess(of: viewer, account: "\(index)", at: now)
                }
                self.arrivals[Int.random(in: 0..<simulation.duration, using: &random), default: []].append(person)
            }
        }

        mutating func pair(
            _ second: Int, _ guessing: Guessing, at now: Duration, _ random: inout SeededGenerator,
            _ result: inout Result
        ) {
            for person in self.arrivals.removeValue(forKey: second) ?? [] {
                result.viewers += 1
                let viewer = Guesser(.v4(person.address), session: person.session)
                let code = RegistrationCodeText.random(using: &random)
                if !person.isAway { guessing.noteIssued(code, to: .v4(person.address), until: now + .seconds(1800)) }
                var isRefused = false
                for _ in 0..<person.mistakes {
                    let wrong = RegistrationCodeText.random(using: &random)
                    // Refused or not, the next try may be the right code.
                    _ = GuessingSimulation.look(guessing, viewer, wrong, is: .unknown, at: now)
                }
                if case .refused = GuessingSimulation.look(guessing, viewer, code, is: .right, at: now) {
                    isRefused = true
                }
                guard isRefused else {
                    guessing.recordSuccess(of: viewer, account: "\(person.session)", at: now)
                    continue
                }
                result.refusedViewers += 1
                if person.isAway, self.attack == .shared { result.refusedBehindGuessers += 1 }
            }
        }
    }
}
