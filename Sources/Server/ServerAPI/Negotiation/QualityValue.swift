/// The weight that a caller gives to one of several choices (RFC 9110 12.4.2).
enum QualityValue {
    /// `0`, `1`, or either with up to three decimals, as thousandths.
    /// - Returns: `nil` for anything else.
    static func thousandths(_ digits: some Collection<UInt8>) -> Int? {
        guard let lead = digits.first, lead == UInt8(ascii: "0") || lead == UInt8(ascii: "1") else { return nil }
        var weight = lead == UInt8(ascii: "1") ? 1000 : 0
        let rest = digits.dropFirst()
        guard let point = rest.first else { return weight }
        guard point == UInt8(ascii: "."), rest.count <= 4 else { return nil }
        var place = 100
        for digit in rest.dropFirst() {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            weight += Int(digit - UInt8(ascii: "0")) * place
            place /= 10
        }
        return weight <= 1000 ? weight : nil
    }
}
