import Clientless
package import Entitlement

/// A value of an account's metadata as rows: one for each text in it. An empty list or map has none, and is not kept.
package enum AccountMetadataColumns {
    package static let names = "key, place, shape, member, value"

    package struct Entry {
        let key: String
        let place: Int64
        let shape: Int64
        let member: String
        let value: String
    }

    /// The rows of `metadata`, each after its key and place.
    package static func rows(of metadata: [String: MetadataValue]) -> [[SQLValue]] {
        metadata.flatMap { key, value in
            self.texts(of: value).enumerated().map { place, text in
                [
                    .text(key), .integer(Int64(place)), .integer(text.shape), .text(text.member), .text(text.value),
                ]
            }
        }
    }

    private static func texts(of value: MetadataValue) -> [(shape: Int64, member: String, value: String)] {
        switch value {
        case .text(let text): [(0, "", text)]
        case .list(let texts): texts.map { (1, "", $0) }
        case .map(let entries): entries.map { (2, $0.name, $0.value) }
        }
    }

    /// The metadata of one account.
    /// - Parameter entries: by place.
    /// - Returns: `nil` for entries that are of no value.
    static func metadata(of entries: [Entry]) -> [String: MetadataValue]? {
        var metadata: [String: MetadataValue] = [:]
        for entry in entries {
            switch (entry.shape, metadata[entry.key]) {
            case (0, nil): metadata[entry.key] = .text(entry.value)
            case (1, nil): metadata[entry.key] = .list([entry.value])
            case (1, .list(let texts)?): metadata[entry.key] = .list(texts + [entry.value])
            case (2, nil): metadata[entry.key] = .map([NamedText(entry.member, entry.value)])
            case (2, .map(let entries)?):
                metadata[entry.key] = .map(entries + [NamedText(entry.member, entry.value)])
            default: return nil
            }
        }
        return metadata
    }
}

extension RecordRow {
    /// A row of ``AccountMetadataColumns/names``, from the key on.
    package mutating func metadataEntry() throws(Failure) -> AccountMetadataColumns.Entry {
        AccountMetadataColumns.Entry(
            key: try self.text(), place: try self.integer(), shape: try self.integer(), member: try self.text(),
            value: try self.text())
    }
}

/// The columns of `accounts`; line-ups and metadata have tables of their own.
package enum AccountColumn: String, ColumnList {
    case mvpd, id, name
    case passwordHash = "password_hash"
    case version

    package static let listed = Listed<Self>("accounts", "ON CONFLICT DO NOTHING")

    package var field: Field<Account> {
        switch self {
        case .mvpd: Field { $0.mvpd }
        case .id: Field { $0.id }
        case .name: Field { $0.name }
        case .passwordHash: Field { $0.passwordHash }
        case .version: Field { $0.version }
        }
    }

    package static func account<Row: RecordRow>(
        from row: inout Row, lineUp: [String], metadata entries: [AccountMetadataColumns.Entry]
    ) throws(Row.Failure) -> Account {
        guard let metadata = AccountMetadataColumns.metadata(of: entries)
        else { throw .nonsense("metadata of an account do not have their form") }
        return Account(
            mvpd: try row.value(Self.mvpd), id: try row.value(Self.id), name: try row.value(Self.name),
            passwordHash: try row.value(Self.passwordHash), lineUp: lineUp, metadata: metadata,
            version: try row.value(Self.version))
    }
}

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
        case .credential: Field { $0.credential }
        case .mvpd: Field { $0.mvpd }
        case .account: Field { $0.account }
        case .publicKey: Field { $0.publicKey }
        case .isSyncable: Field { $0.isSyncable }
        case .signCount: Field { $0.signCount }
        case .created: Field { $0.created }
        case .lastUsed: Field { $0.lastUsed }
        }
    }

    package static func passkey<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> Passkey {
        Passkey(
            credential: try row.value(Self.credential), mvpd: try row.value(Self.mvpd),
            account: try row.value(Self.account), publicKey: try row.value(Self.publicKey),
            isSyncable: try row.value(Self.isSyncable), signCount: try row.value(Self.signCount),
            created: try row.value(Self.created), lastUsed: try row.valueIfAny(Self.lastUsed))
    }
}
