import Clientless
package import Entitlement

/// The columns of `set_up_codes`.
package enum SetUpCodeColumn: String, ColumnList {
    case hash, requestor, created, expires, label
    case softwareID = "software_id"

    package static let names = joinedNames

    package var type: ColumnType {
        switch self {
        case .requestor: .text
        case .softwareID, .label: .textIfAny
        case .created, .expires: .integer
        case .hash: .blob
        }
    }

    private func value(of record: SetUpCodeRecord) -> SQLValue {
        switch self {
        case .hash: .blob(record.hash)
        case .requestor: .text(record.requestor.text)
        case .created: .time(record.created)
        case .expires: .time(record.expires)
        case .softwareID: .textIfAny(record.softwareID)
        case .label: .textIfAny(record.label)
        }
    }

    package static func values(of record: SetUpCodeRecord) -> [SQLValue] { self.allCases.map { $0.value(of: record) } }

    package static func record<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> SetUpCodeRecord {
        SetUpCodeRecord(
            hash: try row.blob(Self.hash), requestor: try row.requestor(Self.requestor),
            softwareID: try row.textIfAny(Self.softwareID), created: try row.timestamp(Self.created),
            expires: try row.timestamp(Self.expires), label: try row.textIfAny(Self.label))
    }
}
