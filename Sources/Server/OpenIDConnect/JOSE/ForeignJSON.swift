package import Clientless

/// JSON that strangers wrote: bounded in bytes, depth and number of values, and without a name that stands twice.
package enum ForeignJSON {
    /// The most values one document may have. A key set of 64 keys has some 500.
    package static let count = 4_096

    /// - Returns: `nil` for anything but one object within the bounds.
    package static func object(_ bytes: [UInt8], limit: Int) -> JSONValue? {
        guard bytes.count <= limit, let value = JSONValue(reading: bytes, count: self.count), case .object = value
        else { return nil }
        return value
    }
}
