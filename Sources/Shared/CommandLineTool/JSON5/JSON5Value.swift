import TextCoding

/// Any JSON5 value, so that one reader can look at all of it and report every fault.
package enum JSON5Value: Hashable, Sendable {
    case null
    case flag(Bool)
    /// Whole numbers are exact up to 2⁵³; no setting goes that far.
    case number(Double)
    case text(String)
    case list([JSON5Value])
    case object([String: JSON5Value])
}

extension JSON5Value: Decodable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .flag(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSON5Value].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSON5Value].self))
        }
    }
}

extension JSON5Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int) { self = .number(Double(value)) }
    package init(booleanLiteral value: Bool) { self = .flag(value) }
}

extension JSON5Value {
    /// The value on one line, as it may be written in a configuration.
    package var source: String {
        switch self {
        case .null: "null"
        case .flag(let value): value ? "true" : "false"
        case .number(let value):
            if let whole = Int(exactly: value) { "\(whole)" } else { "\(value)" }
        case .text(let value): JSONText.string(value)
        case .list(let values): "[" + values.map(\.source).joined(separator: ", ") + "]"
        case .object(let fields):
            if fields.isEmpty {
                "{}"
            } else {
                "{ "
                    + fields.sorted { $0.key < $1.key }.map { "\(Self.key($0.key)): \($0.value.source)" }
                    .joined(separator: ", ") + " }"
            }
        }
    }

    /// The value as a fault quotes it: on one line, and short.
    package var excerpt: String {
        let text = self.source
        return text.count <= 60 ? text : text.prefix(57) + "…"
    }

    /// A key as it may be written: bare where JSON5 allows it.
    package static func key(_ name: String) -> String {
        name.first?.isNumber == false && name.allSatisfy(\.isOfName) ? name : JSONText.string(name)
    }
}

extension Character {
    /// Whether it is a letter or a digit of ASCII, or '_'.
    var isOfName: Bool { self == "_" || self.isASCII && (self.isLetter || self.isNumber) }
}
