import Glibc
package import HTTPClient
package import TestSupport

/// The real agent, in a folder of its own.
package final class RunningAgent: Sendable {
    package let process: ChildProcess
    package let folder: TemporaryFolder
    package let socket: String

    /// An agent's configuration. Other users may pass through its folder to the socket.
    /// - Parameter more: further members of it, in JSON5.
    package static func folder(
        _ url: String, requestors: [String] = ["NORTHSPORT", "SOUTHSPORT"], softwareStatement: String = "a.b.c",
        more: String = ""
    ) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let list = requestors.map { "\"\($0)\": { softwareStatement: '\(softwareStatement)' }," }
            .joined(separator: "\n")
        try folder.write(
            "{ server: '\(url)', scope: 'test', pollInterval: 1, requestors: {\n\(list)\n}, \(more) }",
            to: "latchkey.json5")
        unsafe chmod(folder.path, 0o755)
        return folder
    }

    package init(_ folder: TemporaryFolder, environment: [String: String] = [:]) throws {
        self.folder = folder
        self.socket = folder.file("agent.sock")
        self.process = try ChildProcess(
            ProgramFolder.own.box,
            ["agent", "--config", folder.file("latchkey.json5"), "--socket", self.socket]
                + ["--state", folder.file("state/state.json")], environment: environment)
    }

    /// Returns once callers can connect.
    package func isReady() async throws {
        try await eventually("an agent that answers") {
            (try? await self.call(.get, "/v1/permission"))?.status == 200 ? () : nil
        }
    }

    /// Calls as the user of the tests.
    @discardableResult
    package func call(
        _ method: HTTPClient.Method, _ path: String, _ body: String? = nil
    ) async throws -> (status: Int, json: JSON) {
        var request = HTTPClient.Request(method, "http://localhost\(path)", body: body.map { Array($0.utf8) })
        request.unixSocketPath = self.socket
        request.timeout = .seconds(70)
        let response = try await HTTPClient.sendOnce(request)
        return (response.status, response.text.isEmpty ? .null : try JSON(parsing: response.text))
    }

    /// The first event of this name, about this requestor where one is named.
    /// - Parameter start: the number that it comes after; 1 for those since the agent was started.
    package func event(_ name: String, of requestor: String? = nil, after start: Int = 1) async throws -> JSON {
        var next = start
        while true {
            let answer = try await self.call(.get, "/v1/events?after=\(next)&wait=20").json
            guard let events = answer["events"]?.list, let number = answer["next"]?.number else {
                throw GaveUp(description: "no events: \(answer)")
            }
            let found = events.first {
                $0["event"]?.text == name && (requestor == nil || $0["requestor"]?.text == requestor)
            }
            if let found { return found }
            guard Int(number) > next else { throw GaveUp(description: "no \(name) within the wait") }
            next = Int(number)
        }
    }

    /// The number that later events come after.
    package func start() async throws -> Int {
        Int(try await self.call(.get, "/v1/events").json["next"]?.number ?? 0)
    }

    package func stop() async -> ChildProcess.End {
        self.process.send(SIGTERM)
        return await self.process.waitForEnd()
    }
}
