/// The chunks of a PNG file (ISO/IEC 15948), as far as it takes to know that a browser shows it. Nothing is unpacked.
enum PNGFile {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: self.signature) }

    /// - Throws: for a file that is cut, changed, moves, or goes on behind its end.
    static func size(of bytes: [UInt8]) throws(PictureFault) -> PictureSize {
        var place = self.signature.count
        var header: Header?
        var (hasPalette, hasPixels) = (false, false)
        while true {
            let chunk = try Chunk(bytes, at: place)
            place = chunk.end
            // The first is the header, and there is one (5.6).
            guard let known = header else {
                guard chunk.name == "IHDR" else { throw .damaged }
                header = try Header(bytes[chunk.contents])
                continue
            }
            if chunk.name == "IHDR" { throw .damaged }
            if chunk.name == "acTL" { throw .moves }
            if chunk.name == "PLTE" { hasPalette = true }
            if chunk.name == "IDAT" { hasPixels = true }
            guard chunk.name == "IEND" else { continue }
            guard place == bytes.count, hasPixels, hasPalette || !known.needsPalette else { throw .damaged }
            return known.size
        }
    }

    /// A chunk whose checksum is right (5.3).
    private struct Chunk {
        let name: String
        let contents: Range<Int>
        let end: Int

        init(_ bytes: [UInt8], at place: Int) throws(PictureFault) {
            // Length, name and checksum.
            guard bytes.count - place >= 12 else { throw .damaged }
            let length = Int(PNGFile.number(bytes[place..<place + 4]))
            guard length <= bytes.count - place - 12 else { throw .damaged }
            self.contents = place + 8..<place + 8 + length
            self.end = place + 12 + length
            let covered = bytes[place + 4..<self.contents.upperBound]
            guard PNGFile.checksum(of: covered) == PNGFile.number(bytes[self.contents.upperBound..<self.end])
            else { throw .damaged }
            self.name = String(decoding: covered.prefix(4), as: UTF8.self)
        }
    }

    private struct Header {
        let size: PictureSize
        let needsPalette: Bool

        /// Which numbers of bits go with each type of colour (11.2.1).
        private static let depths: [UInt8: Set<UInt8>] = [
            0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
        ]

        init(_ contents: ArraySlice<UInt8>) throws(PictureFault) {
            let fields = Array(contents)
            guard fields.count == 13, Self.depths[fields[9]]?.contains(fields[8]) == true, fields[10] == 0,
                fields[11] == 0, fields[12] <= 1
            else { throw .damaged }
            self.size = try PictureSize(
                pixels: Int(PNGFile.number(fields[0..<4])), Int(PNGFile.number(fields[4..<8])))
            self.needsPalette = fields[9] == 3
        }
    }

    /// Four bytes, the highest first.
    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The remainders of single bytes (annex D).
    private static let remainders: [UInt32] = (0..<256).map { (byte: UInt32) -> UInt32 in
        var value = byte
        for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
        return value
    }

    private static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
        let remainders = self.remainders
        var value = UInt32.max
        for byte in bytes { value = remainders[Int((value ^ UInt32(byte)) & 0xFF)] ^ (value >> 8) }
        return ~value
    }
}
