extension JSONValue {
    /// The value of a member of an object; `nil` if this is no object or has no such member.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    // These are `nil` for a value of another kind, and its members none.
    package var string: String? { if case .string(let string) = self { string } else { nil } }

    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    package var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }

    package var members: [Member] { if case .object(let members) = self { members } else { [] } }

    package var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

    /// The texts of an array of nothing else; `nil` for any other value.
    package var texts: [String]? {
        guard let values = self.array else { return nil }
        let texts = values.compactMap(\.string)
        return texts.count == values.count ? texts : nil
    }

    /// The time of a claim of a token (RFC 7519 2): seconds from 1970 to 9999; a fraction is dropped.
    package var moment: Timestamp? {
        switch self {
        case .integer(let seconds) where (0...253_402_300_799).contains(seconds): Timestamp(seconds: seconds)
        case .double(let seconds) where (0...253_402_300_799).contains(seconds): Timestamp(seconds: Int64(seconds))
        case .integer, .double, .string, .boolean, .null, .array, .object: nil
        }
    }

    /// A string, a number or a boolean as a text; `nil` for anything else.
    package var scalarText: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .double(let number): number.isFinite ? String(number) : nil
        case .boolean(let flag): flag ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}
