import CommandLineTool
import Cryptography

/// The passphrase that keys in a backup are sealed with.
enum Passphrase {
    static let option = CommandOption.value(
        "passphrase-file", "FILE", "Read the passphrase from the first line of this file; - is standard input")

    /// The lengths of a new one, in bytes.
    static let lengths = 12...1024
    /// The longest text read for one, in bytes.
    private static let maximumText = 4096

    /// One to seal with; typed twice where it is typed.
    static func new(_ call: CommandCall) throws -> Secret {
        let passphrase =
            try Self.given(call.arguments)
            ?? TerminalPrompt.newSecret(
                "A passphrase for the keys (not shown): ", limit: Self.maximumText, call.context.console,
                "passphrases", "Nothing was made.")
        guard let passphrase else {
            throw OperatorError(
                "The keys need a passphrase.",
                advice: "Name a file that has one with --passphrase-file, or leave the keys out with --without-keys.",
                exitCode: .usage)
        }
        guard Self.lengths.contains(passphrase.count) else {
            throw OperatorError(
                "A passphrase has \(Self.lengths.lowerBound) to \(Self.lengths.upperBound) bytes.",
                advice: "Nothing was made.", exitCode: .invalidData)
        }
        return passphrase
    }

    /// The one that was sealed with.
    static func known(_ call: CommandCall) throws -> Secret {
        if let given = try Self.given(call.arguments) { return given }
        guard
            let typed = try TerminalPrompt.hiddenLine(
                "The passphrase of the keys (not shown): ", limit: Self.maximumText, call.context.console)
        else {
            throw OperatorError(
                "The keys in the backup need their passphrase.",
                advice: "Name a file that has it with --passphrase-file, or restore without them: --without-keys.",
                exitCode: .usage)
        }
        return StandardInput.firstLine(of: typed)
    }

    private static func given(_ arguments: ParsedArguments) throws -> Secret? {
        guard let file = arguments.value(Self.option.name) else { return nil }
        guard file != "-" else { return try StandardInput.firstLine(limit: Self.maximumText) }
        try PrivateFiles.requireClosed(file)
        return StandardInput.firstLine(of: try PrivateFiles.read(file, limit: Self.maximumText))
    }
}
