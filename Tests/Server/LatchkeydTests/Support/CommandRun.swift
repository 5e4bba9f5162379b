import Clientless
import CommandLineTool
import Entitlement
import Glibc
import Lending
import POSIX
import Stores
import TestSupport
import Testing

@testable import latchkeyd

/// Runs a command of the program in this process, and keeps what it says.
struct CommandRun {
    let code: ExitCode
    let output: String
    /// Standard error.
    let talk: String

    /// - Parameter now: the moment the command takes for the present.
    static func run(_ arguments: String..., now: Timestamp? = nil) async throws -> CommandRun {
        try await self.run(arguments, now: now)
    }

    static func run(_ arguments: [String], now: Timestamp? = nil) async throws -> CommandRun {
        let folder = try TemporaryFolder()
        let output = unsafe open(folder.file("output"), O_WRONLY | O_CREAT, 0o600)
        let talk = unsafe open(folder.file("talk"), O_WRONLY | O_CREAT, 0o600)
        defer {
            close(output)
            close(talk)
        }
        let console = Console(results: BorrowedDescriptor(output), talk: BorrowedDescriptor(talk))
        let context =
            if let now {
                CommandContext(console: console, environment: [:], now: { now })
            } else {
                CommandContext(console: console, environment: [:])
            }
        let code = await ServerProgram.run(arguments, context)
        return CommandRun(code: code, output: try folder.read("output"), talk: try folder.read("talk"))
    }

    /// Expects this exit code, and each of these texts somewhere on standard output or standard error.
    @discardableResult
    func expect(
        _ code: ExitCode, output: String..., talk: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> CommandRun {
        #expect(self.code == code, "\(self.output)\(self.talk)", sourceLocation: sourceLocation)
        for text in output { #expect(self.output.contains(text), sourceLocation: sourceLocation) }
        for text in talk { #expect(self.talk.contains(text), sourceLocation: sourceLocation) }
        return self
    }
}

struct TestSetUp {
    @TaskLocal static var current: TestSetUp?

    let folder: TemporaryFolder

    var path: String { self.folder.file("server") }
    var configurationFile: String { "\(self.path)/latchkeyd.json5" }
    func file(_ name: String) -> String { "\(self.path)/\(name)" }

    /// As `latchkeyd init --demo` makes it. All of a process have the same keys, as to make keys takes longer than most
    /// tests do.
    static func demo() async throws -> TestSetUp {
        let setUp = TestSetUp(folder: try TemporaryFolder())
        try await Self.kept.value.write(to: setUp.path)
        return setUp
    }

    private static let kept = Task {
        let made = try await TestSetUp.newDemo()
        return try withExtendedLifetime(made) { try KeptFolder(of: made.path) }
    }

    /// Made by `latchkeyd init --demo` for this test alone.
    static func newDemo() async throws -> TestSetUp {
        let setUp = TestSetUp(folder: try TemporaryFolder())
        let run = try await CommandRun.run(
            "init", "--demo", "--folder", setUp.path, "--public-url", "http://127.0.0.1:18443")
        guard run.code == .success else { throw OperatorError(run.talk, exitCode: run.code) }
        return setUp
    }

    /// Made by `latchkeyd init`, without a provider and a requestor.
    static func plain() async throws -> TestSetUp {
        let setUp = TestSetUp(folder: try TemporaryFolder())
        try await CommandRun.run("init", "--folder", setUp.path, "--public-url", "https://tv.example").expect(.success)
        return setUp
    }

    func store<Result>(_ body: (any EmbeddedStore) async throws -> Result) async throws -> Result {
        let store = try await SQLiteStore.open(self.file("latchkeyd.sqlite"))
        let result = try await body(store)
        await store.close()
        return result
    }

    /// Replaces text of the configuration, which has to be there.
    func replace(
        _ old: String, with new: String, maxReplacements: Int = .max, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let text = try self.folder.read("server/latchkeyd.json5")
        #expect(text.contains(old), sourceLocation: sourceLocation)
        let changed = text.replacing(old, with: new, maxReplacements: maxReplacements)
        try self.folder.write(changed, to: "server/latchkeyd.json5")
    }

    /// Keeps a sign-in of `device` at the demo's provider, by the ID of the viewer's account if there is one.
    func signIn(
        _ device: String, id: String, viewer: String = "demo", requestor: String = "DEMO", isExclusive: Bool = false,
        code: String? = nil, credential: BoxCredential? = nil, at moment: Timestamp,
        for lifetime: Duration = .seconds(86_400)
    ) async throws {
        let keys = try KeyFolder(self.file("keys")).load().serverKeys
        let mvpd = MVPDID("DemoTV")!
        try await self.store { store in
            let user = keys.userID(try await store.account(viewer, of: mvpd)?.id ?? viewer, of: mvpd)
            let context = DeviceContext(device: keys.deviceHash(DeviceID(device)!), appID: nil, deviceUser: nil)
            try await store.insert(
                AuthNRecord(
                    id: AuthNID(text: id), context: context, requestor: RequestorID(requestor)!,
                    isExclusive: isExclusive, mvpd: mvpd, userID: user, code: code.flatMap(RegistrationCodeText.init),
                    credential: credential, created: moment, expires: moment + lifetime, sealedSession: [1]))
        }
    }

    func run(_ arguments: String..., now: Timestamp? = nil) async throws -> CommandRun {
        try await self.run(arguments, now: now)
    }

    func run(_ arguments: [String], now: Timestamp? = nil) async throws -> CommandRun {
        try await CommandRun.run(arguments + ["--config", self.configurationFile], now: now)
    }
}

var setUp: TestSetUp { TestSetUp.$current.lent() }

extension Trait where Self == Lending<TestSetUp> {
    static var demo: Self { Lending(TestSetUp.$current) { try await $0(TestSetUp.demo()) } }
}
