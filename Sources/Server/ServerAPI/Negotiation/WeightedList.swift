/// A list of choices with weights, as `Accept`, `Accept-Encoding` and `Accept-Language` are (RFC 9110 12.4.2).
enum WeightedList {
    /// The choices in their order: in lower case, without the blanks around them, and with the weight in thousandths. A
    /// malformed one is left out.
    /// - Parameters:
    ///   - limit: the most members that are read.
    ///   - hasParameters: whether a choice may have parameters besides the weight, which are passed over.
    static func choices(
        in text: Substring, limit: Int, hasParameters: Bool = false
    ) -> [(name: String, weight: Int)] {
        let members = text.utf8.split(separator: UInt8(ascii: ","), maxSplits: limit).prefix(limit)
        return members.compactMap { member in
            let parts = member.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            guard let name = parts.first.map(self.word), !name.isEmpty, hasParameters || parts.count <= 2
            else { return nil }
            let parameters = parts.dropFirst().map(self.word)
            guard let parameter = parameters.first(where: { !hasParameters || $0.hasPrefix("q=") })
            else { return (name, 1000) }
            guard parameter.hasPrefix("q="), let weight = self.thousandths(parameter.utf8.dropFirst(2))
            else { return nil }
            return (name, weight)
        }
    }

    /// Without the blanks around it, in lower case.
    private static func word(_ bytes: Substring.UTF8View) -> String {
        let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let bytes = bytes.drop(while: isBlank)
        let end = bytes.lastIndex { !isBlank($0) }.map { bytes.index(after: $0) } ?? bytes.startIndex
        return String(decoding: bytes[..<end].map(\.lowercased), as: UTF8.self)
    }

    /// `0`, `1`, or either with up to three decimals, as thousandths.
    /// - Returns: `nil` for anything else.
    private static func thousandths(_ digits: some Collection<UInt8>) -> Int? {
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
