package import Clientless
package import Entitlement

/// A value bound to a parameter; nothing else ever reaches the text of a statement.
package typealias SQLValue = StoredValue

extension SQLValue {
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
