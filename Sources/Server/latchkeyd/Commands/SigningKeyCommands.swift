import JSON5
import Clientless
package import CommandLineTool
import Entitlement

/// `latchkeyd keys signing list`
package enum SigningKeyListCommand: ServerCommand {
    package static let command = Command(
        "list", "Show the files of signing keys",
        options: [ConfigurationFile.option, CommonOptions.json],
        examples: [CommandExample("latchkeyd keys signing list", "which key signs, which only verify")],
        exitCodes: [.success, .usage, .keysUnusable, .configuration])

    private struct Entry {
        let use: String
        let file: String
        let signs: Bool
        /// When it will, for a key that is published and does not sign yet.
        let signsFrom: String?

        var role: String {
            if self.signs { return "signs" }
            return self.signsFrom.map { "signs from \($0)" } ?? "verifies"
        }
    }

    private static let shape = Shape<Entry>(
        .init("use", \.use), .init("file", \.file), .init("signs", \.signs),
        .init("signsFrom", optional: \.signsFrom))

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        let configuration = try ConfigurationFile.locate(arguments, context).read()
        let folder = KeyFolder(configuration.path(configuration.keys.folder))
        let entries = try KeyUse.allCases.flatMap {
            try Self.entries($0, in: folder, lead: configuration.keys.lead, now: context.now())
        }
        try context.list(
            entries, arguments, as: Self.shape, [("USE", \.use), ("ROLE", \.role), ("FILE", \.file)])
        for fault in folder.faults() { context.console.say(fault) }
        return .success
    }

    private static func entries(
        _ use: KeyUse, in folder: KeyFolder, lead: Duration, now: Timestamp
    ) throws -> [Entry] {
        let numbers = try folder.numbers(of: use)
        guard !numbers.isEmpty else { return [] }
        let made = numbers.map { folder.made(use, $0) }
        // Statements are signed by commands, which take the newest key there is.
        let signing =
            use == .softwareStatement
            ? 0 : KeySchedule(made: made, lead: lead, longestLife: nil).signing(at: now)
        return numbers.indices.map { place in
            Entry(
                use: use.rawValue, file: folder.file(use.fileName(numbers[place])), signs: place == signing,
                signsFrom: place < signing ? (made[place] + lead).timeText : nil)
        }
    }
}

/// `latchkeyd keys signing rotate`
package enum SigningKeyRotateCommand: ServerCommand {
    package static let command = Command.ofStore(
        "rotate", "Make a new signing key; the old ones go on verifying",
        discussion: [
            "A running server publishes the public half of the new key within seconds, and signs with it after the "
                + "time of the setting keys.lead. It accepts an old key until everything that the key signed has "
                + "expired. To drop the old key sooner, move its file out of the folder."
        ],
        options: [
            .value("use", "USE", "One of " + KeyUse.allCases.map(\.rawValue).joined(separator: ", "))
        ],
        examples: [CommandExample("latchkeyd keys signing rotate --use token-signing", "for media tokens")])

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        guard let use = KeyUse(rawValue: try arguments.required("use")) else {
            throw arguments.fault("--use takes one of \(KeyUse.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        let configuration = try ConfigurationFile.locate(arguments, context).read()
        let file = try KeyFolder(configuration.path(configuration.keys.folder)).rotate(use, now: context.now())
        try context.console.result(file)
        await Self.log(use, configuration, context)
        // Statements are signed by commands, which take the newest key there is.
        if use != .softwareStatement {
            context.console.say("It signs in \(DurationText.write(configuration.keys.lead)).")
        }
        return .success
    }

    /// The key is there already, so that a store that cannot take the entry is no failure, but said.
    private static func log(_ use: KeyUse, _ configuration: Configuration, _ context: CommandContext) async {
        do {
            try await StoreAccess.withAdministration(of: configuration, context) { administration in
                try await administration.operations.log(
                    "signing-key.rotate", of: "use \(use.rawValue)", actor: CommandActor.text, now: context.now())
            }
        } catch {
            context.console.say("The audit log does not have it: \(error)")
        }
    }
}
