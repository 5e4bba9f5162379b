import FoundationEssentials
import TerminalQR
import TestSupport
import Testing

@Suite("A QR code as a picture", .timeLimit(.minutes(5)))
struct PictureTests {
    private static let payload = "HTTPS://TVE.EXAMPLE.NET/G/7KQ4M2X"

    @Test(arguments: [1, 3, 8, 13]) func `is read back from a PNG file of any scale`(scale: Int) async throws {
        let picture = QRPicture(try QRCode(smallest: Self.payload), scale: scale)
        #expect(picture.size == 33 * scale)
        // One pixel a module is for programs that enlarge it; a camera needs three.
        guard scale >= 3 else { return }
        #expect(try await Scanner.read(picture.png, as: "code.png") == Self.payload)
    }

    @Test func `is read back from a PNG file of the largest symbol, whose data takes several blocks`() async throws {
        let text = String(repeating: "a", count: 2331)
        let picture = QRPicture(try QRCode(text), scale: 8)
        #expect(picture.png.count > 3 * 65_535)
        #expect(try await Scanner.read(picture.png, as: "code.png") == text)
    }

    @Test func `is read back from an address that holds it`() async throws {
        let url = QRPicture(try QRCode(smallest: Self.payload), scale: 4).dataURL
        let parts = url.split(separator: ",")
        #expect(parts.first == "data:image/png;base64")
        #expect(url.utf8.count < 8192)
        let data = try #require(Data(base64Encoded: String(parts.last ?? "")))
        #expect(try await Scanner.read(Array(data), as: "code.png") == Self.payload)
    }

    @Test(arguments: [3, 4, 8]) func `is read back from sixels`(scale: Int) async throws {
        let picture = QRPicture(try QRCode(smallest: Self.payload), scale: scale)
        let screen = try SixelScreen(picture.sixel)
        #expect(screen.width == picture.size)
        #expect(try await Scanner.read(screen.picture(margin: 16)) == Self.payload)
    }

    @Test(arguments: [3, 10]) func `is read back from kitty's pieces, however many`(scale: Int) async throws {
        let picture = QRPicture(try QRCode(smallest: Self.payload), scale: scale)
        var encoded = ""
        let pieces = picture.kitty.split(separator: "\u{1B}\\")
        for (number, piece) in pieces.enumerated() {
            #expect(piece.hasPrefix("\u{1B}_G"))
            let parts = piece.dropFirst(3).split(separator: ";")
            try #require(parts.count == 2 && parts[1].utf8.count <= 4096)
            #expect(parts[0].hasSuffix(number == pieces.count - 1 ? "m=0" : "m=1"))
            encoded += parts[1]
        }
        #expect(pieces.count == (scale == 3 ? 1 : pieces.count))
        let data = try #require(Data(base64Encoded: encoded))
        #expect(try await Scanner.read(Array(data), as: "code.png") == Self.payload)
    }
}

/// Sixels as pixels, read as the manual has them and not as they were written.
private struct SixelScreen {
    struct Unreadable: Error {
        let what: String
    }

    private(set) var rows: [[UInt8]] = []

    var width: Int { self.rows.map(\.count).max() ?? 0 }

    init(_ text: String) throws {
        guard text.hasPrefix("\u{1B}P"), text.hasSuffix("\u{1B}\\"), let start = text.firstIndex(of: "q") else {
            throw Unreadable(what: "no sixels")
        }
        var rest = text[text.index(after: start)...].dropLast(2).utf8[...]
        var colours: [Int: UInt8] = [:]
        var (pen, band, column, count) = (0, 0, 0, 1)
        func number() -> Int {
            var value = 0
            while let digit = rest.first, (0x30...0x39).contains(digit) {
                value = value * 10 + Int(digit - 0x30)
                rest = rest.dropFirst()
            }
            return value
        }
        func numbers() -> [Int] {
            var all = [number()]
            while rest.first == UInt8(ascii: ";") {
                rest = rest.dropFirst()
                all.append(number())
            }
            return all
        }
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): _ = numbers()
            case UInt8(ascii: "#"):
                let values = numbers()
                pen = values[0]
                if values.count == 5 { colours[pen] = UInt8(values[2] * 255 / 100) }
            case UInt8(ascii: "!"): count = number()
            case UInt8(ascii: "$"): column = 0
            case UInt8(ascii: "-"): (band, column) = (band + 6, 0)
            case 63...126:
                for _ in 0..<count {
                    for bit in 0..<6 where (byte - 63) >> bit & 1 == 1 {
                        while self.rows.count <= band + bit { self.rows.append([]) }
                        // What no sixel paints stays grey, and no scanner takes it for either.
                        while self.rows[band + bit].count <= column { self.rows[band + bit].append(128) }
                        self.rows[band + bit][column] = colours[pen] ?? 128
                    }
                    column += 1
                }
                count = 1
            default: throw Unreadable(what: "the byte \(byte)")
            }
        }
    }

    /// As a PGM picture on a black ground.
    func picture(margin: Int) -> [UInt8] {
        let width = self.width + 2 * margin
        let blank = [UInt8](repeating: 0, count: width)
        let side = [UInt8](repeating: 0, count: margin)
        var pixels = Array(repeatElement(blank, count: margin).joined())
        for row in self.rows { pixels += (side + row + blank).prefix(width) }
        pixels += repeatElement(blank, count: margin).joined()
        return Array("P5\n\(width) \(pixels.count / width)\n255\n".utf8) + pixels
    }
}
