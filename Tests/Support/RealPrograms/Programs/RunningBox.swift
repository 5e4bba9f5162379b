package import TestSupport

/// The real `latchkey` as a process that says what happens in JSON, one event a line; killed when released.
package final class RunningBox: Sendable {
    /// What the box shows while it waits.
    package struct Code: Sendable, Hashable {
        /// Without separators.
        package let text: String
        /// The address on the QR code.
        package let url: String

        package init(text: String, url: String) {
            self.text = text
            self.url = url
        }
    }

    private let process: ChildProcess
    private let events: AsyncStream<String>
    private let talk: AsyncStream<String>

    package static func pair(_ demo: DemoFolder, _ programs: ProgramFolder, state: String) throws -> RunningBox {
        try RunningBox(demo, programs, state: state, ["pair"])
    }

    /// Starts another command that shows a code.
    package static func start(
        _ demo: DemoFolder, _ programs: ProgramFolder, state: String, _ words: [String]
    ) throws -> RunningBox {
        try RunningBox(demo, programs, state: state, words)
    }

    /// Runs a command to its end.
    /// - Parameter clock: the clock it obeys; `nil` is the machine's.
    package static func run(
        _ demo: DemoFolder, _ programs: ProgramFolder, state: String, _ words: [String], clock: ServerClock? = nil
    ) async throws -> (end: ChildProcess.End, events: [JSON], talk: String) {
        let box = try RunningBox(demo, programs, state: state, words, clock)
        let end = await box.process.waitForEnd()
        var events: [JSON] = []
        for await line in box.events { events.append(try JSON(parsing: line)) }
        return (end, events, await box.talk.reduce(into: "") { $0 += $1 + "\n" })
    }

    private init(
        _ demo: DemoFolder, _ programs: ProgramFolder, state: String, _ words: [String], _ clock: ServerClock? = nil
    ) throws {
        let arguments = words + ["--config", demo.boxConfiguration, "--state", state, "--json"]
        self.process = try ChildProcess(
            programs.box, arguments, environment: (clock?.environment ?? [:]).merging(["LANG": "C.UTF-8"]) { $1 })
        self.events = self.process.outputLines
        self.talk = self.process.talkLines
    }

    /// Waits for the next event of this name.
    /// - Throws: when the box ends without it.
    @discardableResult
    package func event(_ name: String) async throws -> JSON {
        var seen = ""
        for await line in self.events {
            let event = try JSON(parsing: line)
            if event["event"]?.text == name { return event }
            seen += line + "\n"
        }
        let talk = await self.talk.reduce(into: "") { $0 += $1 + "\n" }
        throw GaveUp(description: "the box ended without saying “\(name)”; it said:\n\(seen)\(talk)")
    }

    package func code() async throws -> Code {
        let event = try await self.event("code_issued")
        guard let code = event["code"]?.text, let url = event["url"]?.text else {
            throw GaveUp(description: "the box shows no code: \(event)")
        }
        return Code(text: code.filter { $0 != "-" }, url: url)
    }

    package func end() async -> ChildProcess.End { await self.process.waitForEnd() }

    /// Waits for the end.
    /// - Throws: what the box said, where it ends otherwise.
    package func end(with code: Int32) async throws {
        let end = await self.process.waitForEnd()
        guard end != .exited(code) else { return }
        let said = await self.events.reduce(into: "") { $0 += $1 + "\n" }
        let talk = await self.talk.reduce(into: "") { $0 += $1 + "\n" }
        throw GaveUp(description: "the box ended as \(end) and not with \(code); it said:\n\(said)\(talk)")
    }

    package func kill() async {
        self.process.send(9)
        _ = await self.process.waitForEnd()
    }

    package func send(_ signal: Int32) { self.process.send(signal) }
}
