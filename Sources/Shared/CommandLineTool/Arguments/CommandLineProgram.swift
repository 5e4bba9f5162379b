import POSIX

/// A program: its root command and version. It reads a command line into a ``Request``.
package struct CommandLineProgram: Sendable {
    package enum Request: Sendable {
        /// Print this text on stdout and end with success.
        case print(String)
        /// Run the command these words lead to, without the program's own name.
        case run([String], ParsedArguments)
    }

    /// The version of this source, of both programs and of the packages `deploy/package/make` makes of them.
    package static let releasedVersion = "0.1.0"

    /// The same with the commit it was built from, where the build was told.
    package static var builtVersion: String {
        ThisProcess.commit.map { "\(Self.releasedVersion) (\($0))" } ?? Self.releasedVersion
    }

    package let root: Command
    package let version: String
    /// The width help texts are wrapped to, in columns.
    package let width: Int

    /// The headings that the commands of the root stand under in its help text, with their names; the others stand last.
    let topics: [(heading: String, commands: [String])]
    let hasJSON: Bool
    let filePages: [String: @Sendable () -> String]

    package init(
        _ root: Command, version: String, width: Int = 80, topics: [(heading: String, commands: [String])] = [],
        filePages: [String: @Sendable () -> String] = [:]
    ) {
        self.topics = topics
        self.filePages = filePages
        // A program that is one command has no room for others.
        let hasJSON = root.options.contains { $0.name == "json" }
        let builtIn = BuiltInCommand.allCases.map { $0.command(of: root.name, hasJSON: hasJSON) }
        self.hasJSON = hasJSON
        self.root = root.subcommands.isEmpty ? root : root.adding(builtIn)
        self.version = version
        self.width = min(max(width, 40), 120)
    }

    /// Reads the arguments that follow the program's name.
    ///
    /// `--help` and `-h` win over everything that follows the command's name, and `--version` or `-v` stands where a
    /// command would. A program with commands also has `help`, `version` and `completion`. Options may stand before and
    /// after operands; after `--` everything is an operand; a lone `-` is an operand.
    /// - Throws: with a sentence that names the word at fault, and the nearest name if there is one.
    package func read(_ arguments: [String]) throws(UsageError) -> Request {
        var words = CommandWords(root: self.root)
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" {
                for operand in rest { try words.take(operand: operand) }
                break
            }
            if word == "--help" || word == "-h" { return .print(self.help(for: words.chain)) }
            if word == "--version" || word == "-v", words.chain.count == 1 {
                return .print("\(self.root.name) \(self.version)")
            }
            if word.hasPrefix("-"), word != "-" {
                try words.take(option: word, rest: &rest)
            } else {
                try words.take(operand: word)
            }
        }
        if let usual = words.command.usual { try words.take(operand: usual) }
        guard words.command.subcommands.isEmpty else {
            let names = words.command.subcommands.map(\.name).filter { BuiltInCommand(rawValue: $0) == nil }
                .joined(separator: ", ")
            throw UsageError("A command is missing: \(names).", commandPath: words.path)
        }
        let path = Array(words.path.dropFirst())
        let parsed = try words.finish()
        if path.count == 1, let builtIn = BuiltInCommand(rawValue: path[0]) {
            return .print(try builtIn.text(parsed, of: self))
        }
        return .run(path, parsed)
    }
}
