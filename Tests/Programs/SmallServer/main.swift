// A server of four routes, for tests that lower the limits of its process: `/hello` answers at once, `/task` from a task,
// `/later` after more than the second in which libdispatch looks at its threads, `/held` never. Prints the port it listens on. With an
// argument, `/hello` has a body of so many bytes.

import Glibc
import HTTPServer
import Observability

var router = Router()
let size = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5
let body = String(repeating: "hello", count: max(1, size / 5))
router.on(.get, path: "/hello", name: "hello") { _ in .now(.text(body)) }
router.on(.get, path: "/task", name: "task") { _ in .later { .text("task") } }
router.on(.get, path: "/later", name: "later") { _ in
    .later {
        try? await Task.sleep(for: .milliseconds(2500))
        return .text("later")
    }
}
router.on(.get, path: "/held", name: "held") { _ in .held(HeldReply()) }

var configuration = HTTPServerConfiguration(addresses: [.tcp(host: "127.0.0.1", port: 0)])
configuration.threads = 2
// One address plays all the world.
configuration.maximumConnectionsPerAddress = 0
configuration.maximumHeldRequestsPerAddress = 0
configuration.idleTimeout = .seconds(60)
let server = HTTPServer(configuration: configuration, router: router, logger: .silent, metrics: Metrics())
await withTaskGroup(of: Void.self) { group in
    group.addTask {
        do {
            try await server.run()
        } catch {
            print("could not start: \(error)")
        }
    }
    group.addTask {
        guard let port = try? await server.boundAddresses.first?.port else { return }
        print(port)
        // The reader is a pipe, for which output is kept back.
        fflush(nil)
    }
}
