import CommandLineTool
import POSIX
import Testing

@testable import latchkeyd

@Suite("A set-up code as a picture")
struct TerminalSymbolTests {
    private static let words = "latchkey init --server https://tv.example --code 7KQ4-M2XB-CDFG"

    private func lines(
        columns: Int = 80, rows: Int = 24, isTerminal: Bool = true, console: LinuxConsole? = nil,
        beside words: [String] = [], _ environment: [String: String] = ["TERM": "xterm", "LANG": "C.UTF-8"]
    ) -> [String]? {
        let size = Terminal.Size(columns: columns, rows: rows)
        let terminal = Terminal(isTerminal: isTerminal, reportedSize: size, environment: environment)
        return TerminalSymbol(terminal: terminal, console: console).lines(of: Self.words, beside: words)
    }

    @Test func `is drawn with half blocks on 80x24, and with spaces where there are none and it has room`() throws {
        let half = try #require(self.lines())
        #expect(half.count <= 23 && half.contains { $0.contains("▀") })
        let plain = ["TERM": "xterm"]
        #expect(self.lines(plain) == nil)
        let spaces = try #require(self.lines(columns: 132, rows: 60, plain))
        #expect(spaces.count > half.count && spaces.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
        // The machine's own screen goes by its font.
        let utf8 = ["TERM": "linux", "LANG": "C.UTF-8"]
        #expect(self.lines(console: LinuxConsole(isUnicode: true, characters: "ab"), utf8) == nil)
        #expect(self.lines(console: LinuxConsole(isUnicode: true, characters: "▀▄█"), plain) == half)
    }

    @Test("has the words beside it on 80x24, in rows that end before the screen does, and none where some would be cut")
    func beside() throws {
        let alone = try #require(self.lines())
        let words = try #require(self.lines(beside: ["7KQ4-M2XB-CDFG", Self.words]))
        #expect(words.count == alone.count)
        let width = 80 - (try #require(alone.first)).replacing(/\u{1B}\[[0-9;]*m/, with: "").count - 2
        let added = zip(words, alone).compactMap { row, own -> String? in
            row == own ? nil : String(row.dropFirst(own.count + 2))
        }
        #expect(zip(words, alone).allSatisfy { $0.hasPrefix($1) })
        #expect(added.allSatisfy { $0.count <= width })
        #expect(added.first == "7KQ4-M2XB-CDFG" && added.dropFirst().joined(separator: " ") == Self.words)
        #expect(self.lines(beside: [String(repeating: "x", count: width + 1)]) == alone)
    }

    @Test func `is left out where it cannot be seen whole, or by no person`() {
        #expect(self.lines(columns: 40, rows: 15) == nil)
        #expect(self.lines(isTerminal: false) == nil)
        #expect(self.lines(["TERM": "dumb", "LANG": "C.UTF-8"]) == nil)
    }
}
