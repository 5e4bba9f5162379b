package import CommandLineTool
import FoundationEssentials

private func folder(_ arguments: ParsedArguments, _ context: CommandContext) throws -> KeyFolder {
    let configuration = try ConfigurationFile.locate(arguments, context).read()
    return KeyFolder(configuration.path(configuration.keys.folder))
}

/// `latchkeyd keys signing list`
package enum SigningKeyListCommand: ServerCommand {
    package static let command = Command(
        "list", "Show the files of signing keys",
        options: [ConfigurationFile.option, CommonOptions.json],
        examples: [CommandExample("latchkeyd keys signing list", "which key signs, which only verify")],
        exitCodes: [.success, .usage, .keysUnusable, .configuration])

    private struct Entry: Encodable {
        let use: String
        let file: String
        let signs: Bool
    }

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let folder = try folder(arguments, context)
        let entries = try KeyUse.allCases.flatMap { use in
            let numbers = try folder.numbers(of: use)
            return numbers.map {
                Entry(use: use.rawValue, file: folder.file(use.fileName($0)), signs: $0 == numbers[0])
            }
        }
        if arguments.has("json") {
            try context.console.result(JSONLine.text(of: entries))
        } else {
            let rows = entries.map { [$0.use, $0.signs ? "signs" : "verifies", $0.file] }
            try context.console.result(TextTable(heading: ["USE", "ROLE", "FILE"], rows: rows).text)
        }
        for fault in folder.faults() { context.console.say(fault) }
        return .success
    }
}

/// `latchkeyd keys signing rotate`
package enum SigningKeyRotateCommand: ServerCommand {
    package static let command = Command(
        "rotate", "Make a new signing key; the old ones go on verifying",
        discussion: [
            "The new key signs from the next start of the server on. Whoever verifies media tokens needs its public "
                + "half before that. An old key is given up by moving its file out of the folder."
        ],
        options: [
            ConfigurationFile.option,
            .value("use", "USE", "One of " + KeyUse.allCases.map(\.rawValue).joined(separator: ", ")),
        ],
        examples: [CommandExample("latchkeyd keys signing rotate --use token-signing", "for media tokens")],
        exitCodes: [.success, .usage, .keysUnusable, .stateProblem, .configuration])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        guard let use = KeyUse(rawValue: try arguments.required("use")) else {
            throw UsageError(
                "--use takes one of \(KeyUse.allCases.map(\.rawValue).joined(separator: ", ")).",
                commandPath: arguments.commandPath)
        }
        let file = try folder(arguments, context).rotate(use)
        try context.console.result(file)
        context.console.say("It signs from the next start of the server on.")
        return .success
    }
}
