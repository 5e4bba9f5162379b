/// The two forms of an ECDSA signature on P-256: DER (RFC 3279 section 2.2.3) and r‖s (RFC 7518 section 3.4).
///
/// DER of this one shape is short enough to be read and written here, without a handle to own: a SEQUENCE of two
/// non-negative INTEGERs of at most 33 bytes, all lengths in one byte.
enum ECDSASignature {
    private static let size = 32
    private static let integer: UInt8 = 0x02
    private static let sequence: UInt8 = 0x30

    /// - Returns: 64 bytes, or `nil` when `der` is not of the shape above.
    static func raw(fromDER der: [UInt8]) -> [UInt8]? {
        guard der.count >= 2, der[0] == Self.sequence, Int(der[1]) == der.count - 2, der[1] < 0x80 else { return nil }
        var rest = der.dropFirst(2)
        guard let r = Self.takeInteger(from: &rest), let s = Self.takeInteger(from: &rest), rest.isEmpty
        else { return nil }
        return r + s
    }

    /// - Returns: `nil` when `raw` is not of 64 bytes.
    static func der(fromRaw raw: [UInt8]) -> [UInt8]? {
        guard raw.count == 2 * Self.size else { return nil }
        return DER.element(Self.sequence, DER.integer(raw[..<Self.size]) + DER.integer(raw[Self.size...]))
    }

    /// Reads one INTEGER from the front, as 32 bytes.
    private static func takeInteger(from bytes: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard bytes.count >= 3, bytes.removeFirst() == Self.integer else { return nil }
        let length = Int(bytes.removeFirst())
        guard (1...Self.size + 1).contains(length), bytes.count >= length else { return nil }
        let value = bytes.prefix(length)
        bytes = bytes.dropFirst(length)
        guard value.first! < 0x80 else { return nil }
        let digits = value.drop { $0 == 0 }
        guard digits.count <= Self.size else { return nil }
        return [UInt8](repeating: 0, count: Self.size - digits.count) + digits
    }
}
