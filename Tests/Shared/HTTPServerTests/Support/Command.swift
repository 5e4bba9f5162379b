import TestSupport

enum Command {
    struct Failure: Error {
        let program: String
        let reason: String
    }

    /// - Returns: what it wrote to its standard output, without the end of the last line.
    @discardableResult
    static func run(_ program: String, _ arguments: [String], input: String = "/dev/null") async throws -> String {
        let words = ["-c", "exec \"$0\" \"$@\" <\"$INPUT\"", program] + arguments
        let (end, output, _) = try await ChildProcess("/bin/sh", words, environment: ["INPUT": input]).run()
        guard end == .exited(0) else { throw Failure(program: program, reason: "\(end)") }
        return String(output.dropLast())
    }
}
