extension JSONValue: Decodable {
    /// Reads any JSON value. A decoder does not tell the order of members; they come sorted by name.
    package init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: AnyName.self) {
            let names = container.allKeys.sorted { $0.stringValue < $1.stringValue }
            self = .object(
                try names.map { Member($0.stringValue, try container.decode(JSONValue.self, forKey: $0)) })
            return
        }
        if var container = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            while !container.isAtEnd { values.append(try container.decode(JSONValue.self)) }
            self = .array(values)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .boolean(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .double(number)
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    private struct AnyName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension JSONValue {
    /// The value of a member of an object; `nil` if this is no object or has no such member.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The text of a string; `nil` for any other value.
    package var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The number of an integer; `nil` for any other value.
    package var integer: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    /// The value of a boolean; `nil` for any other value.
    package var boolean: Bool? {
        if case .boolean(let flag) = self { flag } else { nil }
    }

    /// The members of an object; none of any other value.
    package var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    /// The values of an array; `nil` for any other value.
    package var array: [JSONValue]? {
        if case .array(let values) = self { values } else { nil }
    }
}
