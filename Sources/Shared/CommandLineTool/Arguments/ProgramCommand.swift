/// A command of a program with its work, or a group of commands.
package struct ProgramCommand<Work: Sendable>: Sendable {
    package let command: Command
    /// `nil` of a group.
    private let work: Work?
    private let members: [ProgramCommand]

    package init(
        _ name: String, _ summary: String, discussion: [String] = [], options: [CommandOption] = [],
        operands: [CommandOperand] = [], examples: KeyValuePairs<String, String> = [:], exitCodes: [ExitCode],
        _ work: Work
    ) {
        self.command = Command(
            name, summary, discussion: discussion, options: options, operands: operands, examples: examples,
            exitCodes: exitCodes)
        (self.work, self.members) = (work, [])
    }

    /// Commands that are called with a word of their own in front.
    /// - Parameter usual: the member that is meant if none is named.
    package init(
        group name: String, _ summary: String, discussion: [String] = [], options: [CommandOption] = [],
        examples: KeyValuePairs<String, String> = [:], usual: String? = nil, _ members: [ProgramCommand]
    ) {
        self.command = Command(
            name, summary, discussion: discussion, options: options, examples: examples,
            subcommands: members.map(\.command), usual: usual)
        (self.work, self.members) = (nil, members)
    }

    /// The work of the command that words behind this one's own lead to; `nil` if they lead to none.
    package func work(of words: ArraySlice<String>) -> Work? {
        guard let word = words.first else { return self.work }
        return self.members.first { $0.command.name == word }?.work(of: words.dropFirst())
    }
}
