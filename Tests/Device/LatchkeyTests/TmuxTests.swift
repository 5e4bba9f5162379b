import TestSupport
import Testing

/// A window of tmux with one program in it, which may be of any size and get another.
private struct TmuxWindow {
    struct GaveUp: Error {
        let screen: String
    }

    /// tmux (package tmux) did not do what it was told.
    struct Refusal: Error {
        let words: String
    }

    /// Of its socket, for as long as there is a window.
    private let folder: TemporaryFolder

    static func with(
        _ command: [String], environment: [String: String], columns: Int, rows: Int,
        _ body: (TmuxWindow) async throws -> Void
    ) async throws {
        let window = TmuxWindow(folder: try TemporaryFolder())
        let settings = environment.flatMap { ["-e", "\($0.key)=\($0.value)"] }
        // A shell that stays: what the program said last can still be read.
        let line = command.map { "'\($0)'" }.joined(separator: " ") + "; exec sleep 300"
        try await window.run(
            ["set", "-g", "status", "off", ";", "new-session", "-d"]
                + ["-x", "\(columns)", "-y", "\(rows)"] + settings + [line])
        try await ending({ try? await window.run(["kill-server"]) }) { try await body(window) }
    }

    func resize(columns: Int, rows: Int) async throws {
        try await self.run(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// The screen, once `isThere` sees on it what it looks for.
    func screen(_ isThere: (String) -> Bool) async throws -> String {
        var text = ""
        // Each look is a program of its own, so this is no busy loop; the suite has a time limit.
        for _ in 0..<4000 {
            text = try await self.run(["capture-pane", "-p", "-e", "-N"])
            if isThere(text) { return text }
        }
        throw GaveUp(screen: text)
    }

    /// The lines that went off the screen.
    var history: Int {
        get async throws {
            let answer = try await self.run(["display-message", "-p", "#{history_size}"])
            return Int(answer.filter(\.isNumber)) ?? -1
        }
    }

    @discardableResult
    private func run(_ words: [String]) async throws -> String {
        let tmux = try ChildProcess(
            "tmux", ["-S", self.folder.file("tmux"), "-f", "/dev/null"] + words,
            environment: ["LANG": "C.UTF-8", "TERM": "xterm"])
        let (end, output, talk) = await tmux.run()
        guard end == .exited(0) else { throw Refusal(words: talk) }
        return output
    }
}

@Suite("latchkey pair on a real terminal", .serialized, .timeLimit(.minutes(5)))
struct TmuxTests {
    private static let payload = "HTTPS://TVE.EXAMPLE.NET/G/"

    /// What a scanner reads off the screen, on a dark terminal and on a light one.
    private static func scan(_ screen: String) async throws -> String {
        var texts: Set<String> = []
        for ground: UInt8 in [0, 255] {
            let lines = screen.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
            let cells = try CellScreen(lines, ownForeground: 255 - ground, ownBackground: ground, isWhole: false)
            texts.insert(try await Scanner.read(cells.picture(margin: 1)))
        }
        return texts.count == 1 ? texts.first ?? "" : "\(texts)"
    }

    private static func plain(_ screen: String) -> String { screen.replacing(/\u{1B}\[[0-9;]*m/, with: "") }

    /// - Parameter kind: what `TERM` says; `nil` for tmux itself.
    private static func pair(
        _ columns: Int, _ rows: Int, _ environment: [String: String], as kind: String? = nil,
        _ body: (TmuxWindow, ScriptedService) async throws -> Void
    ) async throws {
        let (service, box) = try Latchkey.served { $0.shortOrigin = "HTTPS://TVE.EXAMPLE.NET" }
        try await TmuxWindow.with(
            (kind.map { ["env", "TERM=\($0)"] } ?? [])
                + [Latchkey.program, "pair", "--config", box.folder.file("latchkey.json5")],
            environment: environment.merging(["XDG_STATE_HOME": box.folder.path]) { $1 }, columns: columns, rows: rows
        ) { try await body($0, service) }
    }

    @Test(
        "scans, at every size that a symbol fits, whatever the locale says",
        arguments: [(80, 25), (80, 24), (60, 20), (200, 60)], ["C.UTF-8", "C"])
    func sizes(size: (Int, Int), language: String) async throws {
        try await Self.pair(size.0, size.1, ["LANG": language, "LC_ALL": language]) { window, _ in
            let screen = try await window.screen { $0.contains("Waiting, ") }
            #expect(try await Self.scan(screen).hasPrefix(Self.payload))
            #expect(Self.plain(screen).contains("https://tve.example.net/activate"))
            #expect(Self.plain(screen).split(separator: "\n").count <= size.1)
        }
    }

    @Test(arguments: [(80, 25), (80, 24), (60, 20)])
    func `scans without escape sequences, too, where the locale has blocks`(size: (Int, Int)) async throws {
        try await Self.pair(size.0, size.1, ["LANG": "C.UTF-8"], as: "dumb") { window, _ in
            let screen = try await window.screen { $0.contains("and enter the code") && $0.contains("▄▄▄▄▄▄") }
            let lines = screen.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
            let cells = try CellScreen(lines, ownForeground: 255, ownBackground: 0, isWhole: false)
            #expect(try await Scanner.read(cells.picture(margin: 1)).hasPrefix(Self.payload))
            #expect(!screen.contains("\u{1B}"))
        }
    }

    @Test("says why there is none", arguments: [("dumb", "C"), ("dumb", "C.UTF-8")], [(40, 15), (80, 24)])
    func reasons(kind: (String, String), size: (Int, Int)) async throws {
        // The one that has room.
        guard kind.1 == "C" || size.0 == 40 else { return }
        try await Self.pair(size.0, size.1, ["LANG": kind.1, "LC_ALL": kind.1], as: kind.0) { window, _ in
            let screen = try await window.screen { $0.contains("A QR code needs ") }
            #expect(screen.contains("needs \(kind.1 == "C" ? 66 : 33) columns"))
            #expect(screen.contains("https://tve.example.net/activate"))
        }
    }

    @Test("leaves no copies in the history when the window changes, and takes a code that is over from the screen")
    func tidy() async throws {
        try await Self.pair(60, 30, ["LANG": "C.UTF-8"]) { window, service in
            for _ in 0..<3 {
                _ = try await window.screen { $0.contains("Waiting, ") && !$0.contains("address below") }
                try await window.resize(columns: 60, rows: 20)
                _ = try await window.screen { $0.contains("Waiting, ") && $0.contains("address below") }
                try await window.resize(columns: 60, rows: 30)
            }
            _ = try await window.screen { $0.contains("Waiting, ") && !$0.contains("address below") }
            // What tmux itself moves up when the window shrinks; a copy of the screen has more.
            #expect(try await window.history < 16)
            await service.isPolled()
            service.setCodeState("declined")
            let end = try await window.screen { Self.plain($0).contains("was declined on the other screen") }
            #expect(!Self.plain(end).contains("enter the code") && !end.contains("▀"))
        }
    }

    @Test("draws no QR code of an address that only this computer can open, unless it is asked for one")
    func ownAddress() async throws {
        for words in [[], ["--qr-format", "half"]] {
            let (service, box) = try Latchkey.served { $0.registrationURL = "http://localhost:8181/activate" }
            try await TmuxWindow.with(
                [Latchkey.program, "pair", "--config", box.folder.file("latchkey.json5")] + words,
                environment: ["LANG": "C.UTF-8", "XDG_STATE_HOME": box.folder.path], columns: 80, rows: 30
            ) { window in
                let screen = try await window.screen { $0.contains("Waiting, ") }
                #expect(Self.plain(screen).contains("Open this on this computer:") == words.isEmpty)
                #expect(Self.plain(screen).contains("http://localhost:8181/activate"))
                if !words.isEmpty { #expect(try await Self.scan(screen).hasPrefix("http://localhost:8181/")) }
            }
            #expect(!service.requests.isEmpty)
        }
    }

    @Test func `is drawn anew when the window gets another size, and says why where there is no room`() async throws {
        try await Self.pair(40, 15, ["LANG": "C.UTF-8"]) { window, service in
            let small = try await window.screen { $0.contains("Waiting, ") }
            #expect(Self.plain(small).contains("A QR code needs 33 columns and 18 rows;"))
            try await window.resize(columns: 80, rows: 25)
            let grown = try await window.screen {
                $0.contains("▀") && $0.contains("Scan this") && $0.contains("Waiting, ")
            }
            let payload = try await Self.scan(grown)
            #expect(payload.hasPrefix(Self.payload))
            #expect(!grown.contains("needs 33 columns"), "what stood there is wiped out")
            try await window.resize(columns: 60, rows: 20)
            let shrunk = try await window.screen { $0.contains("address below") && $0.contains("Waiting, ") }
            #expect(try await Self.scan(shrunk) == payload)

            await service.isPolled()
            service.open()
            let opened = try await window.screen { $0.contains("Somebody is entering the code now, ") }
            #expect(try await Self.scan(opened) == payload, "news moves nothing")
            await service.isPolled()
            service.confirm()
            let done = try await window.screen { Self.plain($0).contains("Signed in with Cable Nova.") }
            #expect(!done.contains("address below"), "a code that was used is gone")
        }
    }
}
