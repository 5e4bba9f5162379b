/// The preferences of an `Accept-Encoding` header about the two codings that an answer can be sent in, gzip and none
/// (RFC 9110 12.5.3).
///
/// A caller without the header gets no coding: RFC 9110 allows any, but old boxes that send none read none.
package struct AcceptEncodingHeader: Hashable, Sendable {
    package enum Wish: Hashable, Sendable {
        /// No coding.
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
        let members = values.lazy.flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
        for member in members.prefix(Self.maximumMembers) {
            guard let (coding, weight) = Self.read(member) else { continue }
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

    /// - Returns: the coding in lower case and its weight in thousandths; `nil` for a malformed member.
    private static func read(_ member: Substring.UTF8View) -> (coding: String, weight: Int)? {
        let parts = member.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard let coding = parts.first.map(self.word), !coding.isEmpty, parts.count <= 2 else { return nil }
        guard parts.count == 2 else { return (coding, 1000) }
        let parameter = self.word(parts[1])
        guard parameter.hasPrefix("q="), let weight = QualityValue.thousandths(parameter.dropFirst(2).utf8)
        else { return nil }
        return (coding, weight)
    }

    /// Without the blanks around it, in lower case.
    private static func word(_ bytes: Substring.UTF8View) -> String {
        let bytes = bytes.drop(while: self.isBlank)
        let end = bytes.lastIndex { !self.isBlank($0) }.map { bytes.index(after: $0) } ?? bytes.startIndex
        return String(
            decoding: bytes[..<end].map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 },
            as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
