import Clientless
package import Entitlement

/// The columns of `authorizations`.
package enum AuthorizationColumn: String, ColumnList {
    case authentication, device, requestor, resource, mvpd, origin, created, expires

    package static let listed = Listed<Self>()

    package func field(of record: AuthZRecord?) -> Field {
        switch self {
        case .authentication: .text(record) { $0.authentication.text }
        case .device: .blob(record) { $0.device.bytes }
        case .requestor: .text(record) { $0.requestor.text }
        case .resource: .text(record) { $0.resource.text }
        case .mvpd: .text(record) { $0.mvpd.text }
        case .origin: .text(record) { $0.origin.rawValue }
        case .created: .time(record) { $0.created }
        case .expires: .time(record) { $0.expires }
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
