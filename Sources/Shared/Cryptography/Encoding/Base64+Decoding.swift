extension Base64 {
    /// Which symbols stand for 62 and 63, and whether unused last bits must be zero.
    enum Rules {
        case standard, url, tolerant
    }

    /// Decodes symbols from which padding and white space are gone.
    static func decode(_ symbols: Span<UInt8>, rules: Rules) -> [UInt8]? {
        let (groups, rest) = symbols.count.quotientAndRemainder(dividingBy: 4)
        guard rest != 1 else { return nil }
        let size = groups * 3 + (rest == 0 ? 0 : rest - 1)
        var invalid: UInt8 = 0
        var decoded: [UInt8] = []
        decoded.append(addingCapacity: size) { output in
            var (accumulator, bits): (UInt32, UInt32) = (0, 0)
            let values = Self.values(rules).span
            // There are 256 values, and room for each group.
            func value(_ place: Int) -> UInt32 { unsafe UInt32(values[unchecked: Int(symbols[unchecked: place])]) }
            unsafe output.withUnsafeMutableBufferPointer { bytes, count in
                for start in stride(from: 0, to: groups &* 4, by: 4) {
                    let (first, second) = (value(start), value(start &+ 1))
                    let (third, fourth) = (value(start &+ 2), value(start &+ 3))
                    invalid |= UInt8(truncatingIfNeeded: first | second | third | fourth)
                    let group = first << 18 | second << 12 | third << 6 | fourth
                    unsafe bytes[count] = UInt8(truncatingIfNeeded: group >> 16)
                    unsafe bytes[count &+ 1] = UInt8(truncatingIfNeeded: group >> 8)
                    unsafe bytes[count &+ 2] = UInt8(truncatingIfNeeded: group)
                    count = count &+ 3
                }
            }
            for index in groups * 4..<symbols.count {
                let value = values[Int(symbols[index])]
                invalid |= value
                accumulator = accumulator << 6 | UInt32(value & 63)
                bits += 6
                guard bits >= 8 else { continue }
                bits -= 8
                output.append(UInt8(truncatingIfNeeded: accumulator >> bits))
            }
            if rules != .tolerant && accumulator & ((1 << bits) - 1) != 0 { invalid = 0x80 }
        }
        return invalid < 0x80 ? decoded : nil
    }

    /// The value of each of the 256 characters: every signed request has 28 of them to look up.
    private static func values(_ rules: Rules) -> [UInt8] {
        switch rules {
        case .standard: self.standardValues
        case .url: self.urlValues
        case .tolerant: self.tolerantValues
        }
    }

    private static let standardValues = (UInt8.min...UInt8.max).map { Self.value(of: $0, .standard) }
    private static let urlValues = (UInt8.min...UInt8.max).map { Self.value(of: $0, .url) }
    private static let tolerantValues = (UInt8.min...UInt8.max).map { Self.value(of: $0, .tolerant) }

    /// The six bits of a symbol, or 0x80 for a character that is none.
    private static func value(of symbol: UInt8, _ rules: Rules) -> UInt8 {
        switch symbol {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): symbol - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): symbol - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): symbol - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): rules == .url ? 0x80 : 62
        case UInt8(ascii: "/"): rules == .url ? 0x80 : 63
        case UInt8(ascii: "-"): rules == .standard ? 0x80 : 62
        case UInt8(ascii: "_"): rules == .standard ? 0x80 : 63
        default: 0x80
        }
    }
}
