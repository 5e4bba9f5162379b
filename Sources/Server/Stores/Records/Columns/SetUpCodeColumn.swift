import Clientless
package import Entitlement

/// The columns of `set_up_codes`.
package enum SetUpCodeColumn: String, ColumnList {
    case hash, requestor, created, expires, label
    case softwareID = "software_id"

    package static let listed = Listed<Self>("set_up_codes")

    package var field: Field<SetUpCodeRecord> {
        switch self {
        case .hash: .blob { $0.hash }
        case .requestor: .text { $0.requestor.text }
        case .created: .time { $0.created }
        case .expires: .time { $0.expires }
        case .softwareID: .textIfAny { $0.softwareID }
        case .label: .textIfAny { $0.label }
        }
    }

    package static func record<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> SetUpCodeRecord {
        SetUpCodeRecord(
            hash: try row.blob(Self.hash), requestor: try row.requestor(Self.requestor),
            softwareID: try row.textIfAny(Self.softwareID), created: try row.timestamp(Self.created),
            expires: try row.timestamp(Self.expires), label: try row.textIfAny(Self.label))
    }
}
