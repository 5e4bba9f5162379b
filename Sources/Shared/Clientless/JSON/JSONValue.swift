import TextCoding

/// A JSON value to be written, whose objects keep the order of their members.
///
/// `JSONEncoder` does not keep it, and vectors, signatures and people who compare texts want the same text each time.
package indirect enum JSONValue: Hashable, Sendable {
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
    package var text: String {
        var text = ""
        self.write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .string(let string): text += JSONText.string(string)
        case .integer(let number): text += String(number)
        case .double(let number): text += number.isFinite ? String(number) : "null"
        case .boolean(let flag): text += flag ? "true" : "false"
        case .null: text += "null"
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                text += JSONText.string(member.name)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }
}
