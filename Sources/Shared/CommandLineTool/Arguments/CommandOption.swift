/// One `--name` a command understands, as a flag or with a value.
package struct CommandOption: Sendable {
    /// The name without its hyphens.
    package let name: String
    /// The placeholder of the value in help texts, such as `URL`; `nil` for a flag.
    package let placeholder: String?
    package let summary: String
    /// Whether it may be given more than once.
    package let isRepeatable: Bool
    /// Values that a shell offers; `nil` is the names of files.
    package private(set) var values: Values?

    /// The source of a shell's suggestions for an option's value.
    package enum Values: Sendable, Hashable {
        case words([String])
        /// The first column of the table that a command of the program prints.
        case list(String)
    }

    package func offering(_ values: Values) -> CommandOption {
        var option = self
        option.values = values
        return option
    }

    /// `--name`, either there or not. A flag may be repeated; once is as good as twice.
    package static func flag(_ name: String, _ summary: String) -> CommandOption {
        CommandOption(name: name, placeholder: nil, summary: summary, isRepeatable: true)
    }

    /// `--name VALUE` or `--name=VALUE`.
    package static func value(
        _ name: String, _ placeholder: String, _ summary: String, isRepeatable: Bool = false
    ) -> CommandOption {
        CommandOption(name: name, placeholder: placeholder, summary: summary, isRepeatable: isRepeatable)
    }

    /// The option as help texts show it, such as `--server URL`.
    var label: String { "--\(self.name)\(self.placeholder.map { " \($0)" } ?? "")" }
}

/// One word a command takes that is not an option, in its place.
package struct CommandOperand: Sendable {
    /// How many words stand in this place.
    package enum Count: Sendable {
        case one
        case optional
        /// One or more; only in the last place.
        case oneOrMore
        /// Any number, also none; only in the last place.
        case any
    }

    /// The placeholder in help texts, such as `RESOURCE`.
    package let name: String
    package let summary: String
    package let count: Count

    package init(_ name: String, _ summary: String, count: Count = .one) {
        self.name = name
        self.summary = summary
        self.count = count
    }
}
