import Clientless
package import Entitlement

/// The columns of `accounts`; line-ups and metadata have tables of their own.
package enum AccountColumn: String, ColumnList {
    case mvpd, id, name
    case passwordHash = "password_hash"
    case version

    package static let listed = Listed<Self>("accounts", "ON CONFLICT DO NOTHING")

    package var field: Field<Account> {
        switch self {
        case .mvpd: .text { $0.mvpd.text }
        case .id: .text { $0.id }
        case .name: .text { $0.name }
        case .passwordHash: .text { $0.passwordHash }
        case .version: .integer { Int64($0.version) }
        }
    }

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
