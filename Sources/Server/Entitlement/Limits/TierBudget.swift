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
    func scarcity(_ count: Double) -> Double {
        min(1, max(0, 2 * count / self.crowded - 1))
    }

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
