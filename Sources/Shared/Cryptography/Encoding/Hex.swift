/// Base 16 (RFC 4648 section 8).
package enum Hex {
    /// Lower-case digits.
    package static func encode(_ bytes: some Collection<UInt8>) -> String { self.encode(Array(bytes)) }

    /// - Parameter places: numbers of bytes that have a hyphen before them.
    package static func encode(_ bytes: [UInt8], hyphensBefore places: [Int] = []) -> String {
        let digits: StaticString = "0123456789abcdef"
        return unsafe String(unsafeUninitializedCapacity: bytes.count * 2 + places.count) { buffer in
            var end = 0
            for (place, byte) in bytes.enumerated() {
                if places.contains(place) {
                    unsafe buffer[end] = UInt8(ascii: "-")
                    end += 1
                }
                unsafe buffer[end] = digits.utf8Start[Int(byte >> 4)]
                unsafe buffer[end + 1] = digits.utf8Start[Int(byte & 15)]
                end += 2
            }
            return end
        }
    }

    /// Digits of either case.
    /// - Returns: `nil` for an odd number of characters, or one that is no digit.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for character in text.utf8 {
            guard let digit = Self.value(of: character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil ? bytes : nil
    }

    /// The value of a hexadecimal digit in ASCII.
    package static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
