import CommandLineTool
import Testing

/// A program with every kind of option, operand and group.
private let program = CommandLineProgram(
    Command(
        "box", "Keep a box in order",
        options: [.value("config", "FILE", "Read this file"), .flag("json", "Print events as JSON")],
        subcommands: [
            Command(
                "pair", "Sign this box in", discussion: ["It waits until somebody has signed in."],
                options: [
                    .flag("again", "Sign in even if somebody is signed in"), .value("ttl", "SECONDS", "How long"),
                ],
                examples: ["box pair --json": "one event a line"], exitCodes: [.success, .declined]),
            Command(
                "boxes", "Look after boxes", subcommands: [Command("list", "List them"), Command("end", "End one")],
                usual: "list"),
            Command("authorize", "Ask for a channel", operands: [CommandOperand("RESOURCE", "The channel")]),
            Command(
                "keys", "Look after keys",
                subcommands: [
                    Command(
                        "revoke", "Withdraw keys", options: [.value("reason", "TEXT", "Why", isRepeatable: true)],
                        operands: [CommandOperand("KEY", "Its public part", count: .oneOrMore)])
                ]),
        ]),
    version: "1.2.3")

private func arguments(_ words: String...) throws -> (path: [String], parsed: ParsedArguments) {
    guard case .run(let path, let parsed) = try program.read(words) else {
        throw UsageError("help instead of a command", commandPath: [])
    }
    return (path, parsed)
}

/// The text of a command line that asks for one.
private func printed(_ words: String..., by program: CommandLineProgram = program) throws -> String {
    guard case .print(let text) = try program.read(words) else {
        throw UsageError("a command instead of a text", commandPath: [])
    }
    return text
}

@Suite("A command line")
struct CommandLineProgramTests {
    @Test func `takes a value after a space and after an equals sign alike`() throws {
        #expect(try arguments("pair", "--ttl", "60").parsed.value("ttl") == "60")
        #expect(try arguments("pair", "--ttl=60").parsed.value("ttl") == "60")
        #expect(try arguments("pair", "--ttl=a=b").parsed.value("ttl") == "a=b")
    }

    @Test func `may give a program's options before or after the command`() throws {
        let before = try arguments("--json", "--config", "x", "pair").parsed
        let after = try arguments("pair", "--config=x", "--json").parsed
        #expect(before.has("json") && before.value("config") == "x")
        #expect(after.has("json") && after.value("config") == "x")
        #expect(try arguments("pair").parsed.has("json") == false)
    }

    @Test func `leads through groups of commands, and keeps repeated options and operands in order`() throws {
        let (path, parsed) = try arguments("keys", "revoke", "k1", "--reason", "lost", "k2", "--reason=sold")
        #expect(path == ["keys", "revoke"])
        #expect(parsed.operands == ["k1", "k2"])
        #expect(parsed.values("reason") == ["lost", "sold"])
    }

    @Test func `means the usual one of a group where none is named`() throws {
        #expect(try arguments("boxes").path == ["boxes", "list"])
        #expect(try arguments("boxes", "--json").path == ["boxes", "list"])
        #expect(try arguments("boxes", "end").path == ["boxes", "end"])
        #expect(throws: UsageError.self) { try arguments("keys") }
        #expect(try printed("help", "boxes").contains("box boxes [COMMAND]"))
        #expect(try printed("help", "help").contains("  box help --man | man -l -"))
    }

    @Test func `takes everything after two hyphens, and a lone hyphen, as operands`() throws {
        #expect(try arguments("authorize", "--", "--strange").parsed.operands == ["--strange"])
        #expect(try arguments("authorize", "-").parsed.operands == ["-"])
    }

    @Test(
        "that cannot be understood is answered with a sentence that names the word",
        arguments: [
            (["pair", "--agian"], "There is no option '--agian'. Did you mean '--again'?"),
            (["pair", "--zzzzzz"], "There is no option '--zzzzzz'."),
            (["piar"], "There is no command 'piar'. Did you mean 'pair'?"),
            (["--ttl", "5", "pair"], "'--ttl' stands behind the command: box COMMAND --ttl …."),
            (["pair", "-x"], "There is no option '-x'; options are written out, such as --help."),
            (["pair", "--ttl"], "--ttl needs a value: --ttl SECONDS."),
            (["pair", "--ttl="], "The value of --ttl is empty."),
            (["pair", "--ttl=1", "--ttl=2"], "--ttl is given twice."),
            (["pair", "--again=yes"], "--again takes no value."),
            (["pair", "extra"], "There is no place for 'extra'; a value with spaces needs quotes around it."),
            (["authorize"], "RESOURCE is missing."),
            (["keys", "revoke"], "KEY is missing."),
            (["keys"], "A command is missing: revoke."),
            ([], "A command is missing: pair, boxes, authorize, keys."),
        ])
    func sentences(words: [String], expected: String) {
        #expect(throws: UsageError.self) { try program.read(words) }
        do {
            _ = try program.read(words)
        } catch {
            #expect(error.sentence == expected)
        }
    }

    @Test func `that is wrong says where to read on`() {
        let error = #expect(throws: UsageError.self) { try program.read(["keys", "revoke", "--nope"]) }
        #expect(error?.description.hasSuffix("\nSee 'box keys revoke --help'.") == true)
    }

    @Test func `holds numbers to their range`() throws {
        let parsed = try arguments("pair", "--ttl", "61").parsed
        #expect(try parsed.integer("ttl", in: 1...61) == 61)
        let error = #expect(throws: UsageError.self) { try parsed.integer("ttl", in: 1...60) }
        #expect(error?.sentence == "--ttl takes a whole number from 1 to 60, not '61'.")
        #expect(throws: UsageError.self) { try arguments("pair", "--ttl", "soon").parsed.integer("ttl", in: 1...60) }
    }

    @Test func `with --version prints name and version`() throws {
        #expect(try printed("--version") == "box 1.2.3")
    }

    @Test func `with version --json prints them as JSON, unless the whole program has that option`() throws {
        let plain = CommandLineProgram(Command("tool", "", subcommands: [Command("run", "")]), version: "1.2.3")
        for (program, text) in [(plain, #"{"program":"tool","version":"1.2.3"}"#), (program, "box 1.2.3")] {
            #expect(try printed("version", "--json", by: program) == text)
        }
    }

    @Test func `with --help prints the command's help, whatever else is missing or follows`() throws {
        let text = try printed("pair", "--help", "--nonsense")
        let expected = """
            box pair: Sign this box in.

            Usage:
              box pair [OPTION]…

            It waits until somebody has signed in.

            Options:
              --again        Sign in even if somebody is signed in
              --ttl SECONDS  How long
              --help         Show this text

            Options of every command:
              --config FILE  Read this file
              --json         Print events as JSON

            Examples:
              box pair --json  one event a line

            Exit codes:
              0  done
              4  declined on the second screen

            """
        #expect(text == expected)
    }

    @Test func `help stays within the width it was given`() throws {
        let wordy = Command("wordy", String(repeating: "many words ", count: 30) + "end")
        let text = try printed("--help", by: CommandLineProgram(wordy, version: "1", width: 50))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 50 })
    }
}
