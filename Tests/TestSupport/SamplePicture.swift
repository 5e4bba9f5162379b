/// Small pictures of every kind, whose headers a test may choose. They have no pixels, which only a browser would notice.
package enum SamplePicture {
    /// A chunk of a PNG file.
    package struct Chunk: Sendable {
        let name: String
        let contents: [UInt8]

        package init(_ name: String, _ contents: [UInt8]) {
            self.name = name
            self.contents = contents
        }
    }

    /// A PNG file.
    package static func png(width: Int = 112, height: Int = 33, more: [Chunk] = []) -> [UInt8] {
        let rest: [UInt8] = [8, 2, 0, 0, 0]
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        bytes += self.chunk("IHDR", self.number(width) + self.number(height) + rest)
        for chunk in more { bytes += self.chunk(chunk.name, chunk.contents) }
        bytes += self.chunk("IDAT", [0x78, 0x01])
        bytes += self.chunk("IEND", [])
        return bytes
    }

    private static func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
        let covered = Array(name.utf8) + contents
        return self.number(contents.count) + covered + self.number(Int(self.checksum(covered)))
    }

    /// Four bytes, the highest first.
    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value = UInt32.max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
        }
        return ~value
    }

    /// A WebP file in the lossless format; with a canvas when it has `flags`.
    package static func webP(width: Int = 112, height: Int = 33, flags: UInt8? = nil) -> [UInt8] {
        var contents = Array("WEBP".utf8)
        if let flags {
            let start: [UInt8] = [flags, 0, 0, 0]
            contents += self.part("VP8X", start + self.low(width - 1, 3) + self.low(height - 1, 3))
        }
        let (mark, pixels): ([UInt8], [UInt8]) = ([0x2F], [0, 0, 0])
        let sides = (width - 1) | ((height - 1) << 14)
        contents += self.part("VP8L", mark + self.low(sides, 4) + pixels)
        return self.riff(contents)
    }

    /// A WebP file in the format with losses.
    package static func lossyWebP(width: Int, height: Int) -> [UInt8] {
        let (frame, pixels): ([UInt8], [UInt8]) = ([0x10, 0, 0, 0x9D, 0x01, 0x2A], [0, 0])
        let sides = self.low(width, 2) + self.low(height, 2)
        return self.riff(Array("WEBP".utf8) + self.part("VP8 ", frame + sides + pixels))
    }

    private static func riff(_ contents: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + self.low(contents.count, 4) + contents
    }

    private static func part(_ name: String, _ contents: [UInt8]) -> [UInt8] {
        let padding: [UInt8] = contents.count % 2 == 1 ? [0] : []
        return Array(name.utf8) + self.low(contents.count, 4) + contents + padding
    }

    /// So many bytes, the lowest first.
    private static func low(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// An SVG drawing with `contents` in its root.
    package static func svg(_ contents: String = "", attributes: String = #"viewBox="0 0 20 10""#) -> [UInt8] {
        Array(#"<svg xmlns="http://www.w3.org/2000/svg" \#(attributes)>\#(contents)</svg>"#.utf8)
    }
}
