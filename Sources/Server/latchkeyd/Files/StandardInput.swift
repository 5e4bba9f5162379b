import CommandLineTool
import Cryptography
import POSIX

/// The text on standard input.
enum StandardInput {
    /// All of it as text, without line ends at its end.
    /// - Throws: when it has more than `limit` bytes, or is not UTF-8.
    static func text(limit: Int) throws(OperatorError) -> String {
        guard var text = String(validating: try Self.bytes(limit: limit), as: UTF8.self) else {
            throw OperatorError("Standard input is not UTF-8 text.", exitCode: .invalidData)
        }
        while let last = text.last, last.isNewline { text.removeLast() }
        return text
    }

    /// The first line of it.
    static func firstLine(limit: Int) throws(OperatorError) -> Secret {
        Self.firstLine(of: try Self.bytes(limit: limit))
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
