import Clientless
import Entitlement

extension Connection {
    /// Adds `subject` to the feed of changes, in the transaction that changes it.
    borrowing func note(_ subject: StoreChange.Subject) throws(SQLiteFailure) {
        let values: [SQLValue] =
            switch subject {
            case .code(let code): [.integer(0), .text(code.text), .null]
            case .device(let device): [.integer(1), .null, .blob(device.bytes)]
            case .credentials: [.integer(2), .null, .null]
            case .degradation: [.integer(3), .null, .null]
            }
        try self.run("INSERT INTO changes (kind, code, device) VALUES (?1, ?2, ?3)", values)
    }
}

extension Row {
    /// A row of `changes`.
    mutating func change() throws(SQLiteFailure) -> StoreChange {
        let position = ChangePosition(number: try self.integer())
        switch (try self.integer(), try self.codeIfAny(), try self.blobIfAny()) {
        case (0, let code?, _): return StoreChange(position: position, subject: .code(code))
        case (1, _, let device?): return StoreChange(position: position, subject: .device(DeviceHash(bytes: device)))
        case (2, _, _): return StoreChange(position: position, subject: .credentials)
        case (3, _, _): return StoreChange(position: position, subject: .degradation)
        default: throw .nonsense("a change of no known kind")
        }
    }
}
