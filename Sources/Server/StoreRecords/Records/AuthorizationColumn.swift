import Clientless
package import Entitlement

/// The columns of `authorizations`.
package enum AuthorizationColumn: String, ColumnList {
    case authentication, device, requestor, resource, mvpd, origin, created, expires

    package static let names = joinedNames

    package var type: ColumnType {
        switch self {
        case .authentication, .requestor, .resource, .mvpd, .origin: .text
        case .created, .expires: .integer
        case .device: .blob
        }
    }

    private func value(of record: AuthZRecord) -> SQLValue {
        switch self {
        case .authentication: .text(record.authentication.text)
        case .device: .blob(record.device.bytes)
        case .requestor: .text(record.requestor.text)
        case .resource: .text(record.resource.text)
        case .mvpd: .text(record.mvpd.text)
        case .origin: .text(record.origin.rawValue)
        case .created: .time(record.created)
        case .expires: .time(record.expires)
        }
    }

    package static func values(of record: AuthZRecord) -> [SQLValue] { self.allCases.map { $0.value(of: record) } }

    package static func record<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> AuthZRecord {
        AuthZRecord(
            authentication: AuthNID(text: try row.text(Self.authentication)), device: try row.device(Self.device),
            requestor: try row.requestor(Self.requestor), resource: try row.resource(Self.resource),
            mvpd: try row.mvpd(Self.mvpd), origin: try row.word(Self.origin, AuthZOrigin.self),
            created: try row.timestamp(Self.created), expires: try row.timestamp(Self.expires))
    }
}
