package import Entitlement

/// The notes of the transaction under way for the feed of changes.
package struct ChangeNotes {
    private var changes: [StoreChange] = []
    private var seen: Set<StoreChange> = []

    package init() {}

    package mutating func add(_ change: StoreChange) {
        if self.seen.insert(change).inserted { self.changes.append(change) }
    }

    package mutating func removeAll() {
        self.changes.removeAll(keepingCapacity: true)
        self.seen.removeAll(keepingCapacity: true)
    }

    /// The changes in the order of the feed: the device before the code.
    package mutating func take() -> [StoreChange] {
        defer { self.removeAll() }
        guard self.changes.count > 1 else { return self.changes }
        return self.changes.filter(\.isOfDevice) + self.changes.filter { !$0.isOfDevice }
    }
}

extension StoreChange {
    fileprivate var isOfDevice: Bool {
        if case .device = self { true } else { false }
    }
}
