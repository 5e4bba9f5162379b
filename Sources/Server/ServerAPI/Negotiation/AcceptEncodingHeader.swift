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
