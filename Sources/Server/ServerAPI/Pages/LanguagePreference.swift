/// The languages a browser asks for, best first (RFC 9110 12.5.4).
struct LanguagePreference: Hashable, Sendable {
    /// Lower-case tags; `*` is left out, since it asks for nothing in particular.
    let tags: [String]

    /// Reads `Accept-Language` leniently; of a long header only the beginning counts.
    init(_ header: String?) {
        var ranges: [(tag: String, weight: Double)] = []
        for range in (header ?? "").prefix(512).split(separator: ",").prefix(16) {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let tag = parts.first?.lowercased(), !tag.isEmpty, tag != "*" else { continue }
            var weight = 1.0
            for parameter in parts.dropFirst() where parameter.hasPrefix("q=") {
                weight = Double(parameter.dropFirst(2)) ?? 0
            }
            if weight > 0 { ranges.append((tag, weight)) }
        }
        // Equal weights keep their order: the sort is by weight, then by place.
        self.tags = ranges.enumerated()
            .sorted { ($0.element.weight, $1.offset) > ($1.element.weight, $0.offset) }
            .map(\.element.tag)
    }

    /// The best of `available`, by shortening each wish until it fits (RFC 4647 3.4).
    func choose(from available: [String]) -> String? {
        for tag in self.tags {
            var subtags = tag.split(separator: "-")
            while !subtags.isEmpty {
                let wish = subtags.joined(separator: "-")
                if let match = available.first(where: { $0.lowercased() == wish }) { return match }
                subtags.removeLast()
            }
        }
        return nil
    }
}
