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
        case .id: .text { $0.id.text }
        case .device: .blob { $0.context.device.bytes }
        case .appID: .text { $0.context.appID ?? "" }
        case .deviceUser: .text { $0.context.deviceUser ?? "" }
        case .owner: .text { $0.isExclusive ? $0.requestor.text : "" }
        case .requestor: .text { $0.requestor.text }
        case .mvpd: .text { $0.mvpd.text }
        case .client: .text { $0.client ?? "" }
        case .userID: .text { $0.userID }
        case .code: .textIfAny { $0.code?.text }
        case .origin: .text { $0.origin.rawValue }
        case .created: .time { $0.created }
        case .expires: .time { $0.expires }
        case .sealedSession: .blob { $0.sealedSession }
        case .providerSession: .blobIfAny { $0.providerSession }
        case .version: .integer { Int64($0.version) }
        case .credential: .textIfAny { $0.credential?.text }
        }
    }

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

/// The columns of `ended_sign_ins` but for the sequence, which counts by itself.
package enum EndedSignInColumn: String, ColumnList {
    case id, device, requestor, mvpd
    case userID = "user_id"
    case created, ended, actor, reason, credential

    package static let listed = Listed<Self>("ended_sign_ins")

    package var field: Field<EndedSignIn> {
        switch self {
        case .id: .text { $0.id.text }
        case .device: .blob { $0.device.bytes }
        case .requestor: .text { $0.requestor.text }
        case .mvpd: .text { $0.mvpd.text }
        case .userID: .text { $0.userID }
        case .created: .time { $0.created }
        case .ended: .time { $0.end.time }
        case .actor: .text { $0.end.actor }
        case .reason: .text { $0.end.reason.rawValue }
        case .credential: .textIfAny { $0.credential?.text }
        }
    }

    package static func record<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> EndedSignIn {
        EndedSignIn(
            id: AuthNID(text: try row.text(Self.id)), device: try row.device(Self.device),
            requestor: try row.requestor(Self.requestor), mvpd: try row.mvpd(Self.mvpd),
            userID: try row.text(Self.userID), credential: try row.credential(Self.credential),
            created: try row.timestamp(Self.created),
            end: SignInEnd(
                at: try row.timestamp(Self.ended), by: try row.text(Self.actor),
                try row.word(Self.reason, SignInEnding.self)))
    }
}
