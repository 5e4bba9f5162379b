/// A QR code symbol (ISO/IEC 18004) as a square of dark and light modules, without its quiet zone.
package struct QRCode: Hashable, Sendable {
    /// How much of the symbol may be covered or blurred: about 7, 15, 25 and 30 %. The numbers are libqrencode's.
    package enum ErrorCorrection: UInt32, CaseIterable, Sendable {
        case low, medium, quartile, high
    }

    /// The text cannot be encoded.
    package enum EncodingError: Error, Hashable, CustomStringConvertible {
        case empty, tooLong, noMemory

        package var description: String {
            switch self {
            case .empty: "there is nothing to encode"
            case .tooLong: "the text is too long for a QR code"
            case .noMemory: "not enough memory for a QR code"
            }
        }
    }

    /// Modules on each side, 21 to 177.
    package let size: Int
    private let modules: [Bool]

    /// Encodes `text` in the smallest symbol that takes it.
    package init(_ text: String, errorCorrection: ErrorCorrection = .medium) throws(EncodingError) {
        let symbol = try EncodedSymbol(text, errorCorrection)
        self.size = symbol.size
        self.modules = symbol.modules
    }

    /// Encodes `text` in the smallest symbol that takes it, with the most error correction that makes it no larger.
    package init(smallest text: String) throws(EncodingError) {
        var code = try QRCode(text, errorCorrection: .low)
        for correction in ErrorCorrection.allCases.dropFirst() {
            guard let better = try? QRCode(text, errorCorrection: correction), better.size == code.size else { break }
            code = better
        }
        self = code
    }

    /// Whether a module is dark. Outside the symbol everything is light.
    package func isDark(row: Int, column: Int) -> Bool {
        guard (0..<self.size).contains(row), (0..<self.size).contains(column) else { return false }
        return self.modules[row * self.size + column]
    }
}
