package import TestSupport

/// The sample application as a process that says every event of the library in JSON, one a line; killed when released.
package final class RunningSample: Sendable {
    private let process: ChildProcess
    private let events: AsyncStream<String>
    private let talk: AsyncStream<String>

    package var pid: Int32 { self.process.pid }

    /// Starts it as an application of the demo's strict requestor, and lets it ask for the demo's channel.
    /// - Parameter state: a folder; it keeps its tokens in there.
    package init(_ demo: DemoFolder, _ programs: ProgramFolder, state: String, _ options: [String] = []) throws {
        let arguments =
            [demo.url, try demo.softwareStatement(), DemoFolder.strictRequestor, DemoFolder.channel]
            + ["--provider=\(DemoFolder.provider)"] + options
        self.process = try ChildProcess(
            programs.sample, arguments, environment: ["LANG": "C.UTF-8", "XDG_STATE_HOME": state])
        self.events = self.process.outputLines
        self.talk = self.process.talkLines
    }

    /// Waits for the next event of this name.
    /// - Throws: when it ends without it.
    @discardableResult
    package func event(_ name: String) async throws -> JSON {
        var seen = ""
        for await line in self.events {
            let event = try JSON(parsing: line)
            if event["event"]?.text == name { return event }
            seen += line + "\n"
        }
        let talk = await self.talk.reduce(into: "") { $0 += $1 + "\n" }
        throw GaveUp(description: "the sample ended without saying “\(name)”; it said:\n\(seen)\(talk)")
    }

    /// Waits for its code; lets the viewer sign in and confirm.
    package func signIn(as viewer: Viewer) async throws {
        let code = try await self.event("registrationCode")
        guard let url = code["url"]?.text, !url.isEmpty else { throw GaveUp(description: "no page: \(code)") }
        let phone = Phone()
        let question = try await phone.walkToConfirmation(from: url, as: viewer)
        _ = try await phone.decide(.confirm, on: question)
    }

    package func end() async -> ChildProcess.End { await self.process.waitForEnd() }

    package func kill() async {
        self.process.send(9)
        _ = await self.process.waitForEnd()
    }
}
