/// Why a text was not compressed.
package enum CompressionError: Error, Hashable, Sendable {
    /// It is longer than the encoder takes.
    case tooLong(limit: Int)
    /// zlib refused, with this code: `Z_MEM_ERROR` (-4) where there is no memory.
    case library(code: Int32)
}

extension CompressionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLong(let limit): "longer than \(limit) bytes"
        case .library(let code): "zlib refused (\(code))"
        }
    }
}
