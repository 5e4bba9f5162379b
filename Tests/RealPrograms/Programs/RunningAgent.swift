import FoundationEssentials
import Glibc
import HTTPClient
import RealPrograms
import TestSupport

/// The real agent, in a folder of its own.
final class RunningAgent: Sendable {
    let process: ChildProcess
    let folder: TemporaryFolder
    let socket: String

    /// An agent's configuration. Other users may pass through its folder to the socket.
    static func folder(
        _ url: String, requestors: [String] = ["NORTHSPORT", "SOUTHSPORT"], more: String = ""
    ) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let list = requestors.map { "\($0): { softwareStatement: 'a.b.c' }," }.joined(separator: "\n")
        try folder.write(
            "{ server: '\(url)', scope: 'test', pollInterval: 1, requestors: {\n\(list)\n}, \(more) }",
            to: "latchkey.json5")
        unsafe chmod(folder.path, 0o755)
        return folder
    }

    init(_ folder: TemporaryFolder, environment: [String: String] = [:]) throws {
        self.folder = folder
        self.socket = folder.file("agent.sock")
        self.process = try ChildProcess(
            ProgramFolder.own.box,
            ["agent", "--config", folder.file("latchkey.json5"), "--socket", self.socket]
                + ["--state", folder.file("state/state.json")], environment: environment)
    }

    /// Returns once callers can connect.
    func isReady() async throws {
        try await eventually("an agent that answers") {
            (try? await self.call(.get, "/v1/permission"))?.status == 200 ? () : nil
        }
    }

    /// Calls as the user of the tests.
    @discardableResult
    func call(
        _ method: HTTPClient.Method, _ path: String, _ body: String? = nil
    ) async throws -> (status: Int, json: JSON) {
        let client = HTTPClient()
        var request = HTTPClient.Request(method, "http://localhost\(path)", body: body.map { Array($0.utf8) })
        request.unixSocketPath = self.socket
        request.timeout = .seconds(70)
        let result: Result<HTTPClient.Response, HTTPClientError>
        do throws(HTTPClientError) {
            result = .success(try await client.send(request))
        } catch {
            result = .failure(error)
        }
        await client.shutDown()
        let response = try result.get()
        return (response.status, response.text.isEmpty ? .null : try JSON(parsing: response.text))
    }

    /// Calls as another user of the system, with curl.
    func call(
        as user: Int, in group: ControlGroup? = nil, _ method: String, _ path: String, _ body: String? = nil
    ) async throws -> (status: Int, json: JSON) {
        var words = ["--reuid", "\(user)", "--clear-groups", "curl", "-sS", "-X", method, "-w", "\n%{http_code}"]
        words += ["--unix-socket", self.socket, "http://localhost\(path)"]
        if let body { words += ["-d", body] }
        let (_, output, talk) = try await ChildProcess(
            group == nil ? "setpriv" : "sh", group?.words(["setpriv"] + words) ?? words
        ).run()
        var lines = output.split(separator: "\n")
        guard let status = lines.popLast().flatMap({ Int($0) }) else { throw GaveUp(description: "curl: \(talk)") }
        return (status, lines.isEmpty ? .null : try JSON(parsing: lines.joined(separator: "\n")))
    }

    /// The events after a number, until one of this name.
    func event(_ name: String, after start: Int) async throws -> JSON {
        var next = start
        while true {
            let answer = try await self.call(.get, "/v1/events?after=\(next)&wait=20").json
            guard let events = answer["events"]?.list, let number = answer["next"]?.number else {
                throw GaveUp(description: "no events: \(answer)")
            }
            if let event = events.first(where: { $0["event"]?.text == name }) { return event }
            guard Int(number) > next else { throw GaveUp(description: "no \(name) within the wait") }
            next = Int(number)
        }
    }

    /// The number that later events come after.
    func start() async throws -> Int {
        Int(try await self.call(.get, "/v1/events").json["next"]?.number ?? 0)
    }

    func stop() async -> ChildProcess.End {
        self.process.send(SIGTERM)
        return await self.process.waitForEnd()
    }
}
