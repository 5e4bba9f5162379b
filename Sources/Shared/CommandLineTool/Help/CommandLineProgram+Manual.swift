extension CommandLineProgram {
    /// The manual page, in the macros of man(7), made of the table of commands.
    package var manualPage: String {
        let name = self.root.name
        var page = Roff()
        page.line(".TH \(Roff.quoted(name.uppercased())) 1 \"\" \(Roff.quoted("\(name) \(self.version)")) \"\"")
        page.section("NAME")
        page.text("\(name) - \(self.root.summary)")
        page.section("SYNOPSIS")
        page.line(".B \(Roff.escaped(name))")
        page.text("COMMAND [OPTION]…")
        page.section("DESCRIPTION")
        for paragraph in self.root.discussion { page.paragraph(paragraph) }
        page.section("COMMANDS")
        self.describe([self.root], into: &page)
        page.section("OPTIONS OF EVERY COMMAND")
        for option in self.root.options { page.item(option.label, option.summary) }
        page.item("--help", "Show how a command is used")
        page.section("EXIT STATUS")
        for code in self.exitCodes { page.item("\(code.rawValue)", code.meaning) }
        page.section("EXAMPLES")
        for example in self.root.examples { page.example(example.key, example.value) }
        return page.source
    }

    private var exitCodes: [ExitCode] {
        func all(_ command: Command) -> [ExitCode] { command.exitCodes + command.subcommands.flatMap(all) }
        return Set(all(self.root)).sorted { $0.rawValue < $1.rawValue }
    }

    private func describe(_ chain: [Command], into page: inout Roff) {
        let command = chain[chain.count - 1]
        if chain.count > 1, command.subcommands.isEmpty {
            page.heading(self.usage(of: command, path: chain.map(\.name).joined(separator: " ")))
            page.text("\(command.summary).")
            for paragraph in command.discussion { page.paragraph(paragraph) }
            for operand in command.operands { page.item(operand.name, operand.summary) }
            let inherited = chain.dropFirst().dropLast().flatMap(\.options)
            for option in command.options + inherited { page.item(option.label, option.summary) }
            for example in command.examples { page.example(example.key, example.value) }
        }
        for next in command.subcommands { self.describe(chain + [next], into: &page) }
    }
}

extension CommandLineProgram {
    /// The manual page of a file of the program's, such as its configuration.
    /// - Parameter sections: headings, each with what stands under it.
    package static func manualPage(
        ofFile name: String, _ summary: String, paragraphs: [String],
        sections: [(heading: String, items: [(label: String, text: String)])]
    ) -> String {
        var page = Roff()
        page.line(".TH \(Roff.quoted(name.uppercased())) 5 \"\" \(Roff.quoted(Self.releasedVersion)) \"\"")
        page.section("NAME")
        page.text("\(name) - \(summary)")
        page.section("DESCRIPTION")
        for paragraph in paragraphs { page.paragraph(paragraph) }
        for section in sections {
            page.section(Roff.quoted(section.heading))
            for item in section.items { page.item(item.label, item.text) }
        }
        return page.source
    }
}

/// The source of a manual page while it is written.
private struct Roff {
    private(set) var source = ""

    mutating func line(_ line: String) { self.source += line + "\n" }
    mutating func section(_ name: String) { self.line(".SH \(name)") }
    mutating func heading(_ text: String) { self.line(".SS \(Self.quoted(text))") }
    mutating func text(_ text: String) { self.line(Self.escaped(text)) }

    mutating func paragraph(_ text: String) {
        self.line(".PP")
        self.text(text)
    }

    mutating func item(_ label: String, _ text: String) {
        self.line(".TP")
        self.line(".B \(Self.escaped(label))")
        self.text(text)
    }

    mutating func example(_ line: String, _ meaning: String) {
        self.line(".PP")
        self.line(".RS 4")
        self.line(".nf")
        self.text(line)
        self.line(".fi")
        self.line(".RE")
        self.text(meaning)
    }

    /// Text in which no character is a request or an escape of roff.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "'": escaped += "\\(aq"
            case "…": escaped += "..."
            case "\n": escaped += " "
            default: escaped.append(character)
            }
        }
        return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
    }

    /// The same as one argument of a macro.
    static func quoted(_ text: String) -> String { "\"" + Self.escaped(text).replacing("\"", with: "\\(dq") + "\"" }
}
