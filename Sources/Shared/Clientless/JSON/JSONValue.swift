import TextCoding

/// A JSON value to be written, whose objects keep the order of their members.
///
/// `JSONEncoder` does not keep it, and vectors, signatures and people who compare texts want the same text each time.
package enum JSONValue: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case double(Double)
    case boolean(Bool)
    case null
    case array([JSONValue])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: JSONValue

        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The value as JSON (RFC 8259) without white space. Numbers JSON cannot write, such as infinity, become null.
    package var text: String { String(decoding: self.bytes, as: UTF8.self) }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        self.append(to: &bytes)
        return bytes
    }

    package func append(to bytes: inout [UInt8]) {
        switch self {
        case .string(let string): JSONText.append(string, to: &bytes)
        case .integer(let number): bytes += String(number).utf8
        case .double(let number): bytes += (number.isFinite ? String(number) : "null").utf8
        case .boolean(let flag): bytes += (flag ? "true" : "false").utf8
        case .null: bytes += "null".utf8
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONText.append(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}

extension JSONValue {
    /// The value in lines as people and version control read it; a list of texts and numbers stays on one line.
    package var lines: String {
        var text = ""
        self.write(indent: "", to: &text)
        return text
    }

    private func write(indent: String, to text: inout String) {
        let (inner, names, values): (String, [String?], [JSONValue])
        switch self {
        case .object(let members) where !members.isEmpty:
            (inner, names, values) = ("{}", members.map(\.name), members.map(\.value))
        case .array(let elements) where elements.contains(where: \.isCompound):
            (inner, names, values) = ("[]", elements.map { _ in nil }, elements)
        case .object, .array, .string, .integer, .double, .boolean, .null:
            text += self.text
            return
        }
        text += inner.prefix(1)
        for (index, (name, value)) in zip(names, values).enumerated() {
            text += (index == 0 ? "\n" : ",\n") + indent + "  "
            if let name { text += JSONText.string(name) + ": " }
            value.write(indent: indent + "  ", to: &text)
        }
        text += "\n\(indent)" + inner.suffix(1)
    }

    private var isCompound: Bool {
        switch self {
        case .object, .array: true
        case .string, .integer, .double, .boolean, .null: false
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral text: String) { self = .string(text) }
    package init(integerLiteral number: Int64) { self = .integer(number) }
    package init(booleanLiteral flag: Bool) { self = .boolean(flag) }
    package init(arrayLiteral values: JSONValue...) { self = .array(values) }
    /// The members in the order in which they are written.
    package init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(members.map { Member($0.0, $0.1) })
    }
}

extension JSONValue {
    package static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    /// An object without the members that are `nil`.
    package static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { member in member.value.map { Member(member.key, $0) } })
    }
}
