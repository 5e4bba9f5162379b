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

    package static let listed = Listed<Self>("authentications")

    package var field: Field<AuthNRecord> {
        switch self {
        case .id: Field { $0.id }
        case .device: Field { $0.context.device }
        case .appID: Field { $0.context.appID ?? "" }
        case .deviceUser: Field { $0.context.deviceUser ?? "" }
        case .owner: Field { $0.isExclusive ? $0.requestor.text : "" }
        case .requestor: Field { $0.requestor }
        case .mvpd: Field { $0.mvpd }
        case .client: Field { $0.client ?? "" }
        case .userID: Field { $0.userID }
        case .code: Field { $0.code }
        case .origin: Field { $0.origin }
        case .created: Field { $0.created }
        case .expires: Field { $0.expires }
        case .sealedSession: Field { $0.sealedSession }
        case .providerSession: Field { $0.providerSession }
        case .version: Field { $0.version }
        case .credential: Field { $0.credential }
        }
    }

    package static func record<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> AuthNRecord {
        // The empty text becomes absent again.
        let context = DeviceContext(
            device: try row.value(Self.device), appID: try row.value(Self.appID),
            deviceUser: try row.value(Self.deviceUser))
        let client: String = try row.value(Self.client)
        return AuthNRecord(
            id: try row.value(Self.id), context: context, requestor: try row.value(Self.requestor),
            isExclusive: try row.value(Self.owner) != "", mvpd: try row.value(Self.mvpd),
            client: client.isEmpty ? nil : client, userID: try row.value(Self.userID),
            code: try row.valueIfAny(Self.code), origin: try row.value(Self.origin),
            credential: try row.valueIfAny(Self.credential), created: try row.value(Self.created),
            expires: try row.value(Self.expires),
            sealedSession: try row.value(Self.sealedSession), providerSession: try row.valueIfAny(Self.providerSession),
            version: try row.value(Self.version))
    }
}

/// The columns of `ended_sign_ins` but for the sequence, which counts by itself.
package enum EndedSignInColumn: String, ColumnList {
    case id, device, requestor, mvpd
    case userID = "user_id"
    case created, ended, actor, reason, credential

    package static let listed = Listed<Self>("ended_sign_ins")

    package var field: Field<EndedSignIn> {
        switch self {
        case .id: Field { $0.id }
        case .device: Field { $0.device }
        case .requestor: Field { $0.requestor }
        case .mvpd: Field { $0.mvpd }
        case .userID: Field { $0.userID }
        case .created: Field { $0.created }
        case .ended: Field { $0.end.time }
        case .actor: Field { $0.end.actor }
        case .reason: Field { $0.end.reason }
        case .credential: Field { $0.credential }
        }
    }

    package static func record<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> EndedSignIn {
        EndedSignIn(
            id: try row.value(Self.id), device: try row.value(Self.device),
            requestor: try row.value(Self.requestor), mvpd: try row.value(Self.mvpd),
            userID: try row.value(Self.userID), credential: try row.valueIfAny(Self.credential),
            created: try row.value(Self.created),
            end: SignInEnd(
                at: try row.value(Self.ended), by: try row.value(Self.actor),
                try row.value(Self.reason)))
    }
}
