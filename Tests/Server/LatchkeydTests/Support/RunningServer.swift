import FoundationEssentials
import Glibc
import HTTPClient
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

    /// A poll for the code that was made, which is held by now.
    func holdPoll(for created: HTTPClient.Response) async throws -> Task<HTTPClient.Response, any Error> {
        struct Record: Decodable { let code: String }
        let code = try JSONDecoder().decode(Record.self, from: Data(created.body)).code
        var poll = HTTPClient.Request(
            .get, "\(self.url)/api/v1/checkauthn/\(code).json?requestor=DEMO-CLASSIC", headers: ["Prefer": "wait=50"])
        poll.timeout = .seconds(60)
        let held: Task<HTTPClient.Response, any Error> = Task { [poll] in try await HTTPClient.sendOnce(poll) }
        try await eventually { try await self.heldRequests() == 1 }
        return held
    }

    func heldRequests() async throws -> Int {
        let lines = try await HTTPClient.sendOnce(.init(.get, "\(self.url)/metrics")).text.split(separator: "\n")
        return lines.first { $0.hasPrefix("http_held_requests ") }.flatMap { Int($0.dropFirst(19)) } ?? -1
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
