import FoundationEssentials
import TestSupport
import Testing

/// The script of `latchkey-pair@.service`, with a stand-in for kbd's setfont.
@Suite("The font of a console", .timeLimit(.minutes(5)))
struct ConsoleFontTests {
    private let folder: TemporaryFolder

    init() throws {
        self.folder = try TemporaryFolder()
        // Writes the map that is there, keeps the font it is asked to keep, and notes what it loads.
        let script = """
            #!/bin/sh
            shift 2
            case $1 in
                -ou) cp "\(self.folder.file("map"))" "$2" ;;
                -O) echo own >"$2" ;;
                *) echo "$1" >>"\(self.folder.file("loaded"))" ;;
            esac
            """
        try FileManager.default.createDirectory(atPath: self.folder.file("fonts"), withIntermediateDirectories: true)
        try self.folder.write(script, to: "bin/setfont")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: self.folder.file("bin/setfont"))
    }

    private func run(_ verb: String, path: String? = nil) async throws -> ChildProcess.End {
        return try await ChildProcess(
            "/bin/sh", [ProjectFolder.file("deploy/package/systemd/console-font"), verb, "tty1"],
            environment: [
                "PATH": path ?? "\(self.folder.file("bin")):/usr/bin:/bin", "RUNTIME_DIRECTORY": self.folder.path,
                "LATCHKEY_CONSOLE_FONTS": self.folder.file("fonts"),
            ]
        ).run().0
    }

    private var loaded: [Substring] { ((try? self.folder.read("loaded")) ?? "").split(separator: "\n") }
    private var kept: String { self.folder.file("latchkey-font-tty1.psf") }

    @Test func `is one with half blocks while the code is on it, and its own again afterwards`() async throws {
        // As Lat15-VGA16 has it: full blocks, and no halves.
        try self.folder.write("0x00\tU+0020\n0xdb\tU+2588\n", to: "map")
        try self.folder.write("", to: "fonts/FullCyrSlav-VGA16.psf.gz")
        #expect(try await self.run("lend") == .exited(0))
        #expect(self.loaded == [self.folder.file("fonts/FullCyrSlav-VGA16.psf.gz")[...]])
        #expect(try self.folder.read("latchkey-font-tty1.psf") == "own\n")
        #expect(try await self.run("give-back") == .exited(0))
        #expect(self.loaded.last == self.kept[...] && self.loaded.count == 2)
        #expect(!FileManager.default.fileExists(atPath: self.kept))
        // A second time there is nothing to give back.
        #expect(try await self.run("give-back") == .exited(0))
        #expect(self.loaded.count == 2)
    }

    @Test("is left alone where it has half blocks, and where no other could be had", arguments: ["own", "none", "kbd"])
    func left(why: String) async throws {
        let blocks = why == "own" ? "0xdf\tU+2580\n0xdc\tU+2584\n" : ""
        try self.folder.write("\(blocks)0xdb\tU+2588\n", to: "map")
        if why != "none" { try self.folder.write("", to: "fonts/CyrKoi-VGA16.psf.gz") }
        #expect(try await self.run("lend", path: why == "kbd" ? "/nonexistent" : nil) == .exited(0))
        #expect(self.loaded.isEmpty && !FileManager.default.fileExists(atPath: self.kept))
    }
}
