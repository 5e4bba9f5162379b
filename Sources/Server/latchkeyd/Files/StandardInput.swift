package import CommandLineTool
package import Cryptography
import Glibc

/// What is given on standard input. The only file of the program, beside ``LocalNetwork``, that calls the system with
/// pointers: each points to a local variable that outlives the call.
package enum StandardInput {
    /// All of it as text, without line ends at its end.
    /// - Throws: when it has more than `limit` bytes, or is not UTF-8.
    package static func read(limit: Int) throws(OperatorError) -> String {
        guard var text = String(validating: try Self.bytes(limit: limit), as: UTF8.self) else {
            throw OperatorError("Standard input is not UTF-8 text.", exitCode: .invalidData)
        }
        while let last = text.last, last.isNewline { text.removeLast() }
        return text
    }

    /// Asks for a secret on the terminal, without showing what is typed; where there is no terminal, reads all of
    /// standard input.
    /// - Returns: the bytes without the line end.
    package static func secret(prompt: String, limit: Int, _ console: Console) throws(OperatorError) -> Secret {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else {
            return Secret(Self.firstLine(try Self.bytes(limit: limit)))
        }
        console.show(prompt)
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else {
            throw OperatorError("The terminal cannot be kept from showing the password.", exitCode: .stateProblem)
        }
        defer {
            unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
            console.show("\n")
        }
        // A terminal gives one line at a time.
        var buffer = [UInt8](repeating: 0, count: limit + 1)
        let count = unsafe Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        guard count >= 0 else { throw OperatorError("The terminal cannot be read.", exitCode: .stateProblem) }
        return Secret(Self.firstLine(Array(buffer.prefix(count))))
    }

    private static func bytes(limit: Int) throws(OperatorError) -> [UInt8] {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = unsafe Glibc.read(STDIN_FILENO, &buffer, buffer.count)
            if count == 0 { return result }
            if count < 0 {
                guard errno == EINTR else {
                    throw OperatorError("Standard input cannot be read.", exitCode: .stateProblem)
                }
                continue
            }
            result += buffer.prefix(count)
            guard result.count <= limit else {
                throw OperatorError("Standard input has more than \(limit) bytes.", exitCode: .invalidData)
            }
        }
    }

    private static func firstLine(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    }
}
