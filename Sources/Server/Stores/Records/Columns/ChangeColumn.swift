import Clientless
package import Entitlement

/// The columns of `changes` that say what changed; where it is in the feed each store has columns of its own for.
package enum ChangeColumn: String, ColumnList {
    case kind, code, device, client

    package static let listed = Listed<Self>()

    package var field: Field<StoreChange> {
        switch self {
        case .kind:
            Field {
                switch $0 {
                case .code: 0
                case .device: 1
                case .credentials: 2
                case .degradation: 3
                case .client: 4
                case .accounts: 5
                }
            }
        case .code: Field { if case .code(let code) = $0 { code } else { nil } }
        case .device: Field { if case .device(let device) = $0 { device } else { nil } }
        case .client: Field { if case .client(let id) = $0 { id } else { nil } }
        }
    }
}

extension RecordRow {
    package mutating func change() throws(Failure) -> StoreChange {
        let code: RegistrationCodeText? = try self.valueIfAny(ChangeColumn.code)
        let device: DeviceHash? = try self.valueIfAny(ChangeColumn.device)
        let client: String? = try self.valueIfAny(ChangeColumn.client)
        switch (try self.value(ChangeColumn.kind) as Int, code, device, client) {
        case (0, let code?, _, _): return .code(code)
        case (1, _, let device?, _): return .device(device)
        case (2, _, _, _): return .credentials
        case (3, _, _, _): return .degradation
        case (4, _, _, let client?): return .client(client)
        case (5, _, _, _): return .accounts
        default: throw .nonsense("a change of no known kind")
        }
    }
}

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
    fileprivate var isOfDevice: Bool { if case .device = self { true } else { false } }
}
