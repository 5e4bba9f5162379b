import CommandLineTool
import Entitlement
import FoundationEssentials
import POSIX
import Stores
import TestSupport
import Testing
import latchkeyd

@Suite("The program latchkeyd", .demo, .timeLimit(.minutes(5)))
struct ProgramTests {
    @Test func `tells its version`() async throws {
        let (end, output, _) = try await BuiltProgram.start("--version").run()
        #expect(end == .exited(0))
        #expect(output == "latchkeyd \(ServerProgram.version)\n")
    }

    @Test(arguments: [
        "init", "check-config", "serve", "backup", "verify-media-token", "keys issue", "keys list", "keys rotate",
        "keys revoke", "keys application issue", "keys application list", "keys application statement",
        "keys application revoke", "keys client list", "keys client revoke", "keys setup-code list",
        "keys setup-code revoke", "keys signing list", "keys signing rotate", "user add",
        "user passwd", "user import", "user channels add", "user channels remove",
        "requestor add", "requestor list", "requestor edit", "requestor remove", "provider add", "provider list",
        "provider remove", "boxes list", "boxes show", "boxes sign-out", "explain", "report",
        "user list", "user remove", "user passkeys list", "user passkeys remove", "migrate", "restore",
        "sign-ins end", "keys rotate-seal", "store copy", "store take-back", "store check",
    ])
    func `explains every command with an example`(command: String) async throws {
        let help = try await CommandRun.run(command.split(separator: " ").map(String.init) + ["--help"]).expect(
            .success, output: "Usage:\n  latchkeyd \(command)", "Examples:\n  ", "Exit codes:\n")
        let codes = help.output.split(separator: "\n").drop { $0 != "Exit codes:" }
        #expect(Set(codes).count == codes.count)
    }

    @Test func `has an implementation for each command its help lists`() async throws {
        func leaves(_ command: Command, _ path: [String]) -> [[String]] {
            command.subcommands.isEmpty ? [path] : command.subcommands.flatMap { leaves($0, path + [$0.name]) }
        }
        let folder = try TemporaryFolder()
        for path in leaves(ServerProgram.program.root, []) {
            // Wrong on purpose, so that each is reached and none does anything.
            let words = path + (path == ["init"] ? ["--public-url", "x"] : ["--config", folder.file("none")])
            let operand = ["keys revoke", "keys rotate", "user add", "user passwd", "user remove", "backup"]
            let needsOperand =
                operand.contains(path.joined(separator: " ")) || ["statement", "revoke"].contains(path.last ?? "")
            let run = try await CommandRun.run(words + (needsOperand ? ["x"] : []))
            #expect(run.code != .internalError && run.code != .success, "\(path): \(run.talk)")
        }
    }

    @Test func `answers a mistyped command with the nearest one, and ends with 64`() async throws {
        let (end, output, talk) = try await BuiltProgram.start("sevre").run()
        #expect(end == .exited(64))
        #expect(output == "")
        #expect(talk.hasPrefix("latchkeyd: There is no command 'sevre'. Did you mean 'serve'?\n"))
    }

    @Test func `takes the configuration from LATCHKEYD_CONFIG where no option names it`() async throws {
        let (end, output, _) = try await BuiltProgram.start(
            "user", "list", environment: ["LATCHKEYD_CONFIG": setUp.configurationFile]
        ).run()
        #expect(end == .exited(0))
        #expect(output.contains("demo"))
    }

