/// A list of choices with weights, as `Accept`, `Accept-Encoding` and `Accept-Language` are (RFC 9110 12.4.2).
enum WeightedList {
    /// The choices in their order: in lower case, without the blanks around them, and with the weight in thousandths. A
    /// malformed one is left out.
    /// - Parameters:
    ///   - limit: the most members that are read.
    ///   - hasParameters: whether a choice may have parameters besides the weight, which are passed over.
    static func choices(in text: Substring, limit: Int, hasParameters: Bool = false) -> [(name: String, weight: Int)] {
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

/// The preferences of an `Accept-Encoding` header about the two codings that an answer can be sent in, gzip and none
/// (RFC 9110 12.5.3).
///
/// A caller without the header gets no coding: RFC 9110 allows any, but old boxes that send none read none.
package struct AcceptEncodingHeader: Hashable, Sendable {
    package enum Wish: Hashable, Sendable {
        case plain
        /// gzip, where it makes the answer smaller.
        case smaller
        /// gzip even where it makes the answer longer: the caller refuses `identity`.
        case gzip
    }

    package let wish: Wish

    /// How many codings are read.
    private static let maximumMembers = 32

    /// - Parameter values: of every field of the name, which count as one list; empty without one. A malformed member is
    ///   passed over; of a coding that is named twice the first counts.
    package init(_ values: [String]) {
        var gzip: Int?
        var identity: Int?
        var others: Int?
        let fields = values.joined(separator: ",")
        for (coding, weight) in WeightedList.choices(in: fields[...], limit: Self.maximumMembers) {
            switch coding {
            // "A recipient SHOULD consider 'x-gzip' to be equivalent to 'gzip'" (RFC 9110 8.4.1.3).
            case "gzip", "x-gzip": gzip = gzip ?? weight
            case "identity": identity = identity ?? weight
            case "*": others = others ?? weight
            default: break
            }
        }
        let weight = gzip ?? others ?? 0
        // Acceptable without being named, but then not preferred to anything that is.
        let plain = identity ?? others
        self.wish =
            if weight == 0 { .plain } else if plain == 0 { .gzip } else if let plain, plain > weight { .plain } else {
                .smaller
            }
    }
}
