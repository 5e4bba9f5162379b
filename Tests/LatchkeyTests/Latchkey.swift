import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The built program, in a folder of its own.
struct Latchkey {
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

    var statePath: String { self.folder.file("latchkey/state.json") }

    /// Starts `latchkey` with its own configuration and state.
    func start(_ arguments: String..., environment: [String: String] = [:]) throws -> ChildProcess {
        var environment = environment
        environment["XDG_STATE_HOME"] = self.folder.path
        return try ChildProcess(
            Self.program, arguments + ["--config", self.folder.file("latchkey.json5")], environment: environment)
    }

    /// Runs it to its end.
    func run(_ arguments: String...) async throws -> (end: ChildProcess.End, output: String, talk: String) {
        try await self.run(arguments)
    }

    func run(_ arguments: [String]) async throws -> (end: ChildProcess.End, output: String, talk: String) {
        try await ChildProcess(
            Self.program, arguments + ["--config", self.folder.file("latchkey.json5")],
            environment: ["XDG_STATE_HOME": self.folder.path]
        ).run()
    }

    /// Pairs the box, as its viewer does.
    func signIn(_ service: ScriptedService) async throws {
        let process = try self.start("pair", "--json")
        await service.isPolled()
        service.confirm()
        try #require(await process.waitForEnd() == .exited(0))
    }

    /// The product beside the test bundle.
    static let program: String = {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/latchkey"
    }()
}

/// One line of `--json`.
struct Event: Decodable {
    let version: Int
    let event: String
    let code: String?
    let qrPayload: String?
    let shortURL: String?
    let qr: String?
    let resumed: Bool?
    let reason: String?
    let name: String?
    let already: Bool?
    let signedIn: Bool?
    let token: String?
    let message: String?
    let exitCode: Int?

    init(_ line: String) throws {
        self = try JSONDecoder().decode(Event.self, from: Data(line.utf8))
    }
}

extension AsyncStream<String> {
    /// Reads on until a line that holds `words`; everything up to it.
    static func read(
        _ iterator: inout AsyncStream<String>.Iterator, until words: String
    ) async throws -> [String] {
        var lines: [String] = []
        while let line = await iterator.next(isolation: #isolation) {
            lines.append(line)
            if line.contains(words) { return lines }
        }
        Issue.record("the output ended before \"\(words)\": \(lines)")
        return lines
    }
}

extension ScriptedService {
    /// Returns when the box asks for its code, and a change would reach it.
    func isPolled() async {
        while let path = await self.asked.next(), !path.hasSuffix("/session") {}
    }
}
