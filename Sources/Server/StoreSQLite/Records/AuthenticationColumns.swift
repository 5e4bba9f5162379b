import Clientless
import Entitlement

/// The columns of `authentications` and how a record becomes a row and a row a record.
enum AuthenticationColumns {
    static let names = """
        id, device, app_id, device_user, requestor, owner, mvpd, user_id, code, origin, created, expires, \
        sealed_session
        """

    /// Keeps a new record, or a kept one with other columns; what refers to a kept one stays.
    static let insertion = """
        INSERT INTO authentications (\(names)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
            ON CONFLICT (id) DO UPDATE SET device = excluded.device, app_id = excluded.app_id,
                device_user = excluded.device_user, requestor = excluded.requestor, owner = excluded.owner,
                mvpd = excluded.mvpd, user_id = excluded.user_id, code = excluded.code, origin = excluded.origin,
                created = excluded.created, expires = excluded.expires, sealed_session = excluded.sealed_session
        """

    static func values(of record: AuthNRecord) -> [SQLValue] {
        [
            .text(record.id.text), .blob(record.context.device.bytes), .text(record.context.appID ?? ""),
            .text(record.context.deviceUser ?? ""), .text(record.requestor.text), .text(self.owner(of: record)),
            .text(record.mvpd.text), .text(record.userID), .textIfAny(record.code?.text),
            .text(record.origin.rawValue), .time(record.created), .time(record.expires), .blob(record.sealedSession),
        ]
    }

    /// The part of the key that lets records which count for one requestor alone live side by side.
    static func owner(of record: AuthNRecord) -> String { record.isExclusive ? record.requestor.text : "" }

    /// Whether `record` ends an earlier trial sign-in of its context and requestor: "a later real sign-in overwrites
    /// the TempPass AuthN token" (rest-v1 20.1). A skipped login is none: the trial goes on when its rule is over.
    static func endsTrials(_ record: AuthNRecord) -> Bool {
        switch record.origin {
        case .regular, .platform: true
        case .temporaryPass, .degraded: false
        }
    }

    static func record(from row: inout Row) throws(SQLiteFailure) -> AuthNRecord {
        let id = AuthNID(text: try row.text())
        // The empty text becomes none again.
        let context = DeviceContext(device: try row.device(), appID: try row.text(), deviceUser: try row.text())
        return AuthNRecord(
            id: id, context: context, requestor: try row.requestor(), isExclusive: try !row.text().isEmpty,
            mvpd: try row.mvpd(), userID: try row.text(), code: try row.codeIfAny(),
            origin: try row.word(AuthNOrigin.self), created: try row.timestamp(), expires: try row.timestamp(),
            sealedSession: try row.blob())
    }
}
