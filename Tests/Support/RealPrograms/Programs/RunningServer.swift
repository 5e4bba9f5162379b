import Glibc
package import HTTPClient
package import TestSupport

/// The real `latchkeyd serve` as a process, killed when released.
package final class RunningServer: Sendable {
    package let demo: DemoFolder
    private let process: ChildProcess
    private let lines: AsyncStream<String>
    /// What it wrote to standard error before it listened.
    package let startLog: String
    private let client: HTTPClient

    package var url: String { self.demo.url }
    package var port: Int { self.url.split(separator: ":").last.flatMap { Int($0) } ?? 0 }
    package var pid: Int32 { self.process.pid }

    /// Starts the server of a set-up and waits until it says that it listens.
    /// - Parameters:
    ///   - processor: the number of the only processor it may use; `nil` lets it use all.
    ///   - preparation: what a shell does before it becomes the server, such as `ulimit`.
    ///   - clock: the clock it obeys; `nil` is the machine's.
    package static func start(
        _ demo: DemoFolder, _ programs: ProgramFolder, onProcessor processor: String? = nil,
        after preparation: String? = nil, clock: ServerClock? = nil
    ) async throws -> RunningServer {
        // taskset and the shell become the program they start, so the process is the server's in every case.
        var command = [programs.server, "serve", "--config", demo.serverConfiguration, "--print-address"]
        if let preparation { command = ["/bin/sh", "-c", "\(preparation); exec \"$0\" \"$@\""] + command }
        if let processor { command = ["taskset", "-c", processor] + command }
        let process = try ChildProcess(command[0], Array(command.dropFirst()), environment: clock?.environment ?? [:])
        let lines = process.talkLines
        var said = ""
        for await line in lines {
            if line.hasPrefix("LISTENING ") { return RunningServer(demo, process, lines, startLog: said) }
            said += line + "\n"
        }
        throw GaveUp(description: "the server ended with \(await process.waitForEnd()) before it listened:\n\(said)")
    }

    private init(_ demo: DemoFolder, _ process: ChildProcess, _ lines: AsyncStream<String>, startLog: String) {
        self.demo = demo
        self.process = process
        self.lines = lines
        self.startLog = startLog
        var configuration = HTTPClient.Configuration()
        configuration.authorityFile = demo.certificate
        self.client = HTTPClient(configuration)
    }

    @discardableResult
    package func stop() async -> ChildProcess.End {
        self.process.send(SIGTERM)
        return await self.process.waitForEnd()
    }

    package func kill() async {
        self.process.send(SIGKILL)
        _ = await self.process.waitForEnd()
    }

    package func waitForEnd() async -> ChildProcess.End { await self.process.waitForEnd() }

    package func send(_ signal: Int32) { self.process.send(signal) }

    /// Waits for the next line on standard error that has `text` in it.
    @discardableResult
    package func waitUntilSaid(_ text: String) async throws -> String {
        for await line in self.lines where line.contains(text) { return line }
        throw GaveUp(description: "the server ended without saying “\(text)”")
    }

    /// What it wrote to standard error since it listened, and was not waited for. Only once it has ended, and once.
    package func log() async -> String { await self.lines.reduce(into: "") { $0 += $1 + "\n" } }

    package func get(_ path: String) async throws -> HTTPClient.Response {
        var request = HTTPClient.Request(.get, self.url + path)
        request.timeout = .seconds(120)
        return try await self.send(request)
    }

    /// Calls it over connections that stay open between calls.
    package func send(_ request: HTTPClient.Request) async throws -> HTTPClient.Response {
        try await self.client.send(request)
    }

    /// The sum of a counter or gauge over its labels.
    package func metric(_ name: String) async throws -> Double {
        let lines = try await self.get("/metrics").text.split(separator: "\n")
        let values = lines.filter { $0.hasPrefix(name + " ") || $0.hasPrefix(name + "{") }
            .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }
        guard !values.isEmpty else { throw GaveUp(description: "there is no metric \(name)") }
        return values.reduce(0, +)
    }

    /// Waits until so many requests are held.
    package func waitUntilHeld(_ count: Int, within limit: Duration = .seconds(120)) async throws {
        try await eventually("\(count) held requests", within: limit) {
            try await self.metric("http_held_requests") >= Double(count) ? () : nil
        }
    }

    /// Resident memory in bytes.
    package func residentMemory() throws -> Int { try ProcessFacts.residentMemory(of: self.pid) }

    /// The same without pages of files.
    package func ownMemory() throws -> Int { try ProcessFacts.ownMemory(of: self.pid) }
}
