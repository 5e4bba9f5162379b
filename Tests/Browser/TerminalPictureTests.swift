import CommandLineTool
import FoundationEssentials
import RealPrograms
import TerminalQR
import TestSupport
import Testing

@testable import latchkey

@Suite("The box program on a terminal", .serialized, .timeLimit(.minutes(5)))
struct TerminalPictureTests {
    @Test func `Who scans the screen gets to the pages of this very box, and the box hears of it`() async throws {
        let folder = try TemporaryFolder()
        let demo = try await DemoFolder.make(.own, in: folder.file("server"))
        let server = try await RunningService.start(demo)
        // The address is this machine's alone, so the QR code has to be asked for.
        let arguments =
            ["pair", "--qr-format", "half", "--config", demo.boxConfiguration, "--state", folder.file("box.json")]
        let box = try TerminalProcess(
            ProgramFolder.own.box, arguments,
            environment: ["TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"], columns: 80, rows: 50)
        try await wait(until: "Waiting, ", isOn: box, server)
        let screen = TerminalScreen(box.text, columns: 80)
        let driver = try await Chromedriver.start(home: folder.path)
        try await ending({ await driver.stop() }) {
            let (address, picture) = try await scan(screen, in: folder, driver)
            try Screenshots.keep(picture, as: "terminal")
            #expect(address.hasPrefix("\(demo.url)/G/".uppercased()), "the smallest symbol")
            let words = screen.rows.map { String($0.map(\.character)) }.joined(separator: "\n")
            #expect(words.contains("\(demo.url)/activate"), "the address can be read without a scanner")

            try await BrowserWindow.with(.phone, of: driver) { window in
                try await window.open(address)
                try await window.pickProvider()
                try await window.signIn(demo.viewer.account, demo.viewer.password)
                try Screenshots.keep(try await window.screenshot(), as: "terminal-phone")
                let code = try await window.text(of: "main .code")
                #expect(words.contains(code), "the screen shows the code of the page")
                try await window.decide(.confirm)
            }
            try await wait(until: "Signed in with", isOn: box, server)
        }
        await server.stop()
    }

    /// The pictures of the README. The code is made up, so that they are the same each time; `deploy/test pictures --accept`
    /// draws them anew.
    @Test(
        "A picture of the README shows the screen as it is, and its code can be scanned",
        arguments: [
            ("terminal", "en", 80), ("terminal-de", "de", 112),
        ])
    func readme(name: String, language: String, columns: Int) async throws {
        let phrases = BoxPhrases(language: language)
        let words = PairingWords(
            payload: "HTTPS://TV.EXAMPLE.NET/G/M3KTKHJ", address: "https://tv.example.net/activate", code: "M3K-TKHJ",
            phrases: phrases)
        let canvas = Canvas(
            columns: columns, rows: 24, forms: [.half], palette: .trueColour, hasBlocks: true, isDecorated: true)
        let countdown = phrases.say(.stepLeft, ["step": phrases.say(.stepWaiting), "time": "29:57"])
        let lines = PairingLayout(words, on: canvas).lines + [countdown]
        let screen = TerminalScreen(lines.joined(separator: "\r\n"), columns: columns)
        let folder = try TemporaryFolder()
        let driver = try await Chromedriver.start(home: folder.path)
        try await ending({ await driver.stop() }) {
            let (address, picture) = try await scan(screen, in: folder, driver)
            #expect(address == words.payload)
            let file = URL(filePath: ProjectFolder.file("deploy/pictures/\(name).png"))
            let comparison = try await BrowserWindow.with(.desktop, of: driver) { window in
                try await window.open("file://\(folder.file("terminal.html"))")
                return try await PictureComparison(Array(Data(contentsOf: file)), picture, in: window)
            }
            if KeptPictures.Run.own == .accept, !comparison.isAlike { try Data(picture).write(to: file) }
            if !comparison.isAlike { try Screenshots.keep(picture, as: name) }
            #expect(KeptPictures.Run.own == .accept || comparison.isAlike, "\(name).png is not what the screen shows")
        }
    }
}

/// Waits until the box has written `text`. The server is asked only so that there is a pause between two looks.
private func wait(until text: String, isOn box: TerminalProcess, _ server: RunningService) async throws {
    try await eventually("“\(text)” on the screen") {
        _ = try await server.get("/healthz")
        return box.text.contains(text) ? () : nil
    }
}

/// Draws the screen in the browser, and reads the QR code off the picture.
private func scan(
    _ screen: TerminalScreen, in folder: TemporaryFolder, _ driver: Chromedriver
) async throws -> (address: String, picture: [UInt8]) {
    try folder.write(screen.html, to: "terminal.html")
    let columns = screen.rows.map(\.count).max() ?? 0
    let look = BrowserWindow.Look(width: 36 + 9 * columns, height: 36 + 18 * screen.rows.count, isPhone: false)
    let picture = try await BrowserWindow.with(look, of: driver) { window in
        try await window.open("file://\(folder.file("terminal.html"))")
        return try await window.screenshot()
    }
    try Data(picture).write(to: URL(filePath: folder.file("terminal.png")))
    let scan = try await ChildProcess("zbarimg", ["--quiet", "--raw", folder.file("terminal.png")]).run()
    guard scan.end == .exited(0) else { throw GaveUp(description: "the scanner sees no code: \(scan.talk)") }
    return (scan.output.filter { !$0.isNewline }, picture)
}
