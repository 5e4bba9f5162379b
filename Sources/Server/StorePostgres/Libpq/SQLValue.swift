/// A value bound to a parameter; nothing else ever reaches the text of a statement.
///
/// The server infers a parameter's type from its place. Values travel in binary form, so an integer is for a `bigint`
/// only, a text for a `text`, a blob for a `bytea`.
enum SQLValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    /// Values of one type, or NULL, as an array.
    indirect case list([SQLValue], of: ElementType)

    /// What an array is of, by the number of the type (pg_type.h), which is the same on every server.
    enum ElementType: Int32, Sendable {
        case blob = 17
        case integer = 20
        case text = 25

        /// The type of an array of them.
        var arrayName: String {
            switch self {
            case .blob: "bytea[]"
            case .integer: "bigint[]"
            case .text: "text[]"
            }
        }
    }

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
            guard let encoded = Self.encode(value) else {
                self.lengths.append(-1)
                continue
            }
            self.bytes += encoded
            self.lengths.append(Int32(clamping: encoded.count))
        }
        self.bytes.append(0)
        self.lengths.append(0)
    }

    var count: Int { self.lengths.count - 1 }

    /// - Returns: `nil` for NULL.
    private static func encode(_ value: SQLValue) -> [UInt8]? {
        switch value {
        case .null: nil
        case .integer(let integer): self.bytes(of: integer)
        case .text(let text): StoredText.encode(text)
        case .blob(let blob): blob
        case .list(let values, let type): self.encode(values, of: type)
        }
    }

    /// As array_recv of the server reads it: dimensions, whether there are NULLs, the type; length and first index of the one
    /// dimension; then each value behind its length.
    private static func encode(_ values: [SQLValue], of type: SQLValue.ElementType) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in [1, 1, type.rawValue, Int32(clamping: values.count), 1] { bytes += self.bytes(of: number) }
        for value in values {
            let encoded = self.encode(value)
            bytes += self.bytes(of: encoded.map { Int32(clamping: $0.count) } ?? -1)
            bytes += encoded ?? []
        }
        return bytes
    }

    private static func bytes<Number: FixedWidthInteger>(of number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (Number.bitWidth - 8 - 8 * $0)) }
    }
}
