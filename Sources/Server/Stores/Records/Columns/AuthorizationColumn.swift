import Clientless
package import Entitlement

package enum AuthorizationColumn: String, ColumnList {
    case authentication, device, requestor, resource, mvpd, origin, created, expires

    package static let listed = Listed<Self>()

    package var field: Field<AuthZRecord> {
        switch self {
        case .authentication: .text { $0.authentication.text }
        case .device: .blob { $0.device.bytes }
        case .requestor: .text { $0.requestor.text }
        case .resource: .text { $0.resource.text }
        case .mvpd: .text { $0.mvpd.text }
        case .origin: .text { $0.origin.rawValue }
        case .created: .time { $0.created }
        case .expires: .time { $0.expires }
        }
    }

    package static func record<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> AuthZRecord {
        AuthZRecord(
            authentication: AuthNID(text: try row.text(Self.authentication)), device: try row.device(Self.device),
            requestor: try row.requestor(Self.requestor), resource: try row.resource(Self.resource),
            mvpd: try row.mvpd(Self.mvpd), origin: try row.word(Self.origin, AuthZOrigin.self),
            created: try row.timestamp(Self.created), expires: try row.timestamp(Self.expires))
    }
}
