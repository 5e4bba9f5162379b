import Phrases

/// The languages a browser asks for, best first (RFC 9110 12.5.4).
struct LanguagePreference: Hashable, Sendable {
    /// The bytes of the header that count, and the language ranges in them.
    private static let bytes = 512
    private static let ranges = 16

    /// Lower-case tags; `*` is left out, since it asks for nothing in particular.
    let tags: [String]

    /// Reads `Accept-Language` leniently: a range that is malformed is skipped, and of a long header only the
    /// beginning counts.
    init(_ header: String?) {
        var ranges: [(tag: String, weight: Int)] = []
        for range in Self.elements(of: header ?? "").prefix(Self.ranges) {
            let parts = range.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(Self.trimmed)
            guard let tag = parts.first.flatMap(Self.tag) else { continue }
            // A range has one weight and nothing else.
            guard let weight = parts.count == 1 ? 1000 : parts.count == 2 ? Self.weight(parts[1]) : nil, weight > 0
            else { continue }
            ranges.append((tag, weight))
        }
        // Equal weights keep their order: the sort is by weight, then by place.
        self.tags = ranges.enumerated()
            .sorted { ($0.element.weight, $1.offset) > ($1.element.weight, $0.offset) }
            .map(\.element.tag)
    }

    /// The best of `available`, by shortening each wish until it fits (RFC 4647 3.4).
    func choose(from available: [String]) -> String? {
        for tag in self.tags {
            if let match = languageFitting(tag, among: available) { return match }
        }
        return nil
    }
}

extension LanguagePreference {
    private static func elements(of header: String) -> [ArraySlice<UInt8>] {
        let start = Array(header.utf8.prefix(self.bytes + 1))
        var elements = start.split(separator: UInt8(ascii: ","))
        // The last one may have been cut in two.
        if start.count > self.bytes { _ = elements.popLast() }
        return elements
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var rest = bytes.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
        return rest
    }

    /// A language range of letters, digits and hyphens, in lower case; `nil` for `*` and for anything else.
    private static func tag(_ bytes: ArraySlice<UInt8>) -> String? {
        guard (1...35).contains(bytes.count) else { return nil }
        var tag = ""
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): tag.unicodeScalars.append(Unicode.Scalar(byte | 0x20))
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                tag.unicodeScalars.append(Unicode.Scalar(byte))
            default: return nil
            }
        }
        return tag
    }

    /// The weight in thousandths: `q=`, then 0 to 1 with at most three decimals (RFC 9110 12.4.2).
    private static func weight(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard (3...7).contains(bytes.count), [0x51, 0x71].contains(bytes.first), bytes.dropFirst().first == 0x3D
        else { return nil }
        let number = bytes.dropFirst(2)
        guard let whole = number.first, [0x30, 0x31].contains(whole) else { return nil }
        let decimals = number.dropFirst(2)
        guard number.count == 1 || number.dropFirst().first == 0x2E,
            decimals.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        var thousandths = 0
        for place in 0..<3 {
            let digit = place < decimals.count ? Int(decimals[decimals.startIndex + place]) - 0x30 : 0
            thousandths = thousandths * 10 + digit
        }
        let weight = (whole == 0x31 ? 1000 : 0) + thousandths
        return weight <= 1000 ? weight : nil
    }
}
