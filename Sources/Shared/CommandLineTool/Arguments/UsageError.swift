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

    /// A name that is none of those there are, with the nearest of them.
    /// - Parameters:
    ///   - what: how the sentence begins, such as "The configuration has no provider".
    ///   - kind: what stands behind the name, such as " of kind local".
    package init(
        _ what: String, unknown word: String, _ kind: String = "", among names: [String], commandPath: [String]
    ) {
        let hint = nearestName(to: word, among: names).map { " Did you mean '\($0)'?" } ?? ""
        self.init("\(what) '\(terminalSafe(word, limit: 80))'\(kind).\(hint)", commandPath: commandPath)
    }

    /// The sentence, and where to read on.
    package var description: String {
        "\(self.sentence)\nSee '\(self.commandPath.joined(separator: " ")) --help'."
    }
}
