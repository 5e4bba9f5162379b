import Clientless
import HTTPServer
import TextCoding

/// The two forms an answer can take (rest-v1 3.5).
package enum WireFormat: Hashable, Sendable {
    case json
    case xml

    package var contentType: String {
        switch self {
        case .json: "application/json;charset=utf-8"
        case .xml: "application/xml;charset=utf-8"
        }
    }

    var shape: ShapeForm {
        switch self {
        case .json: .json
        case .xml: .xml
        }
    }

    /// Reads a path suffix or the value of `format`.
    /// - Returns: `nil` for anything but `json` and `xml`, in any case; an unknown value counts as absent.
    package init?(name: some StringProtocol) {
        switch name.utf8.count {
        case 4 where name.utf8.elementsEqual("json".utf8, by: Self.equalIgnoringCase): self = .json
        case 3 where name.utf8.elementsEqual("xml".utf8, by: Self.equalIgnoringCase): self = .xml
        default: return nil
        }
    }

    private static func equalIgnoringCase(_ left: UInt8, _ right: UInt8) -> Bool { left | 0x20 == right }
}

/// The form one answer takes, and who said so: suffix, then `format`, then `Accept`, then XML (rest-v1 3.5).
package struct FormatPreference: Hashable, Sendable {
    package enum Source: Hashable, Sendable { case suffix, parameter, accept, fallback }

    package let format: WireFormat
    package let source: Source
    /// `Accept` itself asks for JSON, whatever decided; an empty answer is then `{}` (rest-v1 14.1).
    package let acceptNamesJSON: Bool
    /// Neither suffix nor `format` was given and `Accept` asks for HTML first: a person is reading (rest-v1 13.1).
    package let isForPeople: Bool

    /// - Parameters:
    ///   - suffix: what the path ended in.
    ///   - parameter: the value of `format`; an unknown one is ignored. Not asked for when the suffix has decided.
    ///   - header: the `Accept` header.
    package init(suffix: WireFormat?, parameter: @autoclosure () -> String?, accept header: AcceptHeader?) {
        let named = suffix == nil ? parameter().flatMap { WireFormat(name: $0) } : nil
        if let suffix {
            (self.format, self.source) = (suffix, .suffix)
        } else if let named {
            (self.format, self.source) = (named, .parameter)
        } else if let asked = header?.format {
            (self.format, self.source) = (asked, .accept)
        } else {
            (self.format, self.source) = (.xml, .fallback)
        }
        self.acceptNamesJSON = self.format == .json && header?.format == .json
        self.isForPeople = suffix == nil && named == nil && header?.prefersHTML ?? false
    }

    /// Whether the call names no form, so that an answer may be a page.
    package var nothingWasAsked: Bool { self.source == .fallback || self.isForPeople }
}

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
        guard let value = headers.bytes("Accept") else { return nil }
        let known = Self.common.first { known in
            let text = known.value.utf8
            return text.span.elementsEqual(value.span)
        }
        self = known?.header ?? AcceptHeader(String(decoding: value, as: UTF8.self))
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
