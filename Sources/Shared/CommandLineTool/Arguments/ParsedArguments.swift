/// The arguments of a command: its options and operands, in order.
package struct ParsedArguments: Sendable {
    package let commandPath: [String]
    package let operands: [String]
    let declared: Set<String>
    let given: [String: [String]]

    /// Whether the flag or option was given at all.
    package func has(_ name: String) -> Bool { !self.values(name).isEmpty }

    /// The value of an option, the last one if it may be repeated; `nil` when it was not given.
    package func value(_ name: String) -> String? { self.values(name).last }

    package func values(_ name: String) -> [String] {
        precondition(self.declared.contains(name), "--\(name) is asked for but not declared")
        return self.given[name] ?? []
    }

    /// The value of an option as a decimal number within `range`.
    /// - Throws: when it is something else.
    package func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = self.value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw self.fault(
                "--\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'.")
        }
        return number
    }

    /// The value of an option that must be there.
    package func required(_ name: String) throws(UsageError) -> String {
        guard let text = self.value(name) else { throw self.fault("--\(name) is missing.") }
        return text
    }

    /// - Throws: when more than one of these options was given.
    package func requireAtMostOne(of names: String...) throws(UsageError) {
        let given = names.filter(self.has).map { "--\($0)" }
        guard given.count <= 1 else { throw self.fault("\(given.joined(separator: " and ")) do not go together.") }
    }

    package func fault(_ sentence: String) -> UsageError { UsageError(sentence, commandPath: self.commandPath) }

    /// The same for a name that is none of those there are, with the nearest of them.
    /// - Parameters:
    ///   - what: how the sentence begins, such as "The configuration has no provider".
    ///   - kind: what stands behind the name, such as " of kind local".
    package func fault(_ what: String, unknown word: String, _ kind: String = "", among names: [String]) -> UsageError {
        let hint = nearestName(to: word, among: names).map { " Did you mean '\($0)'?" } ?? ""
        return self.fault("\(what) '\(terminalSafe(word, limit: 80))'\(kind).\(hint)")
    }
}

/// The command line cannot be understood. Ends a program with ``ExitCode/usage``.
package struct UsageError: Error, Hashable, CustomStringConvertible {
    package let sentence: String
    /// The words that lead to the command whose help says more, beginning with the program.
    package let commandPath: [String]

    package init(_ sentence: String, commandPath: [String]) {
        self.sentence = sentence
        self.commandPath = commandPath
    }

    package var description: String { "\(self.sentence)\nSee '\(self.commandPath.joined(separator: " ")) --help'." }
}
