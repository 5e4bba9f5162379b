import FoundationEssentials
import RealPrograms
import TestSupport
import Testing

@Suite("The box program on a terminal", .serialized, .timeLimit(.minutes(5)))
struct TerminalPictureTests {
    @Test("A scanner reads the address of the pages off the screen, and the code stands beside it")
    func scanned() async throws {
        let folder = try TemporaryFolder()
        let demo = try await DemoFolder.make(.own, in: folder.file("server"))
        let server = try await RunningServer.start(demo, .own)
        let arguments = ["pair", "--config", demo.boxConfiguration, "--state", folder.file("box.json")]
        let box = try TerminalProcess(
            ProgramFolder.own.box, arguments,
            environment: ["TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"], columns: 80, rows: 50)
        try await eventually("countdown") {
            // Also the pause between two looks at the screen.
            _ = try await server.get("/healthz")
            return box.text.contains("Waiting, ") ? () : nil
        }
        let screen = TerminalScreen(box.text, columns: 80)
        box.end()
        await server.stop()

        try folder.write(screen.html, to: "terminal.html")
        let driver = try await Chromedriver.start(home: folder.path)
        let look = BrowserWindow.Look(width: 640, height: 36 + 18 * screen.rows.count, isPhone: false)
        let picture = try await BrowserWindow.with(look, of: driver) { window in
            try await window.open("file://\(folder.file("terminal.html"))")
            return try await window.screenshot()
        }
        await driver.stop()
        try Screenshots.keep(picture, as: "terminal")
        try Data(picture).write(to: URL(filePath: folder.file("terminal.png")))

        let scan = try await ChildProcess("zbarimg", ["--quiet", "--raw", folder.file("terminal.png")]).run()
        #expect(scan.end == .exited(0))
        let address = scan.output.filter { !$0.isNewline }
        #expect(address.hasPrefix("\(demo.url)/activate?"))
        let code = try #require(address.split(separator: "=").last).filter { $0 != "-" }
        let words = screen.rows.map { String($0.map(\.character)) }.joined(separator: "\n")
        #expect(words.filter { $0 != "-" }.contains(code), "the code can be read without a scanner")
        #expect(words.contains(demo.url), "and so can the address")
    }
}
