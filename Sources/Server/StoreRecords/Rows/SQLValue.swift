package import Clientless
package import Entitlement

/// A value bound to a parameter; nothing else ever reaches the text of a statement.
package enum SQLValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    package init(_ value: StoredValue) {
        switch value {
        case .null: self = .null
        case .integer(let integer): self = .integer(integer)
        case .text(let text): self = .text(text)
        case .blob(let bytes): self = .blob(bytes)
        }
    }

    package static func textIfAny(_ value: String?) -> SQLValue {
        if let value { .text(value) } else { .null }
    }

    package static func blobIfAny(_ value: [UInt8]?) -> SQLValue {
        if let value { .blob(value) } else { .null }
    }

    package static func time(_ moment: Timestamp) -> SQLValue { .integer(moment.milliseconds) }

    package static func timeIfAny(_ moment: Timestamp?) -> SQLValue {
        if let moment { .time(moment) } else { .null }
    }

    package static func flag(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }
}
