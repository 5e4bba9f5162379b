/// The distinguished encoding of ASN.1 (X.690), as far as keys and certificates need it.
enum DER {
    /// A value behind its tag and length.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            switch count {
            case ..<0x80: [UInt8(count)]
            case ..<0x100: [0x81, UInt8(count)]
            default: [0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
            }
        return [tag] + length + content
    }

    /// The shortest INTEGER of a number without a sign; a leading zero keeps the sign bit clear.
    static func integer(_ number: some Collection<UInt8>) -> [UInt8] {
        var digits = Array(number.drop { $0 == 0 })
        if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
        return self.element(0x02, digits)
    }
}
