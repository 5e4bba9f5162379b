import Glibc
import TestSupport

/// `latchkeyd serve` as a process, ready for requests.
struct RunningServer {
    let process: ChildProcess
    /// Where it says it listens.
    let url: String

    /// Starts it on a port of the system's choice and waits until it says that it listens.
    static func start(_ setUp: TestSetUp, _ more: String...) async throws -> RunningServer {
        let process = try ChildProcess(
            BuiltProgram.path,
            ["serve", "--config", setUp.configurationFile, "--listen", "127.0.0.1:0", "--print-address"] + more)
        for await line in process.talkLines where line.hasPrefix("LISTENING ") {
            return RunningServer(process: process, url: String(line.dropFirst(10)))
        }
        throw DidNotStart(end: await process.waitForEnd())
    }

    struct DidNotStart: Error {
        let end: ChildProcess.End
    }

    func stop() async -> ChildProcess.End {
        self.process.send(SIGTERM)
        return await self.process.waitForEnd()
    }
}
