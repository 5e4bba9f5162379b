import Entitlement

/// The rates of callers of one kind under one limit, of which this node allows its part.
final class CallerRates: Sendable {
    private let whole: ThrottleLimit
    private let nodes: LivingNodes
    private let entries: SlotTable<CellRate>

    /// - Parameters:
    ///   - limit: for all nodes together.
    ///   - bound: the most callers remembered; a flood makes it forget those that called least.
    init(_ limit: ThrottleLimit, bound: Int, nodes: LivingNodes) {
        self.whole = limit
        self.nodes = nodes
        self.entries = SlotTable(bound: bound, filler: CellRate(now: .min))
    }

    /// Counts a call of the caller of `hash`, if it may pass.
    /// - Returns: `nil` when it may, else how many milliseconds are missing.
    func admit(_ hash: Int, at now: Int64) -> Int64? {
        let limit = self.whole.part(for: self.nodes)
        return self.entries.update(hash, at: now, initial: CellRate(now: now)) { $0.admit(at: now, limit) }
    }

    /// Undoes the last admission of a caller.
    func takeBack(_ hash: Int, at now: Int64) {
        let limit = self.whole.part(for: self.nodes)
        self.entries.update(hash, at: now, initial: CellRate(now: now)) { $0.takeBack(limit) }
    }
}
