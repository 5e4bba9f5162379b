import Clientless
package import Entitlement

/// The columns of `accounts`; line-ups and metadata have tables of their own.
package enum AccountColumn: String, ColumnList {
    case mvpd, id, name
    case passwordHash = "password_hash"
    case version

    package static let names = joinedNames

    package var type: ColumnType {
        switch self {
        case .mvpd, .id, .name, .passwordHash: .text
        case .version: .integer
        }
    }

    private func value(of account: Account) -> SQLValue {
        switch self {
        case .mvpd: .text(account.mvpd.text)
        case .id: .text(account.id)
        case .name: .text(account.name)
        case .passwordHash: .text(account.passwordHash)
        case .version: .integer(Int64(account.version))
        }
    }

    package static func values(of account: Account) -> [SQLValue] { self.allCases.map { $0.value(of: account) } }

    package static func account<Row: RecordRow>(
        from row: inout Row, lineUp: [String], metadata entries: [AccountMetadataColumns.Entry]
    ) throws(Row.Failure) -> Account {
        guard let metadata = AccountMetadataColumns.metadata(of: entries)
        else { throw .nonsense("metadata of an account do not have their form") }
        return Account(
            mvpd: try row.mvpd(Self.mvpd), id: try row.text(Self.id), name: try row.text(Self.name),
            passwordHash: try row.text(Self.passwordHash), lineUp: lineUp, metadata: metadata,
            version: Int(try row.integer(Self.version)))
    }
}
