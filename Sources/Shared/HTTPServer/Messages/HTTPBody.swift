/// The body of an answer. It is sent whole, with its length.
package enum HTTPBody: Sendable {
    case empty
    case bytes([UInt8])
    case text(String)

    /// Length in bytes.
    package var count: Int {
        switch self {
        case .empty: 0
        case .bytes(let bytes): bytes.count
        case .text(let text): text.utf8.count
        }
    }

    package var bytes: [UInt8] {
        switch self {
        case .empty: []
        case .bytes(let bytes): bytes
        case .text(let text): Array(text.utf8)
        }
    }
}
