import Glibc
import TestSupport

/// `latchkeyd serve` as a process, ready for requests.
struct RunningServer {
    let process: ChildProcess
    /// Where it says it listens.
    let url: String
    /// What it said before that, a line each.
    let startLog: [String]
    private let lines: AsyncStream<String>

    /// Starts it on a port of the system's choice and waits until it says that it listens.
    static func start(_ setUp: TestSetUp, _ more: String...) async throws -> RunningServer {
        let process = try ChildProcess(
            BuiltProgram.path,
            ["serve", "--config", setUp.configurationFile, "--listen", "127.0.0.1:0", "--print-address"] + more)
        let lines = process.talkLines
        var said: [String] = []
        for await line in lines {
            if line.hasPrefix("LISTENING ") {
                return RunningServer(process: process, url: String(line.dropFirst(10)), startLog: said, lines: lines)
            }
            said.append(line)
        }
        throw DidNotStart(end: await process.waitForEnd())
    }

    struct DidNotStart: Error {
        let end: ChildProcess.End
    }

    /// What it says up to the first line that has `text` in it.
    @discardableResult
    func says(until text: String) async -> [String] {
        var said: [String] = []
        for await line in self.lines {
            said.append(line)
            if line.contains(text) { break }
        }
        return said
    }

    /// Sends SIGHUP, and returns what it says up to the first line that has `text` in it.
    @discardableResult
    func reload(until text: String) async -> [String] {
        self.process.send(SIGHUP)
        return await self.says(until: text)
    }

    func stop() async -> ChildProcess.End {
        self.process.send(SIGTERM)
        return await self.process.waitForEnd()
    }
}
