import CommandLineTool
import POSIX
import TerminalQR
import Testing

@testable import latchkey

@Suite("What a terminal shows")
struct SurveyTests {
    private static func survey(
        _ environment: [String: String], _ columns: Int = 80, _ rows: Int = 25, isTerminal: Bool = true,
        console: LinuxConsole? = nil, answers: String? = nil
    ) -> TerminalSurvey {
        TerminalSurvey(
            terminal: Terminal(
                isTerminal: isTerminal, reportedSize: Terminal.Size(columns: columns, rows: rows),
                environment: environment),
            console: console, answers: answers.map { TerminalAnswers(Array($0.utf8)) })
    }

    private static let utf8 = ["TERM": "xterm-256color", "LANG": "C.UTF-8"]
    private static let plain = ["TERM": "xterm"]
    private static let console = ["TERM": "linux"]

    @Test("follows from its locale, its kernel and its answers, in this order")
    func forms() {
        let size = Terminal.Size(columns: 80, rows: 25)
        func forms(_ survey: TerminalSurvey, _ wish: [QRForm]? = nil) -> [QRForm] {
            survey.canvas(for: wish, size: size).forms
        }
        #expect(forms(Self.survey(Self.utf8)) == [.half, .full])
        #expect(forms(Self.survey(Self.plain)) == [.full])
        #expect(forms(Self.survey(Self.plain, answers: "\u{1B}[1;2R\u{1B}[?62;4c")) == [.half, .sixel, .full])
        #expect(forms(Self.survey(Self.plain, answers: "\u{1B}[1;3R\u{1B}[?62c")) == [.full])
        #expect(
            forms(Self.survey(Self.utf8, answers: "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;4c"))
                == [.half, .kitty, .sixel, .full])
        #expect(forms(Self.survey(["TERM": "dumb"])) == [.ascii])
        #expect(forms(Self.survey(["TERM": "dumb", "LANG": "C.UTF-8"])) == [.plain, .ascii])
        #expect(forms(Self.survey([:], isTerminal: false)) == [])
        #expect(forms(Self.survey([:], isTerminal: false), [.ascii]) == [.ascii])
        #expect(forms(Self.survey(Self.utf8), []) == [])
        #expect(forms(Self.survey(Self.utf8), [.sixel]) == [], "no answer, no picture")
        #expect(forms(Self.survey(Self.utf8, answers: "\u{1B}[?62;4c"), [.sixel]) == [.sixel])
    }

    @Test("of a console is what its font has, whatever the locale says")
    func console() {
        let size = Terminal.Size(columns: 80, rows: 25)
        for (isUnicode, font, form, before): (Bool, String, QRForm, String) in [
            (true, "▀▄█ab", .half, ""), (false, "▀▄█ab", .half, "\u{1B}%G"), (true, "▀ab", .full, ""),
            (false, "", .full, ""),
        ] {
            for environment in [Self.console, ["TERM": "linux", "LANG": "C.UTF-8"]] {
                let survey = Self.survey(environment, console: LinuxConsole(isUnicode: isUnicode, characters: font))
                #expect(survey.canvas(for: nil, size: size).forms.first == form)
                #expect(survey.encoding.before == before)
                #expect(!survey.needsAnswers(for: nil), "the kernel knows all")
            }
        }
    }

    @Test func `is asked for only where it is not known`() {
        #expect(!Self.survey(Self.utf8).needsAnswers(for: nil))
        #expect(Self.survey(Self.utf8, 40, 15).needsAnswers(for: nil))
        #expect(Self.survey(Self.plain).needsAnswers(for: nil))
        #expect(Self.survey(Self.utf8).needsAnswers(for: [.kitty]))
        #expect(!Self.survey(Self.plain).needsAnswers(for: [.half]))
        #expect(!Self.survey(Self.plain).needsAnswers(for: []))
        #expect(!Self.survey(["TERM": "dumb"]).needsAnswers(for: nil))
        #expect(!Self.survey([:], isTerminal: false).needsAnswers(for: nil))
    }

    @Test func `is read from its answers, whatever else is typed or cut off`() {
        let all = TerminalAnswers(
            Array("x\u{1B}[12;2Ry\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[A\u{1B}[?64;1;4;22c".utf8))
        #expect(all.showsUTF8 && all.showsKitty && all.showsSixels && all.isComplete)
        #expect(all.cell == Canvas.Cell(width: 10, height: 20))
        for text in [
            "", "\u{1B}", "\u{1B}[", "\u{1B}[?", "\u{1B}[?62;4", "\u{1B}_Gi=31;OK", "\u{1B}[1;3R",
            "\u{1B}[6;0;99999999999999999999t", "\u{1B}_Gi=31;EINVAL:x\u{1B}\\", "4c", "\u{1B}[4c",
        ] {
            let answers = TerminalAnswers(Array(text.utf8))
            #expect(!answers.showsSixels && !answers.showsUTF8 && !answers.isComplete && answers.cell == nil)
            #expect(answers.showsKitty == text.contains("OK"))
        }
        #expect(
            TerminalAnswers(Array("\u{1B}[?4c".utf8)).showsSixels == false, "the first number is the kind of terminal")
        #expect(TerminalAnswers.question.hasSuffix("\u{1B}[c"))
    }

    @Test func `takes the words of --qr-format and no others`() {
        #expect(
            QRForm.wishes.map(\.word) == [
                "auto", "half", "full", "half-plain", "half-plain-inverted", "ascii", "ascii-inverted", "sixel",
                "kitty", "none",
            ])
    }
}

