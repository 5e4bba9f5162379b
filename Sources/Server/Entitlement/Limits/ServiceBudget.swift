import Clientless

/// The wrong guesses a minute that all strangers share: a store of guesses that fills evenly.
///
/// It never closes anything. How empty it is says how scarce guesses are for sources without a recent success.
package struct ServiceBudget: Hashable, Sendable {
    /// How many minutes of guesses it holds.
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
