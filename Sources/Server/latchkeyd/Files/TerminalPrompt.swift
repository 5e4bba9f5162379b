import CommandLineTool
import Cryptography
import POSIX

/// Asks for something that must not be seen.
enum TerminalPrompt {
    /// A new secret, typed twice, since the person cannot see what was typed.
    /// - Parameters:
    ///   - name: what the two are.
    ///   - advice: what became of the command if they differ.
    /// - Returns: `nil` when standard input is no terminal.
    static func newSecret(
        _ prompt: String, limit: Int, _ console: Console, _ name: String, _ advice: String
    ) throws(OperatorError) -> Secret? {
        guard let typed = try Self.hiddenLine(prompt, limit: limit, console) else { return nil }
        let again = try Self.hiddenLine("The same again: ", limit: limit, console) ?? []
        guard constantTimeEqual(typed, again) else {
            throw OperatorError("These were two different \(name).", advice: advice, exitCode: .invalidData)
        }
        return StandardInput.firstLine(of: typed)
    }

    /// One line from the terminal on standard input, without showing what is typed.
    /// - Returns: `nil` when standard input is no terminal.
    static func hiddenLine(_ prompt: String, limit: Int, _ console: Console) throws(OperatorError) -> [UInt8]? {
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
            return try terminal.line(limit: limit + 1)
        } catch {
            throw OperatorError("The terminal cannot be read: \(error).", exitCode: .stateProblem)
        }
    }
}
