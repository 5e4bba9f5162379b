/// A value bound to a parameter; nothing else ever reaches the text of a statement.
///
/// The server infers a parameter's type from its place. Values travel in binary form, so an integer is for a `bigint`
/// only, a text for a `text`, a blob for a `bytea`.
enum SQLValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    static func textIfAny(_ value: String?) -> SQLValue {
        if let value { .text(value) } else { .null }
    }

    static func blobIfAny(_ value: [UInt8]?) -> SQLValue {
        if let value { .blob(value) } else { .null }
    }

    static func integerIfAny(_ value: Int64?) -> SQLValue {
        if let value { .integer(value) } else { .null }
    }
}

/// The parameters of one execution as libpq takes them.
struct EncodedValues {
    /// The values one after the other, and a byte more: the address of an empty array would be none.
    private(set) var bytes: [UInt8] = []
    /// The length of each; -1 for NULL.
    private(set) var lengths: [Int32] = []

    init(_ values: [SQLValue]) {
        for value in values {
            switch value {
            case .null: self.lengths.append(-1)
            case .integer(let integer): self.append((0..<8).map { UInt8(truncatingIfNeeded: integer >> (56 - 8 * $0)) })
            case .text(let text): self.append(StoredText.encode(text))
            case .blob(let blob): self.append(blob)
            }
        }
        self.bytes.append(0)
        self.lengths.append(0)
    }

    var count: Int { self.lengths.count - 1 }

    private mutating func append(_ value: [UInt8]) {
        self.bytes += value
        self.lengths.append(Int32(clamping: value.count))
    }
}
