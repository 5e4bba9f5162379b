/// Base 64 (RFC 4648), in the forms the wire uses.
package enum Base64 {
    /// The standard alphabet, padded, on one line (section 4).
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        Self.encode(bytes, Self.standard, padded: true)
    }

    /// Appends what ``encode(_:)`` writes.
    package static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        text.append(addingCapacity: (bytes.count + 2) / 3 * 4) { output in
            unsafe output.withUnsafeMutableBufferPointer { text, count in
                count = unsafe Self.write(bytes, Self.standard, padded: true, to: UnsafeMutableRawBufferPointer(text))
            }
        }
    }

    /// The URL-safe alphabet without padding (section 5; RFC 7515 section 2).
    package static func encodeURL(_ bytes: some Collection<UInt8>) -> String {
        Self.encode(bytes, Self.url, padded: false)
    }

    /// The standard alphabet, with all of its padding and nothing else, as ``encode(_:)`` writes it.
    /// - Returns: `nil` for any other text, also for one whose unused last bits are not zero: every byte string then
    ///   has one text, and a signature cannot be written in two ways.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        unsafe withContiguousBytes(of: text.utf8) { unsafe Self.decode($0.span) }
    }

    /// The same for bytes in one stretch, such as a part of a header.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        var end = text.count
        guard end % 4 == 0 else { return nil }
        if end > 0 && text[end - 1] == UInt8(ascii: "=") { end -= text[end - 2] == UInt8(ascii: "=") ? 2 : 1 }
        return Self.decode(text.extracting(..<end), rules: .standard)
    }

    /// The URL-safe alphabet without padding, as ``encodeURL(_:)`` writes it.
    /// - Returns: `nil` for any other text.
    package static func decodeURL(_ text: some StringProtocol) -> [UInt8]? {
        unsafe withContiguousBytes(of: text.utf8) { unsafe Self.decode($0.span, rules: .url) }
    }

    package static func decodeURL(_ text: Span<UInt8>) -> [UInt8]? { Self.decode(text, rules: .url) }

    /// Either alphabet, padding or not, white space anywhere: for what people paste and careless programs send.
    /// - Returns: `nil` when anything else is in it, or a single symbol is left over.
    package static func decodeTolerantly(_ text: some StringProtocol) -> [UInt8]? {
        unsafe withContiguousBytes(of: text.utf8) { unsafe Self.decodeTolerantly($0.span) }
    }

    package static func decodeTolerantly(_ text: Span<UInt8>) -> [UInt8]? {
        var end = text.count
        while end > 0, end + 2 > text.count, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        if let decoded = Self.decode(text.extracting(..<end), rules: .tolerant) { return decoded }
        var symbols: [UInt8] = []
        symbols.reserveCapacity(text.count)
        var padding = 0
        for index in text.indices {
            let character = text[index]
            switch character {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): continue
            case UInt8(ascii: "="): padding += 1
            default:
                guard padding == 0 else { return nil }
                symbols.append(character)
            }
        }
        guard padding <= 2 else { return nil }
        return Self.decode(symbols.span, rules: .tolerant)
    }

    private static let standard = pairs("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    private static let url = pairs("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    /// The two symbols of each number of twelve bits, the first in the low byte.
    private static func pairs(_ symbols: StaticString) -> [UInt16] {
        (0..<4096).map { unsafe UInt16(symbols.utf8Start[$0 >> 6]) | UInt16(symbols.utf8Start[$0 & 63]) << 8 }
    }

    private static func encode(_ bytes: some Collection<UInt8>, _ pairs: [UInt16], padded: Bool) -> String {
        unsafe withContiguousBytes(of: bytes) { bytes in
            unsafe String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
                unsafe Self.write(bytes.span, pairs, padded: padded, to: UnsafeMutableRawBufferPointer(text))
            }
        }
    }

    /// - Parameter text: has room for the symbols of `bytes` with their padding.
    /// - Returns: how many symbols were written.
    private static func write(
        _ bytes: Span<UInt8>, _ pairs: [UInt16], padded: Bool, to text: UnsafeMutableRawBufferPointer
    ) -> Int {
        let pairs = pairs.span
        func symbols(_ group: UInt32) -> UInt32 {
            unsafe UInt32(pairs[unchecked: Int(group >> 12)]) | UInt32(pairs[unchecked: Int(group & 4095)]) << 16
        }
        var (start, end) = (0, 0)
        while start &+ 8 <= bytes.count {
            // Six bytes, and two of the next groups, which are left out.
            let read = unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: UInt64.self)
            let six = UInt64(bigEndian: read) >> 16
            let (first, second) = (symbols(UInt32(six >> 24)), symbols(UInt32(six & 0xFF_FFFF)))
            let eight = UInt64(first) | UInt64(second) << 32
            unsafe text.storeBytes(of: eight.littleEndian, toByteOffset: end, as: UInt64.self)
            (start, end) = (start &+ 6, end &+ 8)
        }
        while start < bytes.count {
            let group = start..<min(start + 3, bytes.count)
            let rest = group.reduce(0) { $0 | UInt32(bytes[$1]) << UInt32(16 - 8 * ($1 - start)) }
            unsafe text.storeBytes(of: symbols(rest).littleEndian, toByteOffset: end, as: UInt32.self)
            (start, end) = (group.upperBound, end + 4)
        }
        let padding = end / 4 * 3 - bytes.count
        for place in end - padding..<end { unsafe text[place] = UInt8(ascii: "=") }
        return padded ? end : end - padding
    }
}
