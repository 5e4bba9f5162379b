package import Clientless

/// JSON that strangers wrote: bounded in bytes, depth and number of values, and without a name that stands twice.
package enum ForeignJSON {
    /// The deepest document that is read. Claims of one address in one list are four deep.
    package static let depth = 16
    /// The most values one document may have. A key set of 64 keys has some 500.
    package static let count = 4_096

    /// - Returns: `nil` for anything but one object or array within the bounds.
    package static func read(_ bytes: [UInt8], limit: Int) -> JSONValue? {
        guard bytes.count <= limit else { return nil }
        return JSONHandle.read(bytes)?.value(depth: self.depth, count: self.count)
    }

    /// The same for a document that must be an object.
    package static func object(_ bytes: [UInt8], limit: Int) -> JSONValue? {
        guard let value = self.read(bytes, limit: limit), case .object = value else { return nil }
        return value
    }
}
