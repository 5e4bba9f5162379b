/// The built-in commands of every program with subcommands: say how it is used, to people, to shells and to man(1).
enum BuiltInCommand: String, CaseIterable {
    case help, version, completion

    func command(of program: String, hasJSON: Bool) -> Command {
        switch self {
        case .help:
            Command(
                self.rawValue, "Explain a command, or print the manual page",
                options: [
                    .flag(
                        "man", "Print the manual page, or that of a file in place of COMMAND, in the language of man(7)"
                    )
                ],
                operands: [CommandOperand("COMMAND", "The words of the command", count: .any)],
                examples: ["\(program) help --man | man -l -": "read the manual page"],
                exitCodes: [.success, .usage])
        case .version:
            Command(
                self.rawValue, "Show the version", options: hasJSON ? [] : [.flag("json", "As JSON on one line")],
                exitCodes: [.success])
        case .completion:
            Command(
                self.rawValue, "Print what a shell needs to complete commands and options",
                operands: [CommandOperand("SHELL", "bash, zsh or fish")], exitCodes: [.success, .usage])
        }
    }

    /// - Throws: for a shell or a command that is not known.
    func text(_ arguments: ParsedArguments, of program: CommandLineProgram) throws(UsageError) -> String {
        switch self {
        case .help:
            if arguments.has("man") {
                return arguments.operands.first.flatMap { program.filePages[$0] }?() ?? program.manualPage
            }
            var words = CommandWords(root: program.root)
            for word in arguments.operands { try words.take(operand: word) }
            return program.help(for: words.chain)
        case .version:
            // An option of the whole program is the program's to follow.
            return arguments.has("json") && !program.hasJSON
                ? #"{"program":"\#(program.root.name)","version":"\#(program.version)"}"#
                : "\(program.root.name) \(program.version)"
        case .completion:
            guard let shell = CompletionShell(rawValue: arguments.operands[0]) else {
                let names = CompletionShell.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError(
                    "There is nothing for the shell '\(arguments.operands[0])', only for \(names).",
                    commandPath: arguments.commandPath)
            }
            return program.completion(for: shell)
        }
    }
}
