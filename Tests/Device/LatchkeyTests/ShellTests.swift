import TestSupport
import Testing

@Suite("latchkey in a shell", .timeLimit(.minutes(5)))
struct ShellTests {
    private static let commands = [
        "init", "doctor", "pair", "status", "providers", "authorize", "preauthorize", "metadata", "logout", "boxes",
        "agent", "account", "permission", "help", "version", "completion",
    ]

    private func completions(of words: String...) async throws -> [String] {
        let list = words.map { "'\($0)'" }.joined(separator: " ")
        let script = """
            source <('\(Latchkey.program)' completion bash)
            COMP_WORDS=(latchkey \(list)); COMP_CWORD=\(words.count); _latchkey
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let (end, output, talk) = try await ChildProcess("bash", ["-c", script]).run()
        #expect(end == .exited(0) && talk == "", "\(talk)")
        return output.split(separator: "\n").map(String.init)
    }

    @Test func `completes commands and options in bash`() async throws {
        #expect(try await self.completions(of: "") == Self.commands)
        #expect(try await self.completions(of: "pr") == ["providers", "preauthorize"])
        #expect(try await self.completions(of: "--json", "sta") == ["status"])
        #expect(try await self.completions(of: "--server", "status", "pair", "--ti") == ["--timeout"])
        #expect(try await self.completions(of: "status", "--off") == ["--offline"])
        #expect(try await self.completions(of: "--requ") == ["--requestor"])
    }

    @Test func `tells zsh and fish every command, and no shell it does not know`() async throws {
        for shell in ["zsh", "fish"] {
            let (end, output, _) = try await ChildProcess(Latchkey.program, ["completion", shell]).run()
            #expect(end == .exited(0))
            for command in Self.commands { #expect(output.contains(command), "\(shell): \(command)") }
            #expect(output.contains("timeout") && output.contains("offline"))
        }
        let (end, _, talk) = try await ChildProcess(Latchkey.program, ["completion", "csh"]).run()
        #expect(end == .exited(64) && talk.contains("bash, zsh, fish"))
    }

    @Test func `prints its manual page, with every command, option and exit code`() async throws {
        let (end, output, talk) = try await ChildProcess(Latchkey.program, ["help", "--man"]).run()
        #expect(end == .exited(0) && talk == "")
        #expect(output.hasPrefix(".TH \"LATCHKEY\" 1"))
        for command in Self.commands { #expect(output.contains("\n.SS \"latchkey \(command)"), "\(command)") }
        for words in ["\\-\\-timeout SECONDS", "\\-\\-offline", ".B 75\n", "certificateAuthority"] {
            #expect(output.contains(words), "\(words)")
        }
        // Nothing of a text is taken for a request of roff.
        for line in output.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
            let request = line.prefix { $0 != " " }
            #expect([".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".RS", ".RE", ".nf", ".fi"].contains(request), "\(line)")
        }
    }

    @Test func `prints the manual page of its configuration, with every setting`() async throws {
        let page = try await ChildProcess(Latchkey.program, ["help", "--man", "latchkey.json5"]).run().output
        #expect(page.hasPrefix(".TH \"LATCHKEY.JSON5\" 5 "))
        for setting in ["server", "keyPair.privateKey", "agent.socket", "requestors", "proxyExcept"] {
            #expect(page.contains("\n.B \(setting)\n"), "\(setting)")
        }
    }

    @Test func `explains every command, by 'help' and by --help alike, and shows its version`() async throws {
        for command in Self.commands {
            let one = try await ChildProcess(Latchkey.program, ["help", command]).run()
            let other = try await ChildProcess(Latchkey.program, [command, "--help"]).run()
            #expect(one.end == .exited(0) && one.output == other.output && one.output.contains("Usage:"))
        }
        let slip = try await ChildProcess(Latchkey.program, ["help", "piar"]).run()
        #expect(slip.end == .exited(64) && slip.talk.contains("Did you mean 'pair'?"))
        for words in [["version"], ["-v"], ["--version"]] {
            let (end, output, _) = try await ChildProcess(Latchkey.program, words).run()
            #expect(end == .exited(0) && output.hasPrefix("latchkey 0."))
        }
    }
}