    @Test func `copies the store while it is in use, and never over an existing file`() async throws {
        let store = try await SQLiteStore.open(setUp.file("latchkeyd.sqlite"))
        let copy = setUp.folder.file("copy.sqlite")
        #expect(try await setUp.run("backup", "--store-only", copy).code == .success)
        #expect(PrivateFiles.status(setUp.file("last-backup")) == nil, "a copy without keys is no backup")
        let full = setUp.folder.file("full")
        #expect(try await setUp.run("backup", "--without-keys", full).code == .success)
        #expect(PrivateFiles.status(setUp.file("last-backup")) == nil, "nor is one without keys")
        try setUp.folder.writeSecret("long enough a passphrase\n", to: "passphrase")
        let words = ["backup", "--passphrase-file", setUp.folder.file("passphrase"), "\(full)-too"]
        try await setUp.run(words + ["--store-only"]).expect(.usage, talk: "do not go together.")
        // The server's user could have linked these to files of root's.
        for name in ["last-backup", "latchkeyd.sqlite-lives"] {
            try FileManager.default.createSymbolicLink(atPath: setUp.file(name), withDestinationPath: copy)
        }
        try await setUp.run(words).expect(.success)
        #expect(PrivateFiles.status(setUp.file("last-backup"))?.isRegularFile == true)
        #expect(PrivateFiles.status("\(full)-too/latchkeyd.sqlite-lives") == nil)
        await store.close()
        #expect(PrivateFiles.status(copy)?.modeText == "0600")
        let opened = try await SQLiteStore.open(copy)
        #expect(try await opened.accounts().map(\.name) == ["demo"])
        await opened.close()
        let again = try await setUp.run("backup", "--store-only", copy).expect(.stateProblem)
        #expect(again.talk.hasPrefix("latchkeyd: \(copy) exists already.\n"))
        for words in [["--store-only"], ["--without-keys"]] {
            try await CommandRun.run(
                ["backup"] + words + ["--config", setUp.configurationFile, "/nonexistent/copy"]
            ).expect(.stateProblem, talk: "/nonexistent/copy cannot be written: ")
        }
    }

    @Test(.enabled(if: SmallFileSystem.isAvailable)) func `says that the disk has no room for a backup`() async throws {
        let disk = setUp.file("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        try #require(SmallFileSystem.mount(disk, megabytes: 1))
        defer { SmallFileSystem.unmount(disk) }
        SmallFileSystem.fill(disk)
        for words in [["--store-only"], ["--without-keys"]] {
            let run = try await CommandRun.run(
                ["backup"] + words + ["--config", setUp.configurationFile, "\(disk)/copy"]
            ).expect(.stateProblem, talk: "\(disk)/copy cannot be written: ")
            #expect(run.talk.contains("the disk is full") || run.talk.contains("no space"), "\(run.talk)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == ["ballast"])
        }
    }

    @Test(arguments: [["user", "list"], ["serve", "--listen", "127.0.0.1:0"], ["check"], ["check-config"]])
    func `tells which store is missing or empty, and makes none by the way`(words: [String]) async throws {
        try setUp.replace("// file: \"latchkeyd.sqlite\"", with: "file: \"other.sqlite\"")
        let looks = words[0].hasPrefix("check")
        let file = setUp.file("other.sqlite")
        for sentence in ["There is no store at \(file).", "The store \(file) is empty."] {
            let run = try await setUp.run(words).expect(looks ? .configuration : .stateProblem)
            let line = looks ? "\(setUp.configurationFile): store.file: \(sentence)" : "latchkeyd: \(sentence)"
            #expect((looks ? run.output : run.talk).hasPrefix(line), "\(run.output)\(run.talk)")
            let mayBeMoved = "\(run.output)\(run.talk)".contains("If the file was moved, move it back, and do not stop")
            #expect(mayBeMoved == sentence.hasPrefix("There is no store"))
            #expect((PrivateFiles.status(file)?.size ?? 0) == 0)
            try setUp.folder.write("", to: "server/other.sqlite")
        }
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        let run = try await setUp.run(words).expect(looks ? .configuration : .stateProblem)
        #expect((looks ? run.output : run.talk).contains("The store \(file) is a folder."), "\(run.talk)")
        #expect("\(run.output)\(run.talk)".contains("or move the folder aside"))
        #expect(!run.talk.contains("others could read the store"), "\(run.talk)")
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: file)
        let circle = try await setUp.run(words).expect(looks ? .configuration : .stateProblem)
        #expect((looks ? circle.output : circle.talk).contains("cannot be used: its links lead in a circle."))
    }

