import HTTPServer

/// The preferences of an `Accept` header about the three forms this server can send, with its q-values (RFC 9110
/// 12.5.1).
///
/// Only JSON, XML and HTML types are read; ranges with `*` express no preference (rest-v1 3.5). When two types weigh
/// the same, the one named first wins.
package struct AcceptHeader: Hashable, Sendable {
    /// The form preferred among JSON and XML, if either is named with a weight above zero.
    package let format: WireFormat?
    /// Whether HTML is named and nothing of JSON and XML weighs as much before it.
    package let prefersHTML: Bool

    /// The headers that boxes send, known without reading.
    private static let common: [(value: String, header: AcceptHeader)] = [
        ("application/json", AcceptHeader(format: .json)), ("application/xml", AcceptHeader(format: .xml)),
        ("*/*", AcceptHeader(format: nil)), ("application/json, text/plain, */*", AcceptHeader(format: .json)),
    ]

    private init(format: WireFormat?) {
        self.format = format
        self.prefersHTML = false
    }

    /// The header of a request; `nil` without one.
    init?(of headers: HTTPHeaders) {
        let known = Self.common.first { headers.has("Accept", $0.value) }?.header
        guard let header = known ?? headers["Accept"].map({ AcceptHeader($0) }) else { return nil }
        self = header
    }

    /// - Parameter value: the header's value; of an absurdly long one only the first 32 ranges are read.
    package init(_ value: String) {
        var best: (format: WireFormat, weight: Int)?
        var html = 0
        var htmlComesFirst = false
        let ranges = WeightedList.choices(in: value[...], limit: 32, hasParameters: true)
        for (type, weight) in ranges where weight > 0 {
            switch type {
            case "application/json", "text/json": if weight > best?.weight ?? 0 { best = (.json, weight) }
            case "application/xml", "text/xml": if weight > best?.weight ?? 0 { best = (.xml, weight) }
            case "text/html", "application/xhtml+xml":
                guard weight > html else { continue }
                html = weight
                htmlComesFirst = best.map { $0.weight < weight } ?? true
            default: continue
            }
        }
        self.format = best?.format
        let rival = best?.weight ?? 0
        self.prefersHTML = html > rival || (html > 0 && html == rival && htmlComesFirst)
    }
}
