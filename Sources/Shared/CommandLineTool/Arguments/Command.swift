/// A command: what it is for, what it takes and what it gives back. Help texts and the reader both work from it.
package struct Command: Sendable {
    /// The word that calls it; for the root, the name of the program.
    package let name: String
    /// One sentence without its full stop, for the list of commands.
    package let summary: String
    /// Further paragraphs of the help text, each one string.
    package let discussion: [String]
    /// Options of this command; its subcommands understand them too.
    package let options: [CommandOption]
    package let operands: [CommandOperand]
    /// Command lines to copy, each with what it does.
    package let examples: KeyValuePairs<String, String>
    /// Every way it may end, for the help text.
    package let exitCodes: [ExitCode]
    /// Empty for a command that does something itself.
    package private(set) var subcommands: [Command]
    /// The subcommand that is meant if none is named; `nil` if one has to be.
    package let usual: String?

    package init(
        _ name: String, _ summary: String, discussion: [String] = [], options: [CommandOption] = [],
        operands: [CommandOperand] = [], examples: KeyValuePairs<String, String> = [:], exitCodes: [ExitCode] = [],
        subcommands: [Command] = [], usual: String? = nil
    ) {
        precondition(usual == nil || subcommands.contains { $0.name == usual }, "the usual subcommand is one of them")
        precondition(operands.isEmpty || subcommands.isEmpty, "a command has operands or subcommands, not both")
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.options = options
        self.operands = operands
        self.examples = examples
        self.exitCodes = exitCodes
        self.subcommands = subcommands
        self.usual = usual
    }

    func adding(_ subcommands: [Command]) -> Command {
        var copy = self
        copy.subcommands += subcommands
        return copy
    }
}
