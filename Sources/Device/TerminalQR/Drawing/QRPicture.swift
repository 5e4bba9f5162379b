import FoundationEssentials

/// A QR code as a picture in black and white, quiet zone included.
package struct QRPicture: Hashable, Sendable {
    /// Pixels on each side of a module.
    package static let scales = 1...32

    package let size: Int
    private let code: QRCode
    private let scale: Int

    /// - Parameter scale: pixels on each side of a module; brought to ``scales``.
    package init(_ code: QRCode, scale: Int) {
        self.code = code
        self.scale = min(max(scale, Self.scales.lowerBound), Self.scales.upperBound)
        self.size = (code.size + 2 * QRDrawing.quietZone) * self.scale
    }

    /// The PNG of a text's smallest QR code as an address that holds it, for a program that enlarges the picture itself;
    /// `nil` if the text is too long.
    package static func dataURL(of text: String) -> String? {
        (try? QRCode(smallest: text)).map { QRPicture($0, scale: 4).dataURL }
    }

    private func isDark(row: Int, column: Int) -> Bool {
        guard row < self.size else { return false }
        return self.code.isDark(
            row: row / self.scale - QRDrawing.quietZone, column: column / self.scale - QRDrawing.quietZone)
    }

    /// As a PNG file: grey, one bit a pixel (PNG 11.2.2). Its data is not compressed (RFC 1950 with stored blocks):
    /// a code for a screen has a few kilobytes, and no library is worth them.
    package var png: [UInt8] {
        let side = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self.size >> $0) }
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += pngChunk("IHDR", side + side + [1, 0, 0, 0, 0])
        file += pngChunk("IDAT", storedZlib(self.rows))
        file += pngChunk("IEND", [])
        return file
    }

    /// Each row begins with its filter, which is none; a set bit is white.
    private var rows: [UInt8] {
        var bytes: [UInt8] = []
        for row in 0..<self.size {
            bytes.append(0)
            for first in stride(from: 0, to: self.size, by: 8) {
                bytes.append(
                    (0..<8).reduce(0) { byte, bit in
                        let isLight = first + bit < self.size && !self.isDark(row: row, column: first + bit)
                        return byte << 1 | (isLight ? 1 : 0)
                    })
            }
        }
        return bytes
    }

    /// The PNG as an address that holds it (RFC 2397).
    package var dataURL: String { "data:image/png;base64,\(Data(self.png).base64EncodedString())" }

    /// As sixels (VT330/VT340 Programmer Reference Manual 14): bands of six rows, once in white and once in black.
    package var sixel: String {
        var text = "\u{1B}P0;1q\"1;1;\(self.size);\(self.size)#0;2;100;100;100#1;2;0;0;0"
        for top in stride(from: 0, to: self.size, by: 6) {
            text += "#0" + self.sixels(top: top, areDark: false) + "$#1" + self.sixels(top: top, areDark: true) + "-"
        }
        return text + "\u{1B}\\"
    }

    private func sixels(top: Int, areDark: Bool) -> String {
        var text = ""
        var column = 0
        while column < self.size {
            // Every pixel of a module's column is the same.
            let width = self.scale - column % self.scale
            let bits = (0..<6).reduce(UInt8(0)) { bits, row in
                let isHere = top + row < self.size && self.isDark(row: top + row, column: column) == areDark
                return bits | (isHere ? 1 << row : 0)
            }
            text += "!\(width)\(Character(UnicodeScalar(63 + bits)))"
            column += width
        }
        return text
    }

    /// For the kitty graphics protocol: the PNG in pieces of at most 4,096 bytes. The cursor stays where it is, and the
    /// terminal answers nothing.
    package var kitty: String {
        var rest = Data(self.png).base64EncodedString()[...]
        var text = ""
        var control = "a=T,f=100,C=1,q=2,"
        while !rest.isEmpty {
            let piece = rest.prefix(4096)
            rest = rest.dropFirst(4096)
            text += "\u{1B}_G\(control)m=\(rest.isEmpty ? 0 : 1);\(piece)\u{1B}\\"
            control = ""
        }
        return text
    }
}

/// A chunk with its length and check (PNG 5.3).
private func pngChunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    var check = UInt32.max
    for byte in body {
        check ^= UInt32(byte)
        for _ in 0..<8 { check = check & 1 == 1 ? check >> 1 ^ 0xEDB8_8320 : check >> 1 }
    }
    return bigEndian(UInt32(data.count)) + body + bigEndian(~check)
}

/// Bytes in the format of zlib, in blocks that are not compressed (RFC 1950 2.2, RFC 1951 3.2.4).
private func storedZlib(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
        let block = rest.prefix(65_535)
        rest = rest.dropFirst(65_535)
        let length = UInt16(block.count)
        stream.append(rest.isEmpty ? 1 : 0)
        for half in [length, ~length] {
            stream += [UInt8(truncatingIfNeeded: half), UInt8(truncatingIfNeeded: half >> 8)]
        }
        stream += block
    } while !rest.isEmpty
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
        low = (low + UInt32(byte)) % 65_521
        high = (high + low) % 65_521
    }
    return stream + bigEndian(high << 16 | low)
}

private func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
}
