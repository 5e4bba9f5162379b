/// The command line cannot be understood. Ends a program with ``ExitCode/usage``.
package struct UsageError: Error, Hashable, CustomStringConvertible {
    /// The fault, as a sentence for the person at the keyboard.
    package let sentence: String
    /// The words that lead to the command whose help says more, beginning with the program.
    package let commandPath: [String]

    package init(_ sentence: String, commandPath: [String]) {
        self.sentence = sentence
        self.commandPath = commandPath
    }

    /// The sentence, and where to read on.
    package var description: String {
        "\(self.sentence)\nSee '\(self.commandPath.joined(separator: " ")) --help'."
    }
}
