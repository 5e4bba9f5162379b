import Clientless
package import Entitlement

/// The columns of `set_up_codes`.
package enum SetUpCodeColumn: String, ColumnList {
    case hash, requestor, created, expires, label
    case softwareID = "software_id"

    package static let listed = Listed<Self>("set_up_codes")

    package func field(of record: SetUpCodeRecord?) -> Field {
        switch self {
        case .hash: .blob(record) { $0.hash }
        case .requestor: .text(record) { $0.requestor.text }
        case .created: .time(record) { $0.created }
        case .expires: .time(record) { $0.expires }
        case .softwareID: .textIfAny(record) { $0.softwareID }
        case .label: .textIfAny(record) { $0.label }
        }
    }

    package static func record<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> SetUpCodeRecord {
        SetUpCodeRecord(
            hash: try row.blob(Self.hash), requestor: try row.requestor(Self.requestor),
            softwareID: try row.textIfAny(Self.softwareID), created: try row.timestamp(Self.created),
            expires: try row.timestamp(Self.expires), label: try row.textIfAny(Self.label))
    }
}
