import FoundationEssentials
import Glibc
import TestSupport

/// The program `latchkeyd` as it was built beside the tests.
enum BuiltProgram {
    /// - Throws: when it is not there; a test that cannot run must not pass.
    static func path() throws -> String {
        // The runner loads the test bundle from the folder that programs are built into; one of the two paths is in it.
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let candidates = [own, CommandLine.arguments[0]] + CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
        for candidate in candidates {
            let program = URL(filePath: candidate).deletingLastPathComponent().appending(path: "latchkeyd").path
            if FileManager.default.isExecutableFile(atPath: program) { return program }
        }
        throw MissingProgram(lookedBeside: candidates)
    }

    struct MissingProgram: Error {
        let lookedBeside: [String]
    }

    static func start(_ arguments: String..., environment: [String: String] = [:]) throws -> ChildProcess {
        try ChildProcess(try self.path(), arguments, environment: environment)
    }

    /// The same as a user who is not root, whom no permission stops: as ourselves, or, if that is root, as nobody.
    static func startUnprivileged(_ arguments: [String]) throws -> ChildProcess {
        guard geteuid() == 0 else { return try ChildProcess(try self.path(), arguments) }
        return try ChildProcess(
            "setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", try self.path()] + arguments)
    }

    /// Gives files to the user of ``startUnprivileged(_:)``.
    static func giveAway(_ paths: [String]) throws {
        guard geteuid() == 0 else { return }
        for path in paths {
            try FileManager.default.setAttributes(
                [.ownerAccountID: 65534, .groupOwnerAccountID: 65534], ofItemAtPath: path)
        }
    }
}
