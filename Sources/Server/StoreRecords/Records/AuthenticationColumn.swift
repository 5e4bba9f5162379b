import Clientless
package import Entitlement

/// The columns of `authentications`.
///
/// Absent texts of the key are the empty text, which the domain never uses, because a unique key takes no NULL.
package enum AuthenticationColumn: String, ColumnList {
    case id, device
    case appID = "app_id"
    case deviceUser = "device_user"
    /// The requestor of a record that counts for it alone, else the empty text (rest-v1 6.3).
    case owner
    case requestor, mvpd, client
    case userID = "user_id"
    case code, origin, created, expires
    case sealedSession = "sealed_session"
    case providerSession = "provider_session"
    case version, credential

    package static let names = joinedNames

    package var type: ColumnType {
        switch self {
        case .id, .appID, .deviceUser, .owner, .requestor, .mvpd, .client, .userID, .origin: .text
        case .code, .credential: .textIfAny
        case .created, .expires, .version: .integer
        case .device, .sealedSession: .blob
        case .providerSession: .blobIfAny
        }
    }

    private func value(of record: AuthNRecord) -> SQLValue {
        switch self {
        case .id: .text(record.id.text)
        case .device: .blob(record.context.device.bytes)
        case .appID: .text(record.context.appID ?? "")
        case .deviceUser: .text(record.context.deviceUser ?? "")
        case .owner: .text(record.isExclusive ? record.requestor.text : "")
        case .requestor: .text(record.requestor.text)
        case .mvpd: .text(record.mvpd.text)
        case .client: .text(record.client ?? "")
        case .userID: .text(record.userID)
        case .code: .textIfAny(record.code?.text)
        case .origin: .text(record.origin.rawValue)
        case .created: .time(record.created)
        case .expires: .time(record.expires)
        case .sealedSession: .blob(record.sealedSession)
        case .providerSession: .blobIfAny(record.providerSession)
        case .version: .integer(Int64(record.version))
        case .credential: .textIfAny(record.credential?.text)
        }
    }

    package static func values(of record: AuthNRecord) -> [SQLValue] { self.allCases.map { $0.value(of: record) } }

    package static func record<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> AuthNRecord {
        // The empty text becomes absent again.
        let context = DeviceContext(
            device: try row.device(Self.device), appID: try row.text(Self.appID),
            deviceUser: try row.text(Self.deviceUser))
        let client = try row.text(Self.client)
        return AuthNRecord(
            id: AuthNID(text: try row.text(Self.id)), context: context, requestor: try row.requestor(Self.requestor),
            isExclusive: try !row.text(Self.owner).isEmpty, mvpd: try row.mvpd(Self.mvpd),
            client: client.isEmpty ? nil : client, userID: try row.text(Self.userID),
            code: try row.codeIfAny(Self.code), origin: try row.word(Self.origin, AuthNOrigin.self),
            credential: try row.credential(Self.credential), created: try row.timestamp(Self.created),
            expires: try row.timestamp(Self.expires),
            sealedSession: try row.blob(Self.sealedSession), providerSession: try row.blobIfAny(Self.providerSession),
            version: Int(try row.integer(Self.version)))
    }
}
