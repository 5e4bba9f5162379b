import FoundationEssentials

/// What of the tests of nodes runs by name, and how long.
enum NodeRounds {
    /// `LATCHKEY_NODE_ROUNDS`, the number of rounds of each case that runs; 0 where it is not set, and none does.
    static let count = Self.number("LATCHKEY_NODE_ROUNDS") ?? 0
    /// `LATCHKEY_NODE_PAUSE`, for how many seconds a node stands still.
    static let pause = Self.number("LATCHKEY_NODE_PAUSE") ?? 60

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}