    @Test func `understands every example of its help texts`() throws {
        func all(_ command: Command) -> [String] { command.examples.map(\.key) + command.subcommands.flatMap(all) }
        let lines = all(ServerProgram.program.root)
        #expect(lines.count > 60)
        for line in lines {
            // The part of a pipeline that is this program's, without what the shell takes for itself.
            guard let own = line.split(separator: "|").first(where: { $0.contains("latchkeyd ") }) else { continue }
            let words = own.matches(of: /'([^']*)'|([^\s']+)/).map { String($0.1 ?? $0.2 ?? "") }
            let arguments = words.dropFirst().prefix { !$0.hasPrefix("<") && !$0.hasPrefix(">") }
            guard case .run = try ServerProgram.program.read(Array(arguments)) else {
                #expect(arguments.first == "help", "\(line)")
                continue
            }
        }
    }

    @Test func `says with --json what a command said that has no JSON of its own, and how it ended`() async throws {
        let good = try await setUp.run("requestor", "add", "NORTHSPORT", "--provider", "DemoTV", "--json")
        #expect(good.code == .success && good.talk == "")
        #expect(good.output.hasPrefix(#"{"exitCode":0,"messages":[""#), "\(good.output)")
        try await setUp.run("check-config", "/nonexistent.json5", "--json").expect(
            .configuration, output: #""exitCode":78"#, #""results":["/nonexistent.json5: "#)
        let usage = try await setUp.run("keys", "revoke", "none", "--json")
        #expect(usage.output.contains(#"There is no key pair with this public key."#), "\(usage.output)")
    }

    @Test func `shows its commands in groups, each once`() async throws {
        let help = try await CommandRun.run("--help").output
        var place = help.startIndex
        for heading in ["Set up:", "Viewers and boxes:", "From day to day:", "Store and backup:", "Other commands:"] {
            let range = try #require(help[place...].firstRange(of: heading))
            place = range.upperBound
        }
        for command in ServerProgram.program.root.subcommands {
            #expect(help.matches(of: try Regex("\n  \(command.name)  +[A-Z]")).count == 1, "\(command.name)")
        }
    }

    @Test func `prints the manual page of its configuration, with every setting`() async throws {
        let page = try await CommandRun.run("help", "--man", "latchkeyd.json5").output
        #expect(page.hasPrefix(".TH \"LATCHKEYD.JSON5\" 5 "))
        for setting in [
            "server.publicURL", "store.connection", "requestors[].integrations[].provider", "providers[].saml.keys",
        ] {
            #expect(page.contains("\n.B \(setting)\n"), "\(setting)")
        }
    }

    @Test func `lets shells complete kinds, brands and providers`() async throws {
        func completions(_ words: String) async throws -> [String] {
            let script = """
                latchkeyd() { '\(BuiltProgram.path)' "$@"; }
                source <(latchkeyd completion bash)
                COMP_WORDS=(latchkeyd \(words) '') COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _latchkeyd; printf '%s\\n' "${COMPREPLY[@]}"
                """
            let (end, output, talk) = try await ChildProcess(
                "bash", ["-c", script],
                environment: ["LATCHKEYD_CONFIG": setUp.configurationFile, "PATH": "/usr/bin:/bin"]
            ).run()
            #expect(end == .exited(0), "\(talk)")
            return output.split(separator: "\n").map(String.init)
        }
        #expect(try await completions("provider add X --kind") == ProviderKinds.names)
        #expect(try await completions("keys issue --requestor") == ["DEMO", "DEMO-CLASSIC"])
        #expect(try await completions("requestor edit DEMO --add-provider") == ["DemoTV", "FreePreview"])
        for shell in ["zsh", "fish"] {
            let text = try await CommandRun.run("completion", shell).output
            #expect(text.contains("latchkeyd requestor list 2>/dev/null"), "\(shell)")
        }
    }
}
