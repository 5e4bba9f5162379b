import CommandLineTool
import Testing

private let size = Terminal.Size(columns: 80, rows: 25)

private func terminal(_ environment: [String: String], isTerminal: Bool = true) -> Terminal {
    Terminal(isTerminal: isTerminal, reportedSize: isTerminal ? size : nil, environment: environment)
}

@Suite("What a terminal can do")
struct TerminalTests {
    @Test func `A pipe understands no escapes, whatever the environment says`() {
        let pipe = terminal(["TERM": "xterm-256color", "COLORTERM": "truecolor"], isTerminal: false)
        #expect(pipe.understandsEscapes == false)
        #expect(pipe.colours == .none)
        #expect(pipe.decorated("text", .bold) == "text")
    }

    @Test(arguments: [
        ([:], Terminal.Colours.none),
        (["TERM": "dumb"], .none),
        (["TERM": "linux"], .sixteen),
        (["TERM": "xterm-256color"], .twoHundredFiftySix),
        (["TERM": "xterm", "COLORTERM": "truecolor"], .trueColour),
    ])
    func `Colours follow TERM and COLORTERM`(environment: [String: String], expected: Terminal.Colours) {
        #expect(terminal(environment).colours == expected)
    }

    @Test func `NO_COLOR switches decoration off but leaves the colours known, for drawings that need them`() {
        let plain = terminal(["TERM": "xterm-256color", "NO_COLOR": "1"])
        #expect(plain.decorated("text", .yellow) == "text")
        #expect(plain.colours == .twoHundredFiftySix)
        #expect(terminal(["TERM": "xterm"]).decorated("text", .yellow) == "\u{1B}[33mtext\u{1B}[0m")
    }

    @Test(
        "The first locale variable that is not empty decides about UTF-8",
        arguments: [
            (["LANG": "de_DE.UTF-8"], true),
            (["LANG": "C.utf8"], true),
            (["LC_ALL": "C", "LANG": "de_DE.UTF-8"], false),
            (["LC_ALL": "", "LC_CTYPE": "en_GB.UTF-8", "LANG": "C"], true),
            ([:], false),
        ])
    func locale(environment: [String: String], expected: Bool) { #expect(terminal(environment).isUTF8 == expected) }

    @Test func `COLUMNS and LINES count only where the terminal reports no size`() {
        let variables = ["TERM": "vt100", "COLUMNS": "132", "LINES": "50"]
        #expect(terminal(variables).size == size)
        let serial = Terminal(isTerminal: true, reportedSize: nil, environment: variables)
        #expect(serial.size == Terminal.Size(columns: 132, rows: 50))
        let broken = Terminal(isTerminal: true, reportedSize: nil, environment: ["COLUMNS": "-1", "LINES": "9"])
        #expect(broken.size == nil)
    }

    @Test(arguments: [
        ("\u{1B}[2Jgone", "[2Jgone"),
        ("\u{9B}2J\u{9D}0;x\u{9C}gone\u{7F}", "2J 0;x gone"),
        ("a\u{202E}b", "a b"), ("a\u{2067}b\u{2069}c", "a b c"),
        ("one\r\ntwo\n\nthree\t", "one two three"),
        ("  Zażółć 漢字 ", "Zażółć 漢字"),
        ("", ""),
    ])
    func `Foreign words cannot steer the terminal`(text: String, expected: String) {
        #expect(terminalSafe(text) == expected)
    }

    @Test func `A letter keeps a few marks, and is one character with all of them`() {
        let tower = "a" + String(repeating: "\u{300}", count: 5000)
        #expect(terminalSafe(tower).unicodeScalars.count == 12)
        #expect(terminalSafe("👩‍👩‍👧‍👦 é ę̃") == "👩‍👩‍👧‍👦 é ę̃")
    }

    @Test func `Foreign words are cut at their limit`() {
        #expect(terminalSafe(String(repeating: "a", count: 10), limit: 10) == "aaaaaaaaaa")
        #expect(terminalSafe(String(repeating: "a", count: 11), limit: 10) == "aaaaaaaaaa…")
    }
}
