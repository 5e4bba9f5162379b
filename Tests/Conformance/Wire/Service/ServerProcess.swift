import Glibc
import RealPrograms
import TestSupport

/// `latchkeyd serve` as a process whose clock a test sets; killed when released.
final class ServerProcess: Sendable {
    /// `http://127.0.0.1:port`
    let url: String
    private let process: ChildProcess
    private let lines: AsyncStream<String>

    /// Starts a server and waits until it says that it listens.
    static func start(configuration: String, clock: ServerClock) async throws -> ServerProcess {
        let process = try ChildProcess(
            ProgramFolder.own.server, ["serve", "--config", configuration, "--print-address"],
            environment: clock.environment)
        let lines = process.talkLines
        var said = ""
        for await line in lines {
            if line.hasPrefix("LISTENING "), let url = line.split(separator: " ").last {
                return ServerProcess(String(url), process, lines)
            }
            said += line + "\n"
        }
        throw GaveUp(description: "the server ended with \(await process.waitForEnd()) before it listened:\n\(said)")
    }

    private init(_ url: String, _ process: ChildProcess, _ lines: AsyncStream<String>) {
        (self.url, self.process, self.lines) = (url, process, lines)
    }

    var port: Int { self.url.split(separator: ":").last.flatMap { Int($0) } ?? 0 }

    /// Asks it to stop, and waits until it has.
    /// - Returns: how it ended, and what it wrote to standard error since it listened.
    func stop() async -> (end: ChildProcess.End, log: String) {
        self.process.send(SIGTERM)
        let end = await self.process.waitForEnd()
        return (end, await self.lines.reduce(into: "") { $0 += $1 + "\n" })
    }

    /// Ends it as a power cut would.
    func kill() async {
        self.process.send(SIGKILL)
        _ = await self.process.waitForEnd()
    }
}
