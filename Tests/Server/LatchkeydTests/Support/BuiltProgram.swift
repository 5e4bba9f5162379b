import FoundationEssentials
import Glibc
import TestSupport

/// The program `latchkeyd` as it was built beside the tests.
enum BuiltProgram {
    static let path = ProgramFolder.own.server

    static func start(_ arguments: String..., environment: [String: String] = [:]) throws -> ChildProcess {
        try ChildProcess(self.path, arguments, environment: environment)
    }

    /// The same as a user who is not root, whom no permission stops: as ourselves, or, if that is root, as nobody.
    static func startUnprivileged(_ arguments: [String]) throws -> ChildProcess {
        guard geteuid() == 0 else { return try ChildProcess(self.path, arguments) }
        return try ChildProcess("setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", self.path] + arguments)
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
