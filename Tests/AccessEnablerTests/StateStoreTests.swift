import AccessEnabler
import Cryptography
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite("The state file", .timeLimit(.minutes(1)))
struct StateStoreTests {
    private func mode(of path: String) throws -> mode_t {
        var facts = stat()
        try #require(unsafe stat(path, &facts) == 0)
        return facts.st_mode & 0o7777
    }

    @Test("is readable by its owner only, and leaves nothing else behind but its lock")
    func modes() async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        _ = try await box.enabler().account()
        #expect(try self.mode(of: box.statePath) == 0o600)
        #expect(try self.mode(of: box.folder.file("state")) == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: box.folder.file("state")).sorted()
        #expect(names == ["state.json", "state.json.lock"])
    }

    @Test(
        "that is damaged is kept aside, told, and begun anew",
        arguments: ["", "{", "[]", "null", #"{"version":"one"}"#, #"{"version":1,"servers":7}"#, "\u{0}\u{0}"])
    func damaged(text: String) async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        try FileManager.default.createDirectory(atPath: box.folder.file("state"), withIntermediateDirectories: true)
        try box.folder.write(text, to: "state/state.json")
        let told = Mutex<[String]>([])
        for round in 1...2 {
            let enabler = AccessEnabler(
                credentials: .softwareStatement(Secret("a.b.c")), configuration: try box.configuration,
                whenStateSetAside: { path in told.withLock { $0.append(path) } })
            try await enabler.configure(requestorID: "NORTHSPORT")
            #expect(try await enabler.account() == nil)
            #expect(told.withLock { $0 } == (1...round).map { "\(box.statePath).corrupt-\($0)" })
            #expect(try box.folder.read("state/state.json.corrupt-\(round)") == text)
            #expect(try box.folder.read("state/state.json").contains("client-"))
            try box.folder.write(text, to: "state/state.json")
        }
    }

    @Test("of a newer version is left alone")
    func newer() async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        try FileManager.default.createDirectory(atPath: box.folder.file("state"), withIntermediateDirectories: true)
        try box.folder.write(#"{"version":2,"servers":[]}"#, to: "state/state.json")
        let error = await #expect(throws: EntitlementError.self) { try await box.enabler().account() }
        #expect(error?.code == .state)
        #expect(try box.folder.read("state/state.json") == #"{"version":2,"servers":[]}"#)
        #expect(service.calls.isEmpty)
    }

    @Test("that cannot be one is an error, told with its path")
    func impossible() async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        for path in [box.folder.file("machine-id/state.json"), box.folder.path, "/proc/latchkey/state.json"] {
            let error = await #expect(throws: EntitlementError.self) {
                try await box.enabler { $0.stateFile = path }.account()
            }
            #expect(error?.code == .state)
            #expect(error?.detail?.contains("/") == true)
        }
    }

    @Test("is not written while another program holds its lock, nor waited for without end")
    func locked() async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        let enabler = try await box.enabler()
        _ = try await enabler.account()
        let lock = unsafe open(box.statePath + ".lock", O_RDWR)
        try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
        defer { close(lock) }
        box.clock.advance(by: .seconds(30_000))
        let error = await #expect(throws: EntitlementError.self) { try await enabler.account() }
        #expect(error?.code == .state && error?.detail?.contains("locked") == true)
    }

    @Test("survives many writers at once")
    func writers() async throws {
        let service = try ScriptedService()
        let box = try TestBox(service.url)
        let enablers = try await [box.enabler(), box.enabler(), box.enabler(), box.enabler()]
        await withTaskGroup { group in
            for enabler in enablers {
                group.addTask { for _ in 0..<5 { _ = try? await enabler.account() } }
            }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: box.folder.file("state")).sorted()
        #expect(names == ["state.json", "state.json.lock"])
        #expect(try box.folder.read("state/state.json").contains("token-"))
    }
}
