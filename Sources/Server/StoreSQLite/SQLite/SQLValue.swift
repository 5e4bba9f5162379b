/// A value bound to a parameter; nothing else ever reaches the text of a statement.
enum SQLValue {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    static func textIfAny(_ value: String?) -> SQLValue {
        if let value { .text(value) } else { .null }
    }

    static func blobIfAny(_ value: [UInt8]?) -> SQLValue {
        if let value { .blob(value) } else { .null }
    }

    static func integerIfAny(_ value: Int64?) -> SQLValue {
        if let value { .integer(value) } else { .null }
    }
}
