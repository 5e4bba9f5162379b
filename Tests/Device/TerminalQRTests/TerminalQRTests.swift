import CommandLineTool
import TerminalQR
import Testing

/// The ways to draw, by name, since the test reports name their arguments.
private let ways: [(QRForm, Terminal.Colours)] = [
    (.half, .sixteen), (.half, .twoHundredFiftySix), (.half, .trueColour),
    (.full, .sixteen), (.full, .twoHundredFiftySix), (.full, .trueColour),
]

@Suite("A QR code on a terminal", .timeLimit(.minutes(5)))
struct TerminalQRTests {
    private static let payload = "https://tve.example.net/activate?code=7KQ4M2X"

    @Test("is read back from every way of drawing, on dark and on light terminals", arguments: ways, [UInt8(0), 255])
    func readsBack(way: (QRForm, Terminal.Colours), ownBackground: UInt8) async throws {
        let drawing = try #require(QRDrawing(QRCode(Self.payload), way.0, palette: way.1))
        let text = try await scanned(drawing, ownForeground: 255 - ownBackground, ownBackground: ownBackground)
        #expect(text == Self.payload)
    }

    @Test("is read back whatever the text, up to long ones", arguments: [1, 20, 100, 300])
    func lengths(count: Int) async throws {
        let text = String((0..<count).map { Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8($0 % 26))) })
        let drawing = try #require(QRDrawing(QRCode(text), .half, palette: .trueColour))
        #expect(try await scanned(drawing, ownForeground: 255, ownBackground: 0) == text)
    }

    @Test func `keeps four light modules on every side`() throws {
        let code = try QRCode(Self.payload)
        let drawing = try #require(QRDrawing(code, .half, palette: .sixteen))
        #expect(drawing.columns == code.size + 8)
        #expect(drawing.rows == (code.size + 9) / 2)
        for line in drawing.lines.prefix(2) { #expect(line.filter { "█▀▄".contains($0) }.isEmpty) }
        #expect(drawing.lines.allSatisfy { $0.contains("m    ") && $0.hasSuffix("    \u{1B}[0m") })
    }

    @Test("of an activation address fits a console of 80 by 25 in half blocks, and in spaces it does not")
    func fitting() throws {
        let code = try QRCode(Self.payload)
        let blocks = try #require(QRDrawing(code, .half, palette: .sixteen))
        #expect(blocks.columns <= 80 && blocks.rows <= 22)
        #expect(try #require(QRDrawing(code, .full, palette: .sixteen)).rows > 25)
    }

    @Test("without colours of its own is read back from blocks", arguments: [true, false])
    func plainBlocks(isOnDark: Bool) async throws {
        let form = isOnDark ? QRForm.plain : .plainInverted
        let drawing = try #require(QRDrawing(QRCode(Self.payload), form, palette: .sixteen))
        #expect(drawing.lines.allSatisfy { $0.allSatisfy { "▀▄█ ".contains($0) } })
        let ground: UInt8 = isOnDark ? 0 : 255
        #expect(try await scanned(drawing, ownForeground: 255 - ground, ownBackground: ground) == Self.payload)
    }

    @Test("of letters alone is read back from far enough that letters run together", arguments: [true, false])
    func letters(isOnDark: Bool) async throws {
        let form = isOnDark ? QRForm.ascii : .asciiInverted
        let drawing = try #require(QRDrawing(QRCode(Self.payload), form, palette: .sixteen))
        #expect(drawing.lines.allSatisfy { $0.utf8.allSatisfy { $0 == 0x20 || $0 == 0x40 } })
        let ground: UInt8 = isOnDark ? 0 : 255
        #expect(
            try await scanned(drawing, ownForeground: 255 - ground, ownBackground: ground, isFar: true) == Self.payload)
    }

    @Test func `is smallest of the short address in upper case, with error correction to spare`() throws {
        let short = try QRCode(smallest: "HTTPS://TVE.EXAMPLE.NET/G/7KQ4M2X")
        #expect(short.size == 25)
        #expect(short == (try QRCode("HTTPS://TVE.EXAMPLE.NET/G/7KQ4M2X", errorCorrection: .medium)))
        #expect(try QRCode(smallest: Self.payload).size == 29)
        #expect(try QRCode(smallest: "https://tve.example.net/g/7kq4m2x").size == 29, "what lower case costs")
    }

    @Test func `takes no empty text, none with a NUL, and none beyond the largest symbol`() throws {
        #expect(throws: QRCode.EncodingError.empty) { try QRCode("") }
        #expect(throws: QRCode.EncodingError.empty) { try QRCode("a\u{0}b") }
        #expect(throws: QRCode.EncodingError.tooLong) { try QRCode(String(repeating: "a", count: 2332)) }
        #expect(try QRCode(String(repeating: "a", count: 2331)).size == 177)
    }

    @Test func `grows with the error correction it is asked for`() throws {
        let sizes = try [QRCode.ErrorCorrection.low, .medium, .quartile, .high].map {
            try QRCode(Self.payload, errorCorrection: $0).size
        }
        #expect(sizes == sizes.sorted() && sizes.first != sizes.last)
        #expect(try QRCode("1").size == 21)
    }
}
