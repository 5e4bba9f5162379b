import FoundationEssentials
import Testing

@Suite("A service under attack by guessers")
struct GuessingSimulationTests {
    private static var isFull: Bool { ProcessInfo.processInfo.environment["LATCHKEY_GUESSING_SIMULATION"] == "full" }

    @Test(
        "refuses no viewer who pairs in the network of the box or has paired before, and is hit seldom",
        .enabled(if: !isFull), arguments: GuessingSimulation.Attack.allCases)
    func small(attack: GuessingSimulation.Attack) {
        var simulation = GuessingSimulation()
        simulation.guessers = 500
        simulation.viewers = 1000
        simulation.duration = 600
        let result = simulation.run(attack)
        #expect(result.viewers == 1000)
        #expect(result.refusedViewers - result.refusedBehindGuessers == 0)
        // A service that is quiet may be guessed at 1 in 1,000 a minute.
        #expect(result.chance < 0.11, "\(result.looked) codes looked up")
        // Who holds a network whole gets what the network gets, not what all its addresses would.
        if attack == .site6 || attack == .neighbours { #expect(result.looked < 1000) }
    }

    /// Run by name: `LATCHKEY_GUESSING_SIMULATION=full swift test --filter GuessingSimulationTests`.
    @Test(
        "with 100,000 open codes and 10,000 guessers for an hour: prints a table", .enabled(if: isFull),
        arguments: GuessingSimulation.Attack.allCases, [false, true])
    func full(attack: GuessingSimulation.Attack, lengthens: Bool) {
        var simulation = GuessingSimulation()
        simulation.lengthens = lengthens
        let result = simulation.run(attack)
        let chance = (result.chance * 10_000).rounded() / 100
        print(
            "SIMULATION | \(attack.rawValue)\(lengthens ? ", codes lengthen" : "") | \(result.looked) looked up | \(chance) % |",
            "\(result.refusedViewers) of \(result.viewers) viewers refused |",
            "\(result.refusedBehindGuessers) behind guessers' addresses")
        #expect(result.refusedViewers == result.refusedBehindGuessers)
    }
}
