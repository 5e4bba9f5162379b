import FoundationEssentials

/// Any JSON, for configurations, events of the box program and the browser's driver.
package enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    /// Reads JSON, or JSON5 with its comments.
    package init(parsing text: some StringProtocol) throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        self = try decoder.decode(JSON.self, from: Data(text.utf8))
    }

    /// JSON without line ends, keys sorted.
    package func encoded() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    package var text: String? { if case .text(let text) = self { text } else { nil } }

    package var number: Double? { if case .number(let number) = self { number } else { nil } }

    package var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

    package var list: [JSON] { if case .list(let list) = self { list } else { [] } }

    /// A member of an object; absent for everything else. Setting makes objects on the way; `nil` removes.
    package subscript(key: String) -> JSON? {
        get {
            if case .object(let members) = self { members[key] } else { nil }
        }
        set {
            var members: [String: JSON] = [:]
            if case .object(let existing) = self { members = existing }
            members[key] = newValue
            self = .object(members)
        }
    }
}

extension JSON: Codable {
    private struct MemberName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    package init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: MemberName.self) {
            var members: [String: JSON] = [:]
            for key in container.allKeys { members[key.stringValue] = try container.decode(JSON.self, forKey: key) }
            self = .object(members)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .list(try container.decode([JSON].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: MemberName.self)
            for (key, value) in members { try container.encode(value, forKey: MemberName(stringValue: key)) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let bool):
            var container = encoder.singleValueContainer()
            try container.encode(bool)
        case .number(let number):
            var container = encoder.singleValueContainer()
            if let whole = Int64(exactly: number) { try container.encode(whole) } else { try container.encode(number) }
        case .text(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        case .list(let list):
            var container = encoder.singleValueContainer()
            try container.encode(list)
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int) { self = .number(Double(value)) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSON...) { self = .list(elements) }
    package typealias Key = String
    package typealias Value = JSON
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
