import CommandLineTool
import Cryptography
import POSIX

/// The passphrase that keys in a backup are sealed with.
enum Passphrase {
    static let option = CommandOption.value(
        "passphrase-file", "FILE", "Read the passphrase from the first line of this file; - is standard input")

    /// The lengths of a new one, in bytes.
    static let lengths = 12...1024

    /// One to seal with; typed twice where it is typed.
    static func new(_ call: CommandCall) throws -> Secret {
        let passphrase =
            try Self.given(call.arguments)
            ?? TerminalPrompt.newSecret(
                "A passphrase for the keys (not shown): ", call.context.console, "passphrases", "Nothing was made.")
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
            let typed = try TerminalPrompt.hiddenLine("The passphrase of the keys (not shown): ", call.context.console)
        else {
            throw OperatorError(
                "The keys in the backup need their passphrase.",
                advice: "Name a file that has it with --passphrase-file, or restore without them: --without-keys.",
                exitCode: .usage)
        }
        return StandardInput.firstLine(of: typed)
    }

    /// - Returns: `nil` if it is to be typed at a terminal, which must not show it.
    private static func given(_ arguments: ParsedArguments) throws -> Secret? {
        guard let file = arguments.value(Self.option.name), file != "-" || !BorrowedDescriptor.standardInput.isTerminal
        else { return nil }
        guard file != "-" else { return try StandardInput.firstLine() }
        try PrivateFiles.requireClosed(file)
        return StandardInput.firstLine(of: try PrivateFiles.read(file, limit: StandardInput.longestLine))
    }
}

enum TerminalPrompt {
    /// A new secret, typed twice, since the person cannot see what was typed.
    /// - Parameters:
    ///   - name: what the two are.
    ///   - advice: what became of the command if they differ.
    /// - Returns: `nil` when standard input is no terminal.
    static func newSecret(
        _ prompt: String, _ console: Console, _ name: String, _ advice: String
    ) throws(OperatorError) -> Secret? {
        guard let typed = try Self.hiddenLine(prompt, console) else { return nil }
        let again = try Self.hiddenLine("The same again: ", console) ?? []
        guard constantTimeEqual(typed, again) else {
            throw OperatorError("These were two different \(name).", advice: advice, exitCode: .invalidData)
        }
        return StandardInput.firstLine(of: typed)
    }

    /// One line from the terminal on standard input, without showing what is typed.
    /// - Returns: `nil` when standard input is no terminal.
    static func hiddenLine(_ prompt: String, _ console: Console) throws(OperatorError) -> [UInt8]? {
        guard BorrowedDescriptor.standardInput.isTerminal else { return nil }
        let terminal: SilentTerminal
        do throws(SystemError) {
            terminal = try SilentTerminal(.standardInput)
        } catch {
            throw OperatorError("The terminal cannot be kept from showing the password.", exitCode: .stateProblem)
        }
        console.show(prompt)
        defer { console.show("\n") }
        do throws(SystemError) {
            return try terminal.line(limit: StandardInput.longestLine + 1)
        } catch {
            throw OperatorError("The terminal cannot be read: \(error).", exitCode: .stateProblem)
        }
    }
}

enum StandardInput {
    /// The longest text that is read for the secret in its first line, in bytes.
    static let longestLine = 4096

    /// All of it as text, without line ends at its end.
    /// - Throws: when it has more than `limit` bytes, or is not UTF-8.
    static func text(limit: Int) throws(OperatorError) -> String {
        guard var text = String(validating: try Self.bytes(limit: limit), as: UTF8.self) else {
            throw OperatorError("Standard input is not UTF-8 text.", exitCode: .invalidData)
        }
        while let last = text.last, last.isNewline { text.removeLast() }
        return text
    }

    static func firstLine() throws(OperatorError) -> Secret {
        Self.firstLine(of: try Self.bytes(limit: Self.longestLine))
    }

    /// The first line of a text with a secret in it, without its end.
    static func firstLine(of bytes: some Sequence<UInt8>) -> Secret {
        Secret(bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
    }

    private static func bytes(limit: Int) throws(OperatorError) -> [UInt8] {
        do throws(SystemError) {
            return try BorrowedDescriptor.standardInput.read(limit: limit)
        } catch {
            guard error != .tooLarge else {
                throw OperatorError("Standard input has more than \(limit) bytes.", exitCode: .invalidData)
            }
            throw OperatorError("Standard input cannot be read: \(error).", exitCode: .stateProblem)
        }
    }
}
