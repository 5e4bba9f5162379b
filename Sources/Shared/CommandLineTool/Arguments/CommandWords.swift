/// A command line while it is being read: the commands entered so far, and what was given to them.
struct CommandWords {
    /// From the root to the command at hand; never empty.
    private(set) var chain: [Command]
    private var given: [String: [String]] = [:]
    private var operands: [String] = []

    /// Words that people know from other programs.
    private static let otherNames = ["ls": "list"]

    init(root: Command) { self.chain = [root] }

    var command: Command { self.chain[self.chain.count - 1] }
    var path: [String] { self.chain.map(\.name) }
    private var options: [CommandOption] { self.chain.flatMap(\.options) }

    /// Takes a word that is not an option: the name of a subcommand, or an operand.
    mutating func take(operand word: String) throws(UsageError) {
        if !self.command.subcommands.isEmpty {
            let name = Self.otherNames[word] ?? word
            guard let next = self.command.subcommands.first(where: { $0.name == name }) else {
                throw self.unknown("command '\(word)'", near: word, among: self.command.subcommands.map(\.name))
            }
            self.chain.append(next)
            return
        }
        let last = self.command.operands.last?.count
        guard last == .oneOrMore || last == .any || self.operands.count < self.command.operands.count else {
            throw self.fault("There is no place for '\(word)'; a value with spaces needs quotes around it.")
        }
        self.operands.append(word)
    }

    /// Takes `--name`, `--name=VALUE`, or `--name` and the word after it.
    mutating func take(option word: String, rest: inout ArraySlice<String>) throws(UsageError) {
        guard word.hasPrefix("--") else {
            throw self.fault("There is no option '\(word)'; options are written out, such as --help.")
        }
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        guard let option = self.options.first(where: { $0.name == name }) else {
            if Self.takes(name, below: self.command) {
                throw self.fault(
                    "'--\(name)' stands behind the command: \(self.path.joined(separator: " ")) COMMAND --\(name) ….")
            }
            let names = self.options.map(\.name) + ["help", "version"]
            throw self.unknown("option '--\(name)'", near: name, among: names, prefix: "--")
        }
        let value = try self.value(of: option, given: parts.count == 2 ? String(parts[1]) : nil, rest: &rest)
        guard option.isRepeatable || self.given[name] == nil else { throw self.fault("--\(name) is given twice.") }
        self.given[name, default: []].append(value)
    }

    /// The value of an option, behind `=` or as the next word; empty for a flag.
    private func value(
        of option: CommandOption, given: String?, rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let placeholder = option.placeholder else {
            guard given == nil else { throw self.fault("--\(option.name) takes no value.") }
            return ""
        }
        guard let value = given ?? rest.popFirst() else {
            throw self.fault("--\(option.name) needs a value: --\(option.name) \(placeholder).")
        }
        // An empty value is nearly always an unset variable of a script.
        guard !value.isEmpty else { throw self.fault("The value of --\(option.name) is empty.") }
        return value
    }

    /// The arguments, once nothing is missing.
    func finish() throws(UsageError) -> ParsedArguments {
        let needed = self.command.operands.filter { $0.count == .one || $0.count == .oneOrMore }
        guard self.operands.count >= needed.count else {
            throw self.fault("\(needed[self.operands.count].name) is missing.")
        }
        return ParsedArguments(
            commandPath: self.path, operands: self.operands, declared: Set(self.options.map(\.name)), given: self.given)
    }

    /// Whether a command below `group` has an option of this name.
    private static func takes(_ name: String, below group: Command) -> Bool {
        group.subcommands.contains { command in
            command.options.contains { $0.name == name } || self.takes(name, below: command)
        }
    }

    private func unknown(_ what: String, near word: String, among names: [String], prefix: String = "") -> UsageError {
        let nearest = nearestName(to: word, among: names)
        let hint = nearest.map { " Did you mean '\(prefix)\($0)'?" } ?? ""
        return self.fault("There is no \(what).\(hint)")
    }

    private func fault(_ sentence: String) -> UsageError { UsageError(sentence, commandPath: self.path) }
}
