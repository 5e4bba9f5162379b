import CommandLineTool
import POSIX

/// Asks for something that must not be seen.
enum TerminalPrompt {
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
