import Entitlement

// The server infers a parameter's type from its place. Values travel in binary form, so an integer is for a `bigint`
// only, a text for a `text`, a blob for a `bytea`, or for an array in the form that the server reads.

extension SQLValue {
    /// The element type of an array, by its number (pg_type.h), which is the same on every server.
    enum ElementType: Int32, Sendable {
        case blob = 17
        case integer = 20
        case text = 25

        init(_ kind: StoredTable.Column.Kind) {
            switch kind {
            case .blob: self = .blob
            case .integer: self = .integer
            case .text: self = .text
            }
        }

        /// The type of an array of them.
        var arrayName: String {
            switch self {
            case .blob: "bytea[]"
            case .integer: "bigint[]"
            case .text: "text[]"
            }
        }
    }

    /// Values of one type, or NULL, as an array.
    ///
    /// As array_recv of the server reads it: dimensions, whether there are NULLs, the type; length and first index of the one
    /// dimension; then each value behind its length.
    static func list(_ values: [SQLValue], of type: ElementType) -> SQLValue {
        var bytes: [UInt8] = []
        for number in [1, 1, type.rawValue, Int32(clamping: values.count), 1] {
            bytes += EncodedValues.bytes(of: number)
        }
        for value in values {
            let encoded = EncodedValues.encode(value)
            bytes += EncodedValues.bytes(of: encoded.map { Int32(clamping: $0.count) } ?? -1)
            bytes += encoded ?? []
        }
        return .blob(bytes)
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
    fileprivate static func encode(_ value: SQLValue) -> [UInt8]? {
        switch value {
        case .null: nil
        case .integer(let integer): self.bytes(of: integer)
        case .text(let text): StoredText.encode(text)
        case .blob(let blob): blob
        }
    }

    fileprivate static func bytes<Number: FixedWidthInteger>(of number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (Number.bitWidth - 8 - 8 * $0)) }
    }
}
