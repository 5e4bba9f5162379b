import Clientless
import Entitlement

/// What the job under way has to tell the feed of changes.
final class ChangeNotes {
    private var changes: [StoreChange] = []
    private var seen: Set<StoreChange> = []

    func add(_ change: StoreChange) {
        if self.seen.insert(change).inserted { self.changes.append(change) }
    }

    func removeAll() {
        self.changes.removeAll(keepingCapacity: true)
        self.seen.removeAll(keepingCapacity: true)
    }

    /// The changes in the order of the feed, the device before the code, as the part of a transaction that one job is.
    func take(part: Int) -> [ChangeNote] {
        defer { self.removeAll() }
        let sorted = self.changes.filter(\.isOfDevice) + self.changes.filter { !$0.isOfDevice }
        return sorted.enumerated().map { ChangeNote(part: part, place: $0.offset, change: $0.element) }
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

/// One row of the feed, but for its transaction, which the server knows.
struct ChangeNote {
    /// Which job of the transaction: each is a transaction of the feed.
    let part: Int
    let place: Int
    let change: StoreChange

    /// The values of ``ChangeColumn/insertion``.
    var values: [SQLValue] {
        let place: [SQLValue] = [.integer(Int64(self.part)), .integer(Int64(self.place))]
        return switch self.change {
        case .code(let code): place + [.integer(0), .text(code.text), .null, .null]
        case .device(let device): place + [.integer(1), .null, .blob(device.bytes), .null]
        case .credentials: place + [.integer(2), .null, .null, .null]
        case .degradation: place + [.integer(3), .null, .null, .null]
        case .client(let id): place + [.integer(4), .null, .null, .text(id)]
        }
    }
}

/// The columns of `changes` that say what changed.
enum ChangeColumn: String, ColumnList {
    case kind, code, device, client

    static let insertion = """
        INSERT INTO latchkey.changes (part, place, kind, code, device, client) VALUES ($1, $2, $3, $4, $5, $6)
        """
}

extension Session {
    /// Notes a change for the feed, in the transaction under way.
    func note(_ change: StoreChange) {
        self.notes.add(change)
    }
}

extension Row {
    /// A row of ``ChangeColumn``.
    mutating func change() throws(PostgresFailure) -> StoreChange {
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
