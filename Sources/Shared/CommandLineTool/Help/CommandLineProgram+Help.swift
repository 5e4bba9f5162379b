extension CommandLineProgram {
    func help(for chain: [Command]) -> String {
        let command = chain[chain.count - 1]
        let path = chain.map(\.name).joined(separator: " ")
        var text = HelpText(width: self.width)
        text.paragraph("\(path): \(command.summary).")
        text.section("Usage", lines: [self.usage(of: command, path: path)])
        for paragraph in command.discussion { text.paragraph(paragraph) }
        let topics = chain.count == 1 ? self.topics : []
        func pairs(_ commands: [Command]) -> [(String, String)] { commands.map { ($0.name, $0.summary) } }
        for topic in topics {
            text.section(topic.heading, pairs: pairs(command.subcommands.filter { topic.commands.contains($0.name) }))
        }
        let told = topics.flatMap(\.commands)
        text.section(
            topics.isEmpty ? "Commands" : "Other commands",
            pairs: pairs(command.subcommands.filter { !told.contains($0.name) }))
        text.section("Operands", pairs: command.operands.map { ($0.name, $0.summary) })
        var options = command.options.map { ($0.label, $0.summary) }
        options.append(("--help", "Show this text"))
        if chain.count == 1 { options.append(("--version", "Show the version")) }
        text.section("Options", pairs: options)
        text.section(
            "Options of every command", pairs: chain.dropLast().flatMap(\.options).map { ($0.label, $0.summary) })
        text.section("Examples", pairs: command.examples.map { ($0.key, $0.value) })
        text.section(
            "Exit codes",
            pairs: command.exitCodes.sorted { $0.rawValue < $1.rawValue }.map { ("\($0.rawValue)", $0.meaning) })
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
