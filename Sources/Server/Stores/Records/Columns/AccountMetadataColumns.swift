package import Entitlement

/// A value of an account's metadata as rows: one for each text in it. An empty list or map has none, and is not kept.
package enum AccountMetadataColumns {
    package static let names = "key, place, shape, member, value"

    /// One text, and what it is of its value.
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
            case (2, nil): metadata[entry.key] = .map([MetadataEntry(name: entry.member, value: entry.value)])
            case (2, .map(let entries)?):
                metadata[entry.key] = .map(entries + [MetadataEntry(name: entry.member, value: entry.value)])
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
