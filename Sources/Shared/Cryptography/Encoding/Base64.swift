/// Base 64 (RFC 4648), in the forms the wire uses.
package enum Base64 {
    /// The standard alphabet, padded, on one line (section 4).
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        Self.encode(bytes, symbols: Self.standardSymbols, padded: true)
    }

    /// The URL-safe alphabet without padding (section 5; RFC 7515 section 2).
    package static func encodeURL(_ bytes: some Collection<UInt8>) -> String {
        Self.encode(bytes, symbols: Self.urlSymbols, padded: false)
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

    private static let standardSymbols: StaticString =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    private static let urlSymbols: StaticString =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

    private static func encode(_ bytes: some Collection<UInt8>, symbols: StaticString, padded: Bool) -> String {
        unsafe withContiguousBytes(of: bytes) { bytes in
            unsafe String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
                // Asked for once: each time it is checked that there is one.
                let alphabet = unsafe symbols.utf8Start
                func symbol(_ group: UInt32) -> UInt8 { unsafe alphabet[Int(group & 63)] }
                var (start, end) = (0, 0)
                while start &+ 3 <= bytes.count {
                    let group =
                        unsafe UInt32(bytes[start]) << 16 | UInt32(bytes[start &+ 1]) << 8 | UInt32(bytes[start &+ 2])
                    unsafe text[end] = symbol(group >> 18)
                    unsafe text[end &+ 1] = symbol(group >> 12)
                    unsafe text[end &+ 2] = symbol(group >> 6)
                    unsafe text[end &+ 3] = symbol(group)
                    (start, end) = (start &+ 3, end &+ 4)
                }
                if start < bytes.count {
                    let isLast = start + 1 == bytes.count
                    let group = unsafe UInt32(bytes[start]) << 16 | (isLast ? 0 : UInt32(bytes[start + 1]) << 8)
                    unsafe text[end] = symbol(group >> 18)
                    unsafe text[end + 1] = symbol(group >> 12)
                    if !isLast { unsafe text[end + 2] = symbol(group >> 6) }
                    end += isLast ? 2 : 3
                }
                while padded, end % 4 > 0 {
                    unsafe text[end] = UInt8(ascii: "=")
                    end += 1
                }
                return end
            }
        }
    }
}
