import CommandLineTool
import POSIX
import Testing

@testable import latchkey

@Suite("The language that a viewer is spoken to in")
struct ViewerLanguageTests {
    private static func language(
        _ environment: [String: String], chosen: String? = nil, isTerminal: Bool = true, console: LinuxConsole? = nil
    ) -> String {
        ViewerLanguage(
            chosen: chosen, environment: environment,
            terminal: Terminal(
                isTerminal: isTerminal, reportedSize: Terminal.Size(columns: 80, rows: 25), environment: environment),
            console: console
        ).phrases.language
    }

    private static let german = ["TERM": "xterm", "LANG": "de_DE.UTF-8"]

    @Test func `is what was chosen, else the locale's, else English`() {
        #expect(Self.language(Self.german) == "de")
        #expect(Self.language(Self.german, chosen: "ja") == "ja")
        #expect(Self.language(Self.german, chosen: "en") == "en")
        #expect(Self.language(["TERM": "xterm", "LANG": "C.UTF-8"]) == "en")
        #expect(Self.language(["TERM": "xterm", "LANG": "C.UTF-8"], chosen: "pl") == "pl")
        #expect(Self.language([:]) == "en")
    }

    @Test func `is English on a terminal that does not read UTF-8, and in a file unless another was chosen`() {
        #expect(Self.language(["TERM": "xterm", "LANG": "de_DE"]) == "en")
        #expect(Self.language(["TERM": "xterm"], chosen: "de") == "en")
        #expect(Self.language(["LANG": "de_DE"], isTerminal: false) == "en")
        #expect(Self.language(["LANG": "de_DE.UTF-8"], isTerminal: false) == "de")
        #expect(Self.language([:], chosen: "ar", isTerminal: false) == "ar")
    }

    @Test func `is English on a console whose font lacks a letter of it`() {
        let letters = BoxPhrases(language: "de").foreignCharacters
        for (isUnicode, font, language) in [
            (true, letters, "de"), (true, String(letters.dropLast()), "en"), (false, letters, "en"), (true, "", "en"),
        ] {
            let console = LinuxConsole(isUnicode: isUnicode, characters: font)
            #expect(Self.language(["TERM": "linux", "LANG": "de_DE.UTF-8"], console: console) == language)
        }
    }

    @Test(
        "is read from right to left only on a terminal that puts words in order",
        arguments: [
            (["TERM": "xterm"], "en"), (["TERM": "xterm", "VTE_VERSION": "5799"], "en"),
            (["TERM": "xterm", "VTE_VERSION": "5800"], "ar"), (["TERM": "xterm", "VTE_VERSION": "x"], "en"),
            (["TERM": "xterm", "KONSOLE_VERSION": "220401"], "ar"), (["TERM": "mlterm-256color"], "ar"),
        ])
    func rightToLeft(_ environment: [String: String], language: String) {
        let environment = environment.merging(["LANG": "ar_EG.UTF-8"]) { own, _ in own }
        #expect(Self.language(environment) == language)
    }
}
