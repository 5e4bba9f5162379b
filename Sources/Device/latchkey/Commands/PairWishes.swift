import CommandLineTool

/// What the options of `latchkey pair` ask for.
struct PairWishes {
    /// Shows a code even if a viewer is signed in.
    var again = false
    /// Waits for a server that cannot be reached when the command starts, as a box does that is quicker than its router.
    var waitsForServer = true
    /// Ends the command when that long passed; `nil` without a limit.
    var timeout: Duration?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.again = arguments.has("again")
        self.waitsForServer = !arguments.has("no-wait")
        self.timeout = try arguments.integer("timeout", in: 1...86_400).map { .seconds($0) }
    }
}

/// How long to pause before a server is asked again that could not be reached: longer each time, and by chance, so that
/// boxes that lost one server come back spread.
struct StartBackOff {
    private static let longest: Duration = .seconds(60)
    private var next: Duration = .seconds(1)

    /// - Parameter chance: uniform from 0 up to, but not including, 1.
    mutating func pause(_ chance: Double) -> Duration {
        let pause = self.next * (0.5 + 0.5 * chance)
        self.next = min(self.next * 2, Self.longest)
        return pause
    }
}
