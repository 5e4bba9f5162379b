import Clientless
import Entitlement

/// The columns of `authorizations` and how a record becomes a row and a row a record.
enum AuthorizationColumns {
    static let names = "device, requestor, resource, authentication, mvpd, origin, created, expires"

    /// Keeps a record, unless its AuthN record is gone.
    static let insertion = """
        INSERT INTO authorizations (\(names))
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE EXISTS (SELECT 1 FROM authentications WHERE id = ?4)
            ON CONFLICT (device, requestor, resource) DO UPDATE SET authentication = excluded.authentication,
                mvpd = excluded.mvpd, origin = excluded.origin, created = excluded.created,
                expires = excluded.expires
        """

    static func values(of record: AuthZRecord) -> [SQLValue] {
        [
            .blob(record.device.bytes), .text(record.requestor.text), .text(record.resource.text),
            .text(record.authentication.text), .text(record.mvpd.text), .text(record.origin.rawValue),
            .time(record.created), .time(record.expires),
        ]
    }

    static func record(from row: inout Row) throws(SQLiteFailure) -> AuthZRecord {
        let (device, requestor, resource) = (try row.device(), try row.requestor(), try row.resource())
        return AuthZRecord(
            authentication: AuthNID(text: try row.text()), device: device, requestor: requestor, resource: resource,
            mvpd: try row.mvpd(), origin: try row.word(AuthZOrigin.self), created: try row.timestamp(),
            expires: try row.timestamp())
    }
}