@Suite("The line that counts down")
struct PairingStatusTests {
    @Test func `says how far the viewer is, and is never wider than its row`() {
        var status = PairingStatus()
        #expect(status.line(left: .seconds(1799), width: 79, in: .english) == "Waiting, 29:59 left")
        status.reach(.opened)
        #expect(
            status.line(left: .seconds(65), width: 79, in: .english) == "Somebody is entering the code now, 1:05 left")
        status.reach(.confirming)
        status.isCutOff = true
        #expect(status.line(left: .seconds(-3), width: 30, in: .english) == "0:00 Signed in there;...")
        status.reach(.waiting)
        #expect(status.line(left: .seconds(65), width: 39, in: .english) == "Waiting, 1:05 left (no connection to...")
        #expect(
            status.line(left: .seconds(65), width: 30, in: BoxPhrases(language: "ja"))
                == "待っています（残り 1:05。...")
        #expect(
            status.line(left: .zero, width: 99, in: .english)
                == "Waiting, 0:00 left (no connection to the server, still trying)")
        #expect(status.wasOpened)
    }

    @Test(
        "fits 80 columns in every language, but where the connection is lost while a viewer is at it",
        arguments: BoxPhrases.languages)
    func room(_ language: String) {
        let phrases = BoxPhrases(language: language)
        var status = PairingStatus()
        for step in [PairingStatus.Step.waiting, .opened, .loggingIn, .confirming] {
            status.reach(step)
            let line = status.line(left: .seconds(1799), width: 200, in: phrases)
            #expect(line.contains("29:59") && cellCount(line) <= 79, "\(line)")
            #expect(cellCount(status.line(left: .seconds(1799), width: 20, in: phrases)) <= 20)
        }
        status.reach(.waiting)
        status.isCutOff = true
        #expect(cellCount(status.line(left: .seconds(1799), width: 200, in: phrases)) <= 79)
    }

    @Test func `is followed by a new code only when no viewer entered the old one and its time is over`() {
        #expect(CodeRenewal.isDue(wasOpened: false, brief: 0, left: .zero))
        #expect(CodeRenewal.isDue(wasOpened: false, brief: 1, left: .seconds(-9)))
        #expect(!CodeRenewal.isDue(wasOpened: true, brief: 0, left: .zero))
        #expect(!CodeRenewal.isDue(wasOpened: false, brief: 2, left: .zero))
        #expect(!CodeRenewal.isDue(wasOpened: false, brief: 0, left: .seconds(60)))
        #expect(
            (0..<9).map { CodeRenewal.pause(afterFailures: $0).components.seconds } == [
                5, 10, 20, 40, 60, 60, 60, 60, 60,
            ])
    }
}
