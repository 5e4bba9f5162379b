import CommandLineTool
import Entitlement
import Glibc
import Observability
import POSIX
import TestSupport

@testable import HTTPServer
@testable import latchkeyd

/// What the program serves, put together as `latchkeyd serve` does it, on no address.
enum ServedRoutes {
    /// One method on one path, such as `GET /api/v1/authorize`, and the most bytes of body its handler may get.
    typealias Listing = (label: String, path: String, bodyLimit: Int?)

    /// The routes of a demo set-up.
    static func all() async throws -> [Listing] {
        let folder = try TemporaryFolder()
        let made = try await Run.command("init", "--demo", "--folder", folder.file("server"))
        guard made.code == .success else { throw NoSetUp(talk: made.talk) }
        let configuration = try ConfigurationFile(path: folder.file("server/latchkeyd.json5")).read()
        let keys = try KeyFolder(configuration.path(configuration.keys.folder)).load()
        let store = try await StoreAccess.open(configuration, for: .serving).store
        return try await ending({ await store.close() }) {
            let assembly = try await ServerAssembly(
                ServerAssembly.Parts(configuration: configuration, keys: keys, store: store, logger: .silent))
            return assembly.server.servedRoutes.table.router.routes.flatMap { route in
                route.methods.map { ("\($0.text) \(route.pattern.text)", route.pattern.text, route.bodyLimit) }
            }
        }
    }

    struct NoSetUp: Error {
        let talk: String
    }
}

/// A command of the program, run in this process.
struct Run {
    let code: ExitCode
    let output: String
    /// Standard error.
    let talk: String

    static func command(_ arguments: String...) async throws -> Run {
        let folder = try TemporaryFolder()
        let output = unsafe open(folder.file("output"), O_WRONLY | O_CREAT, 0o600)
        let talk = unsafe open(folder.file("talk"), O_WRONLY | O_CREAT, 0o600)
        defer {
            close(output)
            close(talk)
        }
        let console = Console(results: BorrowedDescriptor(output), talk: BorrowedDescriptor(talk))
        let code = await ServerProgram.run(arguments, CommandContext(console: console, environment: [:]))
        return Run(code: code, output: try folder.read("output"), talk: try folder.read("talk"))
    }
}
