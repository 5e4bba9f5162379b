/// Small pictures of every kind. They have no pixels, which only a browser would notice.
package enum SamplePicture {
    /// A PNG file.
    /// - Parameter more: bytes that stand at its end.
    package static func png(width: Int = 112, more: Int = 0) -> [UInt8] {
        let sides = Array("IHDR".utf8) + [0, 0, UInt8(width >> 8), UInt8(truncatingIfNeeded: width), 0, 0, 0, 33]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + sides
            + [UInt8](repeating: 0, count: more)
    }

    package static func webP() -> [UInt8] {
        Array("RIFF".utf8) + [14, 0, 0, 0] + Array("WEBPVP8L".utf8) + [0, 0, 0, 0]
    }

    /// An SVG drawing with `contents` in its root.
    package static func svg(_ contents: String = "") -> [UInt8] {
        Array(#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">\#(contents)</svg>"#.utf8)
    }
}
