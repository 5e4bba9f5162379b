import Entitlement

// The server infers a parameter's type from its place. Values travel in binary form, so an integer is for a `bigint`
// only, a text for a `text`, a blob for a `bytea`, or for an array in the form that the server reads.

extension StoredTable.Kind {
    /// The type's number (pg_type.h), which is the same on every server.
    fileprivate var number: Int32 {
        switch self {
        case .blob: 17
        case .integer: 20
        case .text: 25
        }
    }

    var arrayName: String {
        switch self {
        case .blob: "bytea[]"
        case .integer: "bigint[]"
        case .text: "text[]"
        }
    }
}

extension SQLValue {
    /// Values of one type, or NULL, as an array.
    ///
    /// As array_recv of the server reads it: dimensions, whether there are NULLs, the type; length and first index of the one
    /// dimension; then each value behind its length.
    static func list(_ values: [SQLValue], of type: StoredTable.Kind) -> SQLValue {
        var (bytes, encoded) = ([UInt8](), [UInt8]())
        for number in [1, 1, type.number, Int32(clamping: values.count), 1] {
            EncodedValues.append(number, to: &bytes)
        }
        for value in values {
            encoded.removeAll(keepingCapacity: true)
            EncodedValues.append(EncodedValues.append(value, to: &encoded), to: &bytes)
            bytes += encoded
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
        for value in values { self.lengths.append(Self.append(value, to: &self.bytes)) }
        self.bytes.append(0)
        self.lengths.append(0)
    }

    var count: Int { self.lengths.count - 1 }

    /// Appends a value.
    /// - Returns: its length; -1 for NULL.
    fileprivate static func append(_ value: SQLValue, to bytes: inout [UInt8]) -> Int32 {
        let start = bytes.count
        switch value {
        case .null: return -1
        case .integer(let integer): self.append(integer, to: &bytes)
        case .text(let text): StoredText.append(text, to: &bytes)
        case .blob(let blob): bytes += blob
        }
        return Int32(clamping: bytes.count - start)
    }

    fileprivate static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
        for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}

/// A text as the server keeps it. PostgreSQL has no U+0000 in a text, and callers may send one: it becomes U+0001 twice,
/// and U+0001 becomes U+0001 and U+0002. Other texts stay as they are; two that differ stay different.
enum StoredText {
    static func append(_ text: String, to bytes: inout [UInt8]) {
        let content = text.utf8.span
        // A loop that never ends early takes many bytes in one step.
        var marks: UInt8 = 0
        for offset in content.indices { marks |= content[offset] < 2 ? 1 : 0 }
        guard marks != 0 else { return bytes += text.utf8 }
        for byte in text.utf8 {
            switch byte {
            case 0, 1: bytes += [1, byte + 1]
            default: bytes.append(byte)
            }
        }
    }

    /// - Returns: `nil` for what is neither UTF-8 nor was written by ``append(_:to:)``.
    static func decode(_ stored: [UInt8]) -> String? {
        guard stored.contains(1) else { return String(validating: stored, as: UTF8.self) }
        var bytes: [UInt8] = []
        var rest = stored[...]
        while let byte = rest.popFirst() {
            guard byte == 1 else {
                bytes.append(byte)
                continue
            }
            guard let second = rest.popFirst(), second == 1 || second == 2 else { return nil }
            bytes.append(second - 1)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
