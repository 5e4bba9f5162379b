import Clientless
package import Entitlement

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
