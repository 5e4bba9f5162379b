import Clientless
import Entitlement

/// What the transaction under way has to tell the feed of changes.
final class ChangeNotes {
    private var changes: [StoreChange] = []
    private var seen: Set<StoreChange> = []
    /// Whether changes were written since the last ``takeKept()``.
    private var hasKept = false

    fileprivate func add(_ change: StoreChange) {
        if self.seen.insert(change).inserted { self.changes.append(change) }
    }

    fileprivate func removeAll() {
        self.changes.removeAll(keepingCapacity: true)
        self.seen.removeAll(keepingCapacity: true)
    }

    /// The changes in the order of the feed: the device before the code.
    fileprivate func take() -> [StoreChange] {
        defer { self.removeAll() }
        if !self.changes.isEmpty { self.hasKept = true }
        guard self.changes.count > 1 else { return self.changes }
        return self.changes.filter(\.isOfDevice) + self.changes.filter { !$0.isOfDevice }
    }

    /// Whether any transaction since the last call told the feed anything.
    func takeKept() -> Bool {
        defer { self.hasKept = false }
        return self.hasKept
    }
}

extension StoreChange {
    fileprivate var isOfDevice: Bool {
        switch self {
        case .device: true
        case .code, .client, .credentials, .degradation: false
        }
    }
}

/// The columns of `changes` but for the position, which counts by itself.
///
/// `leader` is the position of the first change of the same transaction.
enum ChangeColumn: String, ColumnList {
    case position, leader, kind, code, device, client
}

extension Connection {
    /// Notes a change for the feed; ``keepNotes()`` writes it.
    borrowing func note(_ change: StoreChange) {
        self.notes.add(change)
    }

    /// Forgets what a transaction noted that was given up.
    borrowing func forgetNotes() {
        self.notes.removeAll()
    }

    /// Writes what the transaction noted, as one transaction of the feed.
    borrowing func keepNotes() throws(SQLiteFailure) {
        let changes = self.notes.take()
        if changes.isEmpty { return }
        let leader = SQLValue.integer(try self.latestPosition() + 1)
        for change in changes {
            let values: [SQLValue] =
                switch change {
                case .code(let code): [.integer(0), .text(code.text), .null, .null]
                case .device(let device): [.integer(1), .null, .blob(device.bytes), .null]
                case .credentials: [.integer(2), .null, .null, .null]
                case .degradation: [.integer(3), .null, .null, .null]
                case .client(let id): [.integer(4), .null, .null, .text(id)]
                }
            try self.run(
                "INSERT INTO changes (leader, kind, code, device, client) VALUES (?1, ?2, ?3, ?4, ?5)",
                [leader] + values)
        }
    }

    /// The newest position ever given out, also when its change was purged; 0 before the first.
    borrowing func latestPosition() throws(SQLiteFailure) -> Int64 {
        try self.first("SELECT seq FROM sqlite_sequence WHERE name = 'changes'") {
            (row) throws(SQLiteFailure) in try row.integer()
        } ?? 0
    }
}

extension Row {
    /// A row of ``ChangeColumn``.
    mutating func change() throws(SQLiteFailure) -> StoreChange {
        let (kind, code) = (try self.integer(ChangeColumn.kind), try self.codeIfAny(ChangeColumn.code))
        let (device, client) = (try self.blobIfAny(ChangeColumn.device), try self.textIfAny(ChangeColumn.client))
        switch (kind, code, device, client) {
        case (0, let code?, _, _): return .code(code)
        case (1, _, let device?, _): return .device(DeviceHash(bytes: device))
        case (2, _, _, _): return .credentials
        case (3, _, _, _): return .degradation
        case (4, _, _, let client?): return .client(client)
        default: throw .nonsense("a change of no known kind")
        }
    }
}
