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

    package static let names = joinedNames

    package var type: ColumnType {
        switch self {
        case .mvpd, .account: .text
        case .isSyncable, .signCount, .created: .integer
        case .lastUsed: .integerIfAny
        case .credential, .publicKey: .blob
        }
    }

    private func value(of passkey: Passkey) -> SQLValue {
        switch self {
        case .credential: .blob(passkey.credential)
        case .mvpd: .text(passkey.mvpd.text)
        case .account: .text(passkey.account)
        case .publicKey: .blob(passkey.publicKey)
        case .isSyncable: .flag(passkey.isSyncable)
        case .signCount: .integer(Int64(passkey.signCount))
        case .created: .time(passkey.created)
        case .lastUsed: .timeIfAny(passkey.lastUsed)
        }
    }

    package static func values(of passkey: Passkey) -> [SQLValue] { self.allCases.map { $0.value(of: passkey) } }

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
