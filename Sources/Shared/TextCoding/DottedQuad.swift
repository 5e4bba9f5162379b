package enum DottedQuad {
    /// `192.0.2.1` of an address as a number.
    package static func text(of address: UInt32) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(15)
        for shift in [24, 16, 8, 0] as [UInt32] {
            let number = UInt8(truncatingIfNeeded: address >> shift)
            if shift < 24 { text.append(UInt8(ascii: ".")) }
            if number >= 100 { text.append(UInt8(ascii: "0") + number / 100) }
            if number >= 10 { text.append(UInt8(ascii: "0") + number / 10 % 10) }
            text.append(UInt8(ascii: "0") + number % 10)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
