import Clientless
import Entitlement

/// The columns of `authorizations`.
enum AuthorizationColumn: String, ColumnList {
    case authentication, device, requestor, resource, mvpd, origin, created, expires

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

    /// Keeps a record, unless its AuthN record is gone, which cannot go before the end of the transaction.
    static let insertion = """
        INSERT INTO latchkey.authorizations (\(names)) SELECT \(placeholders)
            FROM latchkey.authentications WHERE id = $\(Self.authentication.place + 1) FOR KEY SHARE
            ON CONFLICT (authentication, requestor, resource) DO UPDATE SET device = excluded.device,
                mvpd = excluded.mvpd, origin = excluded.origin, created = excluded.created, expires = excluded.expires
        """

    static func values(of record: AuthZRecord) -> [SQLValue] { self.allCases.map { $0.value(of: record) } }

    static func record(from row: inout Row) throws(PostgresFailure) -> AuthZRecord {
        AuthZRecord(
            authentication: AuthNID(text: try row.text(Self.authentication)), device: try row.device(Self.device),
            requestor: try row.requestor(Self.requestor), resource: try row.resource(Self.resource),
            mvpd: try row.mvpd(Self.mvpd), origin: try row.word(Self.origin, AuthZOrigin.self),
            created: try row.timestamp(Self.created), expires: try row.timestamp(Self.expires))
    }
}
