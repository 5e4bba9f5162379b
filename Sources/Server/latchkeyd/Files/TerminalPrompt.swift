import CommandLineTool
import Glibc

/// Asks for something that must not be seen.
enum TerminalPrompt {
    /// One line from the terminal on standard input, without showing what is typed.
    /// - Returns: `nil` when standard input is no terminal.
    static func hiddenLine(_ prompt: String, limit: Int, _ console: Console) throws(OperatorError) -> [UInt8]? {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        console.show(prompt)
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else {
            throw OperatorError("The terminal cannot be kept from showing the password.", exitCode: .stateProblem)
        }
        defer {
            _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
            console.show("\n")
        }
        // A terminal gives one line at a time.
        var buffer = [UInt8](repeating: 0, count: limit + 1)
        let count = unsafe Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        guard count >= 0 else { throw OperatorError("The terminal cannot be read.", exitCode: .stateProblem) }
        return Array(buffer.prefix(count))
    }
}
