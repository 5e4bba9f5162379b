import CommandLineTool
import TerminalQR
import Testing

@testable import latchkey

@Suite("The box's words on a screen")
struct RoomTests {
    private static func words(_ language: String, address: String? = "https://tve.example.net/activate") -> PairingWords
    {
        PairingWords(
            payload: address == nil ? nil : "HTTPS://TVE.EXAMPLE.NET/G/7KQ4M2X", address: address, code: "7KQ-4M2X",
            phrases: BoxPhrases(language: language))
    }

    private static func canvas(_ columns: Int, _ rows: Int) -> Canvas {
        Canvas(columns: columns, rows: rows, forms: [.half], palette: .sixteen, hasBlocks: true, isDecorated: false)
    }

    /// A row as wide as a viewer sees it: without escape sequences.
    private static func shown(_ line: String) -> String { line.replacing(/\u{1B}\[[0-9;]*m/, with: "") }

    @Test("leave symbol and code as large as English does, on every size of screen", arguments: BoxPhrases.languages)
    func layouts(_ language: String) {
        for (columns, rows) in [(80, 24), (80, 25), (60, 20), (40, 25), (200, 60), (40, 15)] {
            let layout = PairingLayout(Self.words(language), on: Self.canvas(columns, rows))
            let english = PairingLayout(Self.words("en"), on: Self.canvas(columns, rows))
            #expect(layout.form == english.form, "\(columns)x\(rows)")
            // Arabic stands below, and has less room for letters.
            if language != "ar" {
                #expect(layout.placement == english.placement, "\(columns)x\(rows)")
                #expect(layout.letters == english.letters, "\(columns)x\(rows)")
            }
            #expect(layout.lines.count < rows, "the countdown needs a row")
            let shown = layout.lines.map(Self.shown)
            for line in shown { #expect(cellCount(line) <= columns, "\(columns)x\(rows): \(line)") }
            #expect(shown.contains { $0.contains("7KQ-4M2X") })
            #expect(shown.joined().contains("https://tve.example.net/activate"))
            #expect(!shown.joined().contains("{"))
        }
    }

    @Test("say where the provider's page takes the code, and why there is no symbol", arguments: BoxPhrases.languages)
    func withoutSymbol(_ language: String) {
        let without = PairingLayout(Self.words(language, address: nil), on: Self.canvas(80, 24))
        let sentence = BoxPhrases(language: language).say(.layoutProvider)
        #expect(without.lines.first == wrapped(sentence, width: 80).first)
        #expect(without.lines.contains { $0.contains("7KQ-4M2X") })
        let small = PairingLayout(Self.words(language), on: Self.canvas(40, 15)).lines.joined(separator: " ")
        for number in ["33", "18", "40", "15"] { #expect(small.contains(number), "\(number)") }
    }

    @Test func `of Arabic share no row with symbol, address or code`() {
        for (columns, rows) in [(80, 25), (40, 25), (200, 60), (40, 15)] {
            let layout = PairingLayout(Self.words("ar"), on: Self.canvas(columns, rows))
            #expect(layout.placement == .below || layout.placement == .wordsAlone)
            let isArabic: (String) -> Bool = { line in
                line.unicodeScalars.contains { (0x0600...0x06FF).contains($0.value) }
            }
            #expect(layout.lines.contains(where: isArabic) && layout.lines.contains("7KQ-4M2X"))
            for line in layout.lines where isArabic(line) {
                for part in ["▀", "▄", "█", "https", "7KQ"] { #expect(!line.contains(part), "\(line)") }
            }
        }
    }

    @Test(arguments: BoxPhrases.languages)
    func `are sentences of at most eight rows beside a symbol on 80 columns, none wider`(_ language: String) {
        let phrases = BoxPhrases(language: language)
        let values = [
            "server": "https://tve.example.net", "time": "1970-01-01T00:00:00Z", "hostTime": "2026-11-23T10:00:00Z",
            "provider": "Cable Nova", "status": "503", "code": "7KQ-4M2X", "columns": "33", "rows": "18",
            "width": "40", "height": "15", "address": "https://tve.example.net/activate", "step": "", "problem": "",
            "reason": "",
        ]
        for phrase in BoxPhrase.allCases {
            let lines = wrapped("(\(phrases.say(phrase, values, count: 55)))", width: 45)
            #expect(lines.count <= 8, "\(phrase): \(lines.count)")
            for line in lines { #expect(cellCount(line) <= 45, "\(phrase): \(line)") }
        }
    }

    @Test(arguments: BoxPhrases.languages)
    func `invite to the address in one line: beside a symbol on 80 columns, and on 40 without one`(_ language: String) {
        let phrases = BoxPhrases(language: language)
        #expect(cellCount(phrases.say(.layoutScan)) <= 45 && cellCount(phrases.say(.layoutOpen)) <= 40)
    }

    @Test func `are parted between wide characters where a script has no blanks, and never before a full stop`() {
        #expect(wrapped("拒否しました。", width: 5) == ["拒否", "しま", "し", "た。"])
        #expect(wrapped("拒否しました", width: 6) == ["拒否し", "ました"])
        #expect(wrapped("コード M3-K7 を入力してください", width: 14) == ["コード M3-K7", "を入力してくだ", "さい"])
        #expect(wrapped("https://tve.example.net/activate", width: 8) == ["https://tve.example.net/activate"])
    }
}
