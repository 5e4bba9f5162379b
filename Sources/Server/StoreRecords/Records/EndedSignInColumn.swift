import Clientless
package import Entitlement

/// The columns of `ended_sign_ins` but for the sequence, which counts by itself.
package enum EndedSignInColumn: String, ColumnList {
    case id, device, requestor, mvpd
    case userID = "user_id"
    case created, ended, actor, reason, credential

    package static let names = joinedNames

    package var type: ColumnType {
        switch self {
        case .id, .requestor, .mvpd, .userID, .actor, .reason: .text
        case .created, .ended: .integer
        case .device: .blob
        case .credential: .textIfAny
        }
    }

    private func value(of ended: EndedSignIn) -> SQLValue {
        switch self {
        case .id: .text(ended.id.text)
        case .device: .blob(ended.device.bytes)
        case .requestor: .text(ended.requestor.text)
        case .mvpd: .text(ended.mvpd.text)
        case .userID: .text(ended.userID)
        case .created: .time(ended.created)
        case .ended: .time(ended.end.time)
        case .actor: .text(ended.end.actor)
        case .reason: .text(ended.end.reason.rawValue)
        case .credential: .textIfAny(ended.credential?.text)
        }
    }

    package static func values(of ended: EndedSignIn) -> [SQLValue] { self.allCases.map { $0.value(of: ended) } }

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
