import Clientless
package import Entitlement

package enum AuthorizationColumn: String, ColumnList {
    case authentication, device, requestor, resource, mvpd, origin, created, expires

    package static let listed = Listed<Self>()

    package var field: Field<AuthZRecord> {
        switch self {
        case .authentication: Field { $0.authentication }
        case .device: Field { $0.device }
        case .requestor: Field { $0.requestor }
        case .resource: Field { $0.resource }
        case .mvpd: Field { $0.mvpd }
        case .origin: Field { $0.origin }
        case .created: Field { $0.created }
        case .expires: Field { $0.expires }
        }
    }

    package static func record<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> AuthZRecord {
        AuthZRecord(
            authentication: try row.value(Self.authentication), device: try row.value(Self.device),
            requestor: try row.value(Self.requestor), resource: try row.value(Self.resource),
            mvpd: try row.value(Self.mvpd), origin: try row.value(Self.origin),
            created: try row.value(Self.created), expires: try row.value(Self.expires))
    }
}
