import Clientless
package import Entitlement

/// The columns of `changes` that say what changed; where it is in the feed each store has columns of its own for.
package enum ChangeColumn: String, ColumnList {
    case kind, code, device, client

    package static let names = joinedNames

    package var type: ColumnType {
        switch self {
        case .kind: .integer
        case .code, .client: .textIfAny
        case .device: .blobIfAny
        }
    }

    private func value(of change: StoreChange) -> SQLValue {
        switch (self, change) {
        case (.kind, .code): .integer(0)
        case (.kind, .device): .integer(1)
        case (.kind, .credentials): .integer(2)
        case (.kind, .degradation): .integer(3)
        case (.kind, .client): .integer(4)
        case (.code, .code(let code)): .text(code.text)
        case (.device, .device(let device)): .blob(device.bytes)
        case (.client, .client(let id)): .text(id)
        case (.code, _), (.device, _), (.client, _): .null
        }
    }

    package static func values(of change: StoreChange) -> [SQLValue] { self.allCases.map { $0.value(of: change) } }
}

extension RecordRow {
    /// A row of ``ChangeColumn``.
    package mutating func change() throws(Failure) -> StoreChange {
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
