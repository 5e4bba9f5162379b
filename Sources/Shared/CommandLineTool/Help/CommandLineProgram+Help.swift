extension CommandLineProgram {
    /// The help text of the command these words lead to, or of the furthest one they reach.
    package func help(for words: [String]) -> String {
        var chain = [self.root]
        for word in words {
            guard let next = chain[chain.count - 1].subcommands.first(where: { $0.name == word }) else { break }
            chain.append(next)
        }
        return self.help(for: chain)
    }

    func help(for chain: [Command]) -> String {
        let command = chain[chain.count - 1]
        let path = chain.map(\.name).joined(separator: " ")
        var text = HelpText(width: self.width)
        text.paragraph("\(path): \(command.summary).")
        text.section("Usage", lines: [self.usage(of: command, path: path)])
        for paragraph in command.discussion { text.paragraph(paragraph) }
        text.section("Commands", pairs: command.subcommands.map { ($0.name, $0.summary) })
        text.section("Operands", pairs: command.operands.map { ($0.name, $0.summary) })
        var options = command.options.map { ($0.label, $0.summary) }
        options.append(("--help", "Show this text"))
        if chain.count == 1 { options.append(("--version", "Show the version")) }
        text.section("Options", pairs: options)
        text.section(
            "Options of every command", pairs: chain.dropLast().flatMap(\.options).map { ($0.label, $0.summary) })
        text.section("Examples", pairs: command.examples.map { ($0.line, $0.meaning) })
        text.section("Exit codes", pairs: command.exitCodes.map { ("\($0.rawValue)", $0.meaning) })
        return text.text
    }

    func usage(of command: Command, path: String) -> String {
        var words = [path]
        if !command.subcommands.isEmpty { words.append(command.usual == nil ? "COMMAND" : "[COMMAND]") }
        words.append("[OPTION]…")
        for operand in command.operands {
            switch operand.count {
            case .one: words.append(operand.name)
            case .optional: words.append("[\(operand.name)]")
            case .oneOrMore: words.append("\(operand.name)…")
            case .any: words.append("[\(operand.name)]…")
            }
        }
        return words.joined(separator: " ")
    }
}
