import Clientless
import Cryptography

/// A picture that the server keeps and serves itself: one that pages can show, and that neither runs nor loads anything.
/// Its kind is what its bytes are, whatever it is called.
package struct Picture: Hashable, Sendable {
    package enum Kind: Hashable, Sendable, CaseIterable {
        case png, webP, svg
    }

    package let kind: Kind
    package let bytes: [UInt8]
    package let size: PictureSize
    /// Names the bytes in addresses.
    let digest: String

    /// - Parameter limit: the most bytes.
    /// - Throws: what keeps pages from showing it.
    package init(_ bytes: [UInt8], atMost limit: Int) throws(PictureFault) {
        guard bytes.count <= limit else { throw .tooLong(limit: limit) }
        if PNGFile.isOne(bytes) {
            self.kind = .png
            self.size = try PNGFile.size(of: bytes)
        } else if WebPFile.isOne(bytes) {
            self.kind = .webP
            self.size = try WebPFile.size(of: bytes)
        } else if SVGDrawing.mayBeOne(bytes) {
            self.kind = .svg
            self.size = try SVGDrawing.size(of: bytes)
        } else {
            throw .unknownKind
        }
        guard self.size.isShowable else { throw .tooLongASide(self.size) }
        self.bytes = bytes
        self.digest = Hex.encode(Digest.sha256(bytes).prefix(16))
    }

    package var contentType: String {
        switch self.kind {
        case .png: "image/png"
        case .webP: "image/webp"
        case .svg: "image/svg+xml"
        }
    }

    /// `.png` and the like.
    package var ending: String {
        switch self.kind {
        case .png: ".png"
        case .webP: ".webp"
        case .svg: ".svg"
        }
    }
}

/// How wide and how tall a picture is: in pixels, or for a drawing in units of its own.
package struct PictureSize: Hashable, Sendable {
    /// The longest side of a picture of pixels, and the most pixels: a phone unpacks them all.
    static let longestSide = 2048
    static let mostPixels = 1 << 20
    /// How many times longer one side may be than the other; of anything longer, a list shows a line.
    static let steepest = 16.0

    package let width: Double
    package let height: Double

    /// - Precondition: both are above 0.
    init(width: Double, height: Double) {
        precondition(width > 0 && height > 0, "a picture has two sides")
        self.width = width
        self.height = height
    }

    /// Of a picture of pixels.
    /// - Throws: when it has none, or more than phones should unpack.
    init(pixels width: Int, _ height: Int) throws(PictureFault) {
        guard width > 0, height > 0 else { throw .damaged }
        guard width <= Self.longestSide, height <= Self.longestSide, width * height <= Self.mostPixels
        else { throw .tooManyPixels }
        self.init(width: Double(width), height: Double(height))
    }

    /// Whether it wants more room beside a name than a square.
    package var isWide: Bool { self.width > 1.5 * self.height }

    var isShowable: Bool {
        self.width <= Self.steepest * self.height && self.height <= Self.steepest * self.width
    }
}
