import FoundationEssentials
import TestSupport
import Testing

@Suite("The README", .serialized, .timeLimit(.minutes(5)))
struct ReadmeTests {
    /// What runs a block as it is printed.
    private enum Proof {
        /// A test of this suite.
        case here
        /// `deploy/check/installation`, in a Debian of its own.
        case installation
        /// A script, by the command that the block is or stands for.
        case script(String, runs: String)
    }

    private static let proofs: [String: Proof] = [
        "try-it.sh": .script("deploy/test", runs: "deploy/try --auto"),
        "the-packages.sh": .script("deploy/check/installation", runs: "deploy/package/make --programs"),
        "the-server.sh": .installation,
        "a-code-for-a-box.sh": .here,
        "the-box.sh": .installation,
        "on-the-box.sh": .here,
        "test-it.sh": .script(".ci/run", runs: "./deploy/test"),
    ]

    private static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: ProjectFolder.file(path))), as: UTF8.self)
    }

    @Test func `has no block of code that nothing runs`() async throws {
        let blocks = try await PrintedBlocks.of("README.md")
        #expect(Set(blocks.names) == Set(Self.proofs.keys))
        // The script's last check holds it to this list.
        let installation = try Self.text("deploy/check/installation")
        let list = try #require(installation.firstMatch(of: /\nreadme_blocks=\(([^)]*)\)/)?.output.1)
        let installed = Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
        #expect(installed.isSuperset(of: ["https-with-nginx.sh", "https-without-a-proxy.sh"]), "of the manual")
        for name in blocks.names {
            switch Self.proofs[name] {
            case .installation:
                #expect(installed.contains(name), "\(name)")
            case .script(let script, let command):
                #expect(try Self.text(script).contains(command), "\(name)")
            case .here, nil: break
            }
        }
    }

    @Test func `names commands and options that there are, and so does the operator's guide`() async throws {
        let commands = try PrintedCommand.all(in: "README.md").union(PrintedCommand.all(in: "deploy/OPERATING.md"))
        #expect(commands.count > 40)
        for command in commands {
            let program = command.words[0] == "latchkey" ? ProgramFolder.own.box : ProgramFolder.own.server
            let (end, help, talk) = try await ChildProcess(program, command.words.dropFirst() + ["--help"]).run()
            #expect(end == .exited(0), "\(command.words): \(talk)")
            for option in command.options where option != "--help" {
                // Not the beginning of a longer one.
                let isListed = [" ", ",", "\n"].contains { help.contains("  \(option)\($0)") }
                #expect(isListed, "\(command.words) \(option)")
            }
        }
    }

    @Test func `shows providers that the configuration takes`() async throws {
        let blocks = try await PrintedBlocks.of("deploy/OPERATING.md")
        for name in ["a-tv-provider-with-openid-connect.json5", "a-tv-provider-with-saml-2-0.json5"] {
            let folder = try TemporaryFolder()
            let (isMade, _, words) = try await ChildProcess(
                ProgramFolder.own.server, ["init", "--folder", folder.path]
            ).run()
            #expect(isMade == .exited(0), "\(words)")
            let secret = try folder.write("secret\n", to: "cable-nova.secret")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
            let (made, _, talk) = try await ChildProcess(
                ProgramFolder.own.server, ["provider", "make-key", folder.file("saml.pem")]
            ).run()
            #expect(made == .exited(0), "\(talk)")
            let file = try folder.write(
                """
                { server: { publicURL: "https://tv.example", trustedProxies: ["127.0.0.1"] }, providers: [
                \(try blocks.text(name))], requestors: [
                { id: "NORTHSPORT", name: "North Sport", integrations: [{ provider: "CableNova" }] },
                ] }
                """, to: "latchkeyd.json5")
            let (end, output, verdict) = try await ChildProcess(ProgramFolder.own.server, ["check-config", file]).run()
            #expect(end == .exited(0) && output == "", "\(output)\(verdict)")
            #expect(verdict == "\(file): no faults.\n")
        }
    }

    @Test func `builds by hand what the scripts build, out of the same packages`() async throws {
        let blocks = try await PrintedBlocks.of("deploy/OPERATING.md")
        let script = """
            cd "$1" && . deploy/check/lib.sh && sudo() { "$@"; }
            apt-get() { shift; packages=("$@"); }
            swift() { shift; builds+=("$*"); }
            . "$2"
            [ "${packages[*]}" = "${build_packages[*]}" ] || echo "packages: ${packages[*]}"
            for product in latchkeyd latchkey; do wanted+=("${release_flags[*]} --product $product"); done
            [ "${builds[*]}" = "${wanted[*]}" ] || echo "builds: ${builds[*]}"
            """
        let (end, output, talk) = try await ChildProcess(
            "/bin/bash", ["-ec", script, "bash", ProjectFolder.file(""), blocks.file("without-packages.sh")]
        ).run()
        #expect(end == .exited(0) && output == "", "\(output)\(talk)")
    }

    @Test func `shows an application that compiles`() async throws {
        let blocks = try await PrintedBlocks.of("deploy/clients/swift.md")
        let folder = try TemporaryFolder()
        let file = try folder.write(
            """
            import AccessEnabler
            import FoundationEssentials
            struct Player { func start(with token: String) {} }
            struct Screen {
                func pick(_ providers: [MVPD]) -> String? { nil }
                func show(_ code: String, _ address: String?) {}
            }
            func play(_ statement: String, on server: URL, _ player: Player, _ screen: Screen) async throws {
            \(try blocks.text("an-application-on-the-box.swift"))
            }
            """, to: "application.swift"
        )
        var arguments = ["swiftc", "-typecheck", "-I", ProgramFolder.own.program("Modules"), file]
        let libraries = try FileManager.default.contentsOfDirectory(atPath: ProjectFolder.file("Sources/CLibraries"))
        for library in libraries {
            let map = ProjectFolder.file("Sources/CLibraries/\(library)/module.modulemap")
            arguments += ["-Xcc", "-fmodule-map-file=\(map)"]
        }
        // The compiler is where the person who runs the tests has it.
        let (end, output, talk) = try await ChildProcess(
            "/bin/bash", ["-lc", "exec \"$0\" \"$@\""] + arguments,
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": folder.path]
        ).run()
        #expect(end == .exited(0), "\(output)\(talk)")
    }

    @Test(
        "has commands for the box that pair it, play, and sign it out, with a code as the operator's command shows it")
    func box() async throws {
        try await ReadmeScene.with { scene in
            let blocks = try await PrintedBlocks.of("README.md")
            let issued = try await scene.shell(blocks.file("a-code-for-a-box.sh")).run()
            #expect(issued.end == .exited(0), "\(issued.talk)")
            let code = try #require(issued.output.firstMatch(of: /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/)?.output)
            let made = try await scene.box("init", "--server", scene.url, "--code", String(code)).run()
            #expect(made.end == .exited(0), "\(made.talk)")

            let process = try scene.shell(blocks.file("on-the-box.sh"))
            async let output = process.outputLines.reduce(into: "") { $0 += $1 + "\n" }
            var talk = ""
            var hasPaired = false
            for await line in process.talkLines {
                talk += line + "\n"
                guard !hasPaired, let shown = line.firstMatch(of: /\b[A-Z2-9]{3}-[A-Z2-9]{4}\b/)?.output else {
                    continue
                }
                hasPaired = true
                try await scene.confirm(String(shown))
            }
            #expect(await process.waitForEnd() == .exited(0), "\(talk)")
            let results = await output
            #expect(hasPaired, "\(results)\(talk)")
            // A media token is the Base64 of a document that names its channel.
            let documents = results.split(separator: "\n").compactMap { Data(base64Encoded: String($0)) }
            #expect(
                documents.contains { String(decoding: $0, as: UTF8.self).contains("North Sport") }, "\(results)\(talk)")
            #expect(try await scene.box("status").run().end == .exited(2), "signed out")
        }
    }
}
