/// The chunks of a WebP file (RFC 9649), as far as it takes to know that a browser shows it. Nothing is unpacked.
enum WebPFile {
    static func isOne(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 12 && bytes[0..<4].elementsEqual("RIFF".utf8) && bytes[8..<12].elementsEqual("WEBP".utf8)
    }

    /// - Throws: for a file that is cut, moves, or goes on behind its end.
    static func size(of bytes: [UInt8]) throws(PictureFault) -> PictureSize {
        guard self.number(bytes[4..<8]) == bytes.count - 8 else { throw .damaged }
        var place = 12
        var canvas: PictureSize?
        var picture: PictureSize?
        while place < bytes.count {
            // Name and length.
            guard bytes.count - place >= 8 else { throw .damaged }
            let name = String(decoding: bytes[place..<place + 4], as: UTF8.self)
            let length = self.number(bytes[place + 4..<place + 8])
            // A chunk of odd length is followed by one byte more (2.3).
            guard length + length % 2 <= bytes.count - place - 8 else { throw .damaged }
            let contents = Array(bytes[place + 8..<place + 8 + length])
            let isFirst = place == 12
            place += 8 + length + length % 2
            if name == "ANIM" || name == "ANMF" { throw .moves }
            if name == "VP8X" {
                guard isFirst else { throw .damaged }
                canvas = try self.canvas(contents)
            } else if name == "VP8 " || name == "VP8L" {
                // One picture; what stands beside it needs a canvas (2.5 to 2.7).
                guard picture == nil else { throw .damaged }
                picture = try name == "VP8L" ? self.lossless(contents) : self.lossy(contents)
            } else if canvas == nil {
                throw .damaged
            }
        }
        guard let picture, canvas == nil || canvas == picture else { throw .damaged }
        return picture
    }

    private static func canvas(_ contents: [UInt8]) throws(PictureFault) -> PictureSize {
        guard contents.count == 10 else { throw .damaged }
        guard contents[0] & 0x02 == 0 else { throw .moves }
        return try PictureSize(
            pixels: self.number(contents[4..<7]) + 1, self.number(contents[7..<10]) + 1)
    }

    /// A key frame of VP8 (RFC 6386 9.1).
    private static func lossy(_ contents: [UInt8]) throws(PictureFault) -> PictureSize {
        guard contents.count > 10, contents[0] & 1 == 0, contents[3..<6].elementsEqual([0x9D, 0x01, 0x2A])
        else { throw .damaged }
        return try PictureSize(
            pixels: self.number(contents[6..<8]) & 0x3FFF, self.number(contents[8..<10]) & 0x3FFF)
    }

    /// The header of the lossless format (3.4).
    private static func lossless(_ contents: [UInt8]) throws(PictureFault) -> PictureSize {
        guard contents.count > 5, contents[0] == 0x2F else { throw .damaged }
        let bits = self.number(contents[1..<5])
        guard bits >> 29 == 0 else { throw .damaged }
        return try PictureSize(pixels: (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    }

    /// At most four bytes, the lowest first.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
