import Cryptography

/// A picture that the server keeps and serves itself, for pages to show. Its kind is what its first bytes say. The
/// server looks no further into it: an address that serves it forbids it to run or load anything (``PageHeaders``).
package struct Picture: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case png
        case webP = "webp"
        case svg
    }

    package let kind: Kind
    package let bytes: [UInt8]
    /// Names the bytes in addresses.
    let digest: String

    /// - Parameter limit: the most bytes.
    /// - Throws: ``PictureFault`` if it is too long or of another kind.
    package init(_ bytes: [UInt8], atMost limit: Int) throws(PictureFault) {
        guard bytes.count <= limit else { throw .tooLong(limit: limit) }
        guard let kind = Self.kind(of: bytes) else { throw .unknownKind }
        self.kind = kind
        self.bytes = bytes
        self.digest = Hex.encode(Digest.sha256(bytes).prefix(16))
    }

    private static func kind(of bytes: [UInt8]) -> Kind? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return .webP }
        let isDrawing = String(validating: bytes, as: UTF8.self)?.contains("<svg") == true
        return isDrawing ? .svg : nil
    }

    package var contentType: String {
        switch self.kind {
        case .png: "image/png"
        case .webP: "image/webp"
        case .svg: "image/svg+xml"
        }
    }

    /// `.png` and the like.
    package var ending: String { "." + self.kind.rawValue }
}

/// Why no page can show a picture.
package enum PictureFault: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLong(limit: Int)
    case unknownKind

    package var description: String {
        switch self {
        case .tooLong(let limit): "it has more than \(limit) bytes"
        case .unknownKind: "it is neither PNG, WebP nor SVG"
        }
    }
}
