import Clientless
package import Entitlement

/// The columns of `passkeys`.
package enum PasskeyColumn: String, ColumnList {
    case credential, mvpd, account
    case publicKey = "public_key"
    case isSyncable = "is_syncable"
    case signCount = "sign_count"
    case created
    case lastUsed = "last_used"

    package static let listed = Listed<Self>("passkeys", "ON CONFLICT DO NOTHING")

    package var field: Field<Passkey> {
        switch self {
        case .credential: .blob { $0.credential }
        case .mvpd: .text { $0.mvpd.text }
        case .account: .text { $0.account }
        case .publicKey: .blob { $0.publicKey }
        case .isSyncable: .flag { $0.isSyncable }
        case .signCount: .integer { Int64($0.signCount) }
        case .created: .time { $0.created }
        case .lastUsed: .timeIfAny { $0.lastUsed }
        }
    }

    package static func passkey<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> Passkey {
        guard let signCount = UInt32(exactly: try row.integer(Self.signCount))
        else { throw .nonsense("a passkey does not count as authenticators do") }
        return Passkey(
            credential: try row.blob(Self.credential), mvpd: try row.mvpd(Self.mvpd),
            account: try row.text(Self.account), publicKey: try row.blob(Self.publicKey),
            isSyncable: try row.flag(Self.isSyncable), signCount: signCount,
            created: try row.timestamp(Self.created), lastUsed: try row.timestampIfAny(Self.lastUsed))
    }
}
