import FoundationEssentials
import Lending
import TestSupport
import Testing

@testable import latchkey

/// The built program, in a folder of its own.
struct Latchkey {
    @TaskLocal static var served: (service: ScriptedService, box: Latchkey)?

    let folder: TemporaryFolder
    let url: String

    init(_ url: String) throws {
        self.folder = try TemporaryFolder()
        self.url = url
        try self.folder.write(
            """
            // The box of a test.
            {
                server: '\(url)',
                requestor: "NORTHSPORT",
                softwareStatement: "a.b.c",
                deviceName: "Living room",
                scope: "test",
            }
            """, to: "latchkey.json5")
    }

    static func served(
        _ change: (inout ScriptedService.Behaviour) -> Void = { _ in }
    ) throws -> (service: ScriptedService, box: Latchkey) {
        let service = try ScriptedService(change)
        return (service, try Latchkey(service.url))
    }

    var statePath: String { self.folder.file("latchkey/state.json") }

    func start(_ arguments: String..., environment: [String: String] = [:]) throws -> ChildProcess {
        try self.start(arguments, environment: environment)
    }

    func start(_ arguments: [String], environment: [String: String] = [:]) throws -> ChildProcess {
        var environment = environment
        environment["XDG_STATE_HOME"] = self.folder.path
        return try ChildProcess(
            Self.program, arguments + ["--config", self.folder.file("latchkey.json5")], environment: environment)
    }

    func run(_ arguments: String...) async throws -> (end: ChildProcess.End, output: String, talk: String) {
        try await self.run(arguments)
    }

    func run(
        _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> (end: ChildProcess.End, output: String, talk: String) {
        try await self.start(arguments, environment: environment).run()
    }

    /// Runs it with `--json`, checks every line against the schema, and returns the events.
    func events(
        _ arguments: String..., environment: [String: String] = [:]
    ) async throws -> (end: ChildProcess.End, events: [BoxEvent]) {
        let (end, output, talk) = try await self.run(arguments + ["--json"], environment: environment)
        #expect(talk == "", "nothing but events, and those on stdout")
        #expect(try await EventSchema.faults(in: output) == "")
        return (end, try output.split(separator: "\n").map { try BoxEvent(line: String($0)) })
    }

    /// Pairs the box, as its viewer does.
    func signIn(_ service: ScriptedService) async throws {
        let process = try self.start("pair", "--json")
        // Shown first: questions about an earlier code may not have been looked at yet.
        _ = await process.outputLines.read(until: "code_issued")
        service.confirm()
        try #require(await process.waitForEnd() == .exited(0))
    }

    /// The product beside the test bundle.
    static let program = ProgramFolder.own.box
}

/// One line of `--json`.
struct Event: Decodable {
    let version: Int
    let event: String
    let code: String?
    let url: String?
    let shortUrl: String?
    let qr: String?
    let resumed: Bool?
    let mvpdName: String?
    let already: Bool?
    let state: String?
    let token: String?
    let message: String?

    init(_ line: String) throws { self = try JSONDecoder().decode(Event.self, from: Data(line.utf8)) }
}

extension AsyncStream<String> {
    /// Reads on until a line that holds `words`; everything up to it.
    func read(until words: String) async -> [String] {
        var lines: [String] = []
        for await line in self {
            lines.append(line)
            if line.contains(words) { return lines }
        }
        Issue.record("the output ended before \"\(words)\": \(lines)")
        return lines
    }

    func next() async -> String? {
        for await line in self { return line }
        return nil
    }

    /// The event in the next line.
    func event() async throws -> Event { try Event(try #require(await self.next())) }
}

extension ScriptedService {
    /// Returns when the box asks for its code, and a change would reach it.
    func isPolled() async { while let path = await self.asked.next(), !path.hasSuffix("/session") {} }
}

var service: ScriptedService { Latchkey.$served.lent().service }

var box: Latchkey { Latchkey.$served.lent().box }

extension Trait where Self == Lending<(service: ScriptedService, box: Latchkey)> {
    static var box: Self { Lending(Latchkey.$served) { try await $0(Latchkey.served()) } }
    static var signedIn: Self {
        Lending(Latchkey.$served) { body in
            let lent = try Latchkey.served()
            try await lent.box.signIn(lent.service)
            try await body(lent)
        }
    }
    /// With a box whose server does not listen.
    static var unserved: Self {
        Lending(Latchkey.$served) { try await $0((ScriptedService(), Latchkey("http://127.0.0.1:1"))) }
    }
}
