import Clientless

/// The guesses of one network before they are scarce within it, and before it is closed.
package struct TierBudget: Hashable, Sendable {
    /// Wrong guesses from which on the narrower networks within are held to their floors; half of it goes unnoticed.
    package var crowded: Double
    /// Wrong guesses that close the network for callers without a recent success; `nil` never closes it, as it holds
    /// millions of them.
    package var closing: Double?
    /// The share of `closing` that stays when guesses are scarce around the network.
    package var floor: Double
    /// Wrong guesses forgotten an hour.
    package var leak: Double

    /// From 0 to 1: how scarce guesses are within, after `count` wrong ones.
    func scarcity(_ count: Double) -> Double { min(1, max(0, 2 * count / self.crowded - 1)) }

    /// How many wrong guesses close it, at a given scarcity around it.
    func allowance(_ scarcity: Double) -> Double? {
        self.closing.map { $0 - ($0 - min($0, self.floor)) * scarcity }
    }
}

/// The budgets of all networks around an address; the address itself has an ``AttemptLimit`` and ``SourceFloor``.
package struct NetworkBudgets: Hashable, Sendable {
    /// A /24 may be one customer's, or hold 256 households: those find the codes of their own boxes all the same.
    package var network4 = TierBudget(crowded: 60, closing: 240, floor: 120, leak: 60)
    package var provider4 = TierBudget(crowded: 1000, closing: nil, floor: 0, leak: 1000)
    package var subscriber6 = TierBudget(crowded: 40, closing: 60, floor: 12, leak: 60)
    /// A /48 is had for nothing, and holds 65,536 addresses in the sense of limits; in a provider's, 256 subscribers.
    package var network6 = TierBudget(crowded: 60, closing: 512, floor: 128, leak: 85)
    /// A guesser who rents a /32 has 65,536 of those: it gets in an hour what the service gets, and under pressure a
    /// quarter.
    package var provider6 = TierBudget(crowded: 2000, closing: 10_000, floor: 2500, leak: 10_000)

    package init() {}

    func part(for nodes: LivingNodes) -> NetworkBudgets {
        var part = self
        for budget in [\Self.network4, \.provider4, \.subscriber6, \.network6, \.provider6] {
            part[keyPath: budget] = nodes.part(of: self[keyPath: budget])
        }
        return part
    }

    /// - Returns: `nil` for the address itself.
    func budget(_ tier: NetworkTier, of address: NetworkAddress) -> TierBudget? {
        switch (tier, address) {
        case (.address, _), (_, .local), (.subscriber, .v4): nil
        case (.network, .v4): self.network4
        case (.provider, .v4): self.provider4
        case (.subscriber, .v6): self.subscriber6
        case (.network, .v6): self.network6
        case (.provider, .v6): self.provider6
        }
    }
}

/// The guesses that an address without a recent success keeps when they are scarce.
package struct SourceFloor: Hashable, Sendable {
    /// Wrong guesses that always remain.
    package var guesses: Double
    /// Wrong guesses that always remain for an address that has paired lately.
    package var guessesOfKnown: Double
    /// How many are forgotten an hour; slowly, as thousands of addresses may come back for them.
    package var leak: Double
    /// How far above the floor the allowance begins to fall.
    var fall = 32.0

    func part(for nodes: LivingNodes) -> SourceFloor {
        var part = self
        for number in [\Self.guesses, \.guessesOfKnown, \.leak, \.fall] {
            part[keyPath: number] = nodes.part(of: self[keyPath: number])
        }
        return part
    }

    /// How many wrong guesses an address may have on its account at a given scarcity; `nil` when any number.
    ///
    /// The largest offenders are refused first: the allowance falls down to the floor.
    func allowance(_ scarcity: Double, isKnown: Bool) -> Double? {
        scarcity > 0 ? (isKnown ? self.guessesOfKnown : self.guesses) + self.fall * (1 - scarcity) : nil
    }
}

/// The wrong guesses a minute that all strangers share: a store of guesses that fills evenly.
///
/// It never closes anything. How empty it is says how scarce guesses are for sources without a recent success.
package struct ServiceBudget: Hashable, Sendable {
    private static let minutes = 5.0

    package private(set) var perMinute: Double
    private(set) var spent = LeakyCount()

    /// The wrong guesses a minute that make a hit on any open code a matter of one in a thousand.
    ///
    /// - Parameter openCodes: how many are open of each length.
    package static func perMinute(openCodes: [Int: Int]) -> Double {
        let chance = openCodes.reduce(0.0) { sum, entry in
            let space = (0..<entry.key).reduce(1.0) { space, _ in space * Double(RegistrationCodeText.alphabet.count) }
            return sum + Double(max(0, entry.value)) / space
        }
        // Never so few that people who mistype on a quiet server feel it.
        guard chance > 0 else { return 100_000 }
        return min(max(0.001 / chance, 60), 100_000)
    }

    private var capacity: Double { self.perMinute * Self.minutes }
    private var leak: Double { self.perMinute * 60 }

    package mutating func resize(perMinute: Double, at now: Duration) {
        let used = self.capacity > 0 ? self.spent.value(at: now, leak: self.leak) / self.capacity : 0
        self.perMinute = perMinute
        self.spent = LeakyCount()
        self.spent.add(used * self.capacity, at: now, leak: self.leak, most: self.capacity)
    }

    mutating func spend(_ guesses: Int, at now: Duration) {
        self.spent.add(Double(guesses), at: now, leak: self.leak, most: self.capacity)
    }

    /// From 0 to 1: nothing until half is spent.
    package func scarcity(at now: Duration) -> Double {
        min(1, max(0, 2 * self.spent.value(at: now, leak: self.leak) / self.capacity - 1))
    }
}

/// The account of one address: its places, its wrong guesses of the last hours, and which codes it asked for lately.
struct SourceLedger: Sendable {
    /// The time is in seconds since the start, and small, as there are many entries; the outcome is `nil` while it is looked
    /// up.
    typealias Question = (mark: Int, time: Int32, outcome: GuessOutcome?)

    private static let remembered = 20
    /// How many wrong guesses are kept count of.
    static let most = 64.0

    var slots = AttemptSlots()
    var wrong = LeakyCount()
    private var questions: [Question] = []

    /// The question of the address about the code within `window`; `nil` when it has not asked.
    func question(_ mark: Int, at now: Duration, window: Duration) -> Question? {
        self.questions.last { $0.mark == mark && now < .seconds(Int64($0.time)) + window }
    }

    mutating func note(_ mark: Int, at now: Duration) {
        self.questions.removeAll { $0.mark == mark }
        if self.questions.count >= Self.remembered { self.questions.removeFirst() }
        self.questions.append((mark, Int32(clamping: now.components.seconds), nil))
    }

    /// Forgets the code unless it was wrong.
    mutating func settle(_ mark: Int, _ outcome: GuessOutcome?) {
        guard let index = self.questions.firstIndex(where: { $0.mark == mark }) else { return }
        self.questions[index].outcome = outcome
        if outcome?.isWrong != true { self.questions.remove(at: index) }
    }
}
