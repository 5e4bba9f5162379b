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

    private enum Kind { case json, xml, html }

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
        for range in value.utf8.split(separator: UInt8(ascii: ","), maxSplits: 32).prefix(32) {
            guard let (kind, weight) = Self.read(range), weight > 0 else { continue }
            switch kind {
            case .json where weight > best?.weight ?? 0: best = (.json, weight)
            case .xml where weight > best?.weight ?? 0: best = (.xml, weight)
            case .json, .xml: break
            case .html where weight > html:
                html = weight
                htmlComesFirst = best.map { $0.weight < weight } ?? true
            case .html: break
            }
        }
        self.format = best?.format
        let rival = best?.weight ?? 0
        self.prefersHTML = html > rival || (html > 0 && html == rival && htmlComesFirst)
    }

    /// Reads one media range.
    /// - Returns: its kind, and its weight in thousandths; `nil` when it is none of the three, or its weight is
    ///   malformed.
    private static func read(_ range: some Collection<UInt8>) -> (Kind, weight: Int)? {
        let parts = range.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard let first = parts.first else { return nil }
        let kind: Kind
        switch self.lowercased(first) {
        case "application/json", "text/json": kind = .json
        case "application/xml", "text/xml": kind = .xml
        case "text/html", "application/xhtml+xml": kind = .html
        default: return nil
        }
        for parameter in parts.dropFirst() {
            let text = self.lowercased(parameter)
            guard text.hasPrefix("q=") else { continue }
            guard let weight = QualityValue.thousandths(text.dropFirst(2).utf8) else { return nil }
            return (kind, weight)
        }
        return (kind, 1000)
    }

    private static func lowercased(_ bytes: some Sequence<UInt8>) -> String {
        var result: [UInt8] = []
        for byte in bytes where byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") {
            result.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
        }
        return String(decoding: result, as: UTF8.self)
    }
}
