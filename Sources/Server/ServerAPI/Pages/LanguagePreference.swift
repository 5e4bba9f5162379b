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
        var start = (header ?? "")[...]
        if start.utf8.count > Self.bytes {
            // The last one may have been cut in two.
            let beginning = start.utf8.prefix(Self.bytes + 1)
            start = start[..<(beginning.lastIndex(of: UInt8(ascii: ",")) ?? beginning.startIndex)]
        }
        let ranges = WeightedList.choices(in: start, limit: Self.ranges).filter { Self.isTag($0.name) && $0.weight > 0 }
        // Equal weights keep their order: the sort is by weight, then by place.
        self.tags = ranges.enumerated()
            .sorted { ($0.element.weight, $1.offset) > ($1.element.weight, $0.offset) }
            .map(\.element.name)
    }

    /// The best of `available`, by shortening each wish until it fits (RFC 4647 3.4).
    func choose(from available: [String]) -> String? {
        for tag in self.tags {
            if let match = languageFitting(tag, among: available) { return match }
        }
        return nil
    }

    /// Whether it is a language range of letters, digits and hyphens; `*` is none.
    private static func isTag(_ name: String) -> Bool {
        name.utf8.count <= 35 && name.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
    }
}
