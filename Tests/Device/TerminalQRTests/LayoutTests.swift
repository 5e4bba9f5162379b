import CommandLineTool
import TerminalQR
import TestSupport
import Testing

@testable import latchkey

@Suite("The layout of a pairing", .timeLimit(.minutes(5)))
struct LayoutTests {
    private static let short = PairingWords(
        payload: "HTTPS://TVE.EXAMPLE.NET/G/7KQ4M2X", address: "https://tve.example.net/activate", code: "7KQ-4M2X",
        phrases: .english)
    /// As servers without a short address have it.
    private static let long = PairingWords(
        payload: "https://tve.example.net/activate?code=7KQ4M2X", address: "https://tve.example.net/activate",
        code: "7KQ-4M2X", phrases: .english)

    private static func canvas(_ columns: Int, _ rows: Int, _ forms: QRForm..., cell: Canvas.Cell? = nil) -> Canvas {
        let isUTF8 = forms.contains(.half)
        return Canvas(
            columns: columns, rows: rows, forms: forms, palette: .sixteen, cell: cell, hasBlocks: isUTF8,
            isDecorated: true)
    }

    @Test(
        arguments: [
            (80, 25, true, .beside, .half, .small), (80, 24, true, .beside, .half, .small),
            (60, 20, true, .addressBelow, .half, .small), (40, 15, true, .wordsAlone, nil, .small),
            (40, 25, true, .below, .half, nil), (200, 60, true, .beside, .half, .large),
            (80, 25, false, .wordsAlone, nil, .large), (80, 24, false, .wordsAlone, nil, .large),
            (60, 20, false, .wordsAlone, nil, .small), (40, 15, false, .wordsAlone, nil, nil),
            (200, 60, false, .beside, .full, .large), (80, 40, false, .below, .full, nil),
        ] as [(Int, Int, Bool, PairingLayout.Placement, QRForm?, LargeLetters.Size?)])
    func `is the best that fits`(
        columns: Int, rows: Int, isUTF8: Bool, placement: PairingLayout.Placement, form: QRForm?,
        letters: LargeLetters.Size?
    ) async throws {
        let canvas = isUTF8 ? Self.canvas(columns, rows, .half, .full) : Self.canvas(columns, rows, .full)
        let layout = PairingLayout(Self.short, on: canvas)
        #expect(layout.placement == placement && layout.form == form && layout.letters == letters)
        #expect(layout.lines.count < rows, "the countdown needs a row")
        for ground: UInt8 in [0, 255] {
            let screen = try CellScreen(layout.lines, ownForeground: 255 - ground, ownBackground: ground)
            #expect(screen.columns <= columns)
            guard form != nil else { continue }
            let text = try await scanned(layout.lines, ownForeground: 255 - ground, ownBackground: ground)
            #expect(text == Self.short.payload)
        }
        #expect(layout.lines.contains { $0.contains("https://tve.example.net/activate") })
    }

    @Test("holds the longer address of other servers on a console, too", arguments: [(80, 25), (80, 24)])
    func longAddress(columns: Int, rows: Int) async throws {
        let layout = PairingLayout(Self.long, on: Self.canvas(columns, rows, .half))
        #expect(layout.form == .half)
        #expect(try await scanned(layout.lines, ownForeground: 255, ownBackground: 0) == Self.long.payload)
    }

    @Test("takes a picture where characters are too coarse for a small terminal", arguments: [QRForm.sixel, .kitty])
    func pictures(form: QRForm) {
        let layout = PairingLayout(
            Self.short, on: Self.canvas(40, 15, .half, form, cell: Canvas.Cell(width: 10, height: 20)))
        #expect(layout.form == form && layout.picture != nil)
        #expect(layout.lines.count <= 14)
        // The blanks of a line of text would wipe the picture out.
        #expect(layout.lines[0].hasPrefix("\u{1B}["))
    }

    @Test func `says why there is no symbol, in words that stay whole and an address on lines of its own`() {
        var words = Self.short
        words.address = "https://a-server-with-a-long-name.example.net/activate"
        let layout = PairingLayout(words, on: Self.canvas(40, 15, .half))
        let text = layout.lines.joined(separator: "\n").replacing("\u{1B}[1m", with: "").replacing(
            "\u{1B}[0m", with: "")
        #expect(layout.form == nil)
        #expect(text.contains("https://a-server-with-a-long-name.exampl\ne.net/activate\n"))
        #expect(text.contains("(A QR code needs 33 columns and 18"))
        #expect(
            text.hasPrefix("On a phone or computer, open\nhttps://") && text.contains("\nand enter the code 7KQ-4M2X\n")
        )
        let remark = wrapped("(A QR code needs 33 columns and 18 rows; this terminal has 40 and 15.)", width: 40)
        #expect(text.hasSuffix(remark.joined(separator: "\n")))
    }

    @Test func `says where there is no page of ours that the provider's takes the code`() {
        let words = PairingWords(
            payload: nil, address: nil, code: "7KQ-4M2X", phrases: .english, remarks: ["So it is."])
        let layout = PairingLayout(words, on: Self.canvas(80, 25, .full))
        #expect(layout.lines.prefix(2) == ["On the provider's page", "enter this code: \u{1B}[1m7KQ-4M2X\u{1B}[0m"])
        #expect(layout.lines.last == "(So it is.)")
    }

    @Test func `writes the code in letters that stay letters`() {
        let words = PairingWords(payload: nil, address: nil, code: "M3-K7", phrases: .english)
        let lines = PairingLayout(words, on: Self.canvas(60, 8, .half)).lines
        #expect(
            lines.suffix(4) == [
                "█▄ ▄█ ▀▀▀█▀     █  ▄▀ ▀▀▀▀█", "█ █ █   ▀▄  ▄▄▄ █▄▀     ▄▀ ", "█   █ ▄   █     █ ▀▄   █   ",
                "▀   ▀  ▀▀▀      ▀   ▀  ▀   ",
            ])
    }

    @Test func `gives wide characters the two cells they take`() {
        #expect(wrapped("プロバイダー 拒否 しました", width: 12) == ["プロバイダー", "拒否", "しました"])
        #expect(clipped("拒否しました", width: 5) == "拒否")
        #expect(wrapped("", width: 5) == [] && wrapped("abcdefgh ij", width: 5) == ["abcdefgh", "ij"])
    }
}
