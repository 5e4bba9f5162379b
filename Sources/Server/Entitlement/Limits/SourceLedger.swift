/// The account of one address: its places, its wrong guesses of the last hours, and which codes
/// it asked for lately.
struct SourceLedger: Sendable {
    /// The known facts of a code that was asked for.
    enum Finding: UInt8, Sendable {
        case pending
        /// There is no such code.
        case unknown
        /// There was one, and it is over.
        case ended
    }

    private struct Entry: Sendable {
        let mark: Int
        /// Seconds since the start; small, as there are many entries.
        let time: Int32
        var finding: Finding
    }

    /// How many codes are remembered.
    private static let remembered = 20
    /// How many wrong guesses are kept count of.
    static let most = 64.0

    var slots = AttemptSlots()
    var wrong = LeakyCount()
    private var entries: [Entry] = []

    /// The answer that the address had about the code within `window`; `nil` when it has not asked.
    func finding(_ mark: Int, at now: Duration, window: Duration) -> Finding? {
        self.entries.last { $0.mark == mark && now < .seconds(Int64($0.time)) + window }?.finding
    }

    mutating func note(_ mark: Int, at now: Duration) {
        self.entries.removeAll { $0.mark == mark }
        if self.entries.count >= Self.remembered { self.entries.removeFirst() }
        self.entries.append(Entry(mark: mark, time: Int32(clamping: now.components.seconds), finding: .pending))
    }

    /// - Parameter finding: `nil` forgets the code.
    mutating func settle(_ mark: Int, _ finding: Finding?) {
        guard let index = self.entries.firstIndex(where: { $0.mark == mark }) else { return }
        if let finding {
            self.entries[index].finding = finding
        } else {
            self.entries.remove(at: index)
        }
    }
}
