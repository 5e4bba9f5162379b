/// Two loads that are run in pairs, taking turns in who goes first, so that what slows the machine slows both.
struct PairedRuns: Sendable {
    private let one: (load: LoadGenerator, name: String)
    private let other: (load: LoadGenerator, name: String)

    init(of one: LoadGenerator, named name: String, against other: LoadGenerator, named otherName: String) {
        self.one = (one, name)
        self.other = (other, otherName)
    }

    /// The median, over the pairs, of the rate of the one over that of the other.
    func medianRatio(_ surroundings: Surroundings) async throws -> Double {
        try await self.medianRatios(surroundings).rate
    }

    /// The same, and that of the processor times of their servers, which are both watched.
    func medianRatios(_ surroundings: Surroundings) async throws -> (rate: Double, processorTime: Double) {
        var (one, other) = (self.one.load, self.other.load)
        one.seconds = surroundings.amount(3, rehearsal: 1)
        other.seconds = one.seconds
        var (ratios, times) = ([Double](), [Double]())
        for pair in 0..<surroundings.amount(5, rehearsal: 1) {
            let first = try await (pair % 2 == 0 ? one : other).run()
            let second = try await (pair % 2 == 0 ? other : one).run()
            let (mine, theirs) = pair % 2 == 0 ? (first, second) : (second, first)
            talk(
                "\(self.one.name): \(Int(mine.requestsPerSecond))/s, "
                    + "\(self.other.name): \(Int(theirs.requestsPerSecond))/s")
            ratios.append(mine.requestsPerSecond / theirs.requestsPerSecond)
            times.append(mine.processorTime / theirs.processorTime)
        }
        return (ratios.median, times.median)
    }
}
