/// A member of a flat JSON object of unknown make: read as what it is, whatever was expected.
enum JSONScalar: Decodable {
    case string(String)
    case integer(Int64)
    case double(Double)
    case boolean(Bool)
    case null
    /// An array or an object, which a flat object does not have.
    case other

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .boolean(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .double(number)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else {
            self = .other
        }
    }

    /// The value to write back; `nil` for what is not kept.
    var value: JSONValue? {
        switch self {
        case .string(let string): .string(string)
        case .integer(let number): .integer(number)
        case .double(let number): .double(number)
        case .boolean(let flag): .boolean(flag)
        case .null: .null
        case .other: nil
        }
    }
}
