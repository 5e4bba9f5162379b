import RealPrograms
import TestSupport
import Testing

@Suite("A thread that ends together with its program", .timeLimit(.minutes(1)))
struct EndingThreadTests {
    /// With the library `SettableClock` the thread of a client's connections is held up in the last moment.
    @Test(arguments: [(ProgramFolder.own.box, 69), (ProgramFolder.own.sample, 1)] as [(String, Int32)])
    func `does not take it down, since it has given back before what OpenSSL frees`(
        _ program: String, _ code: Int32
    ) async throws {
        let folder = try TemporaryFolder()
        let server = "http://127.0.0.1:1"
        let path = try folder.write(
            "{server: '\(server)', requestor: 'DEMO', softwareStatement: 'a.b.c'}", to: "latchkey.json5")
        let arguments =
            program == ProgramFolder.own.box
            ? ["status", "--config", path, "--state", folder.file("state.json")] : [server, "a.b.c", "DEMO", "One"]
        let environment = [
            "LD_PRELOAD": ProgramFolder.own.program("libSettableClock.so"), "LATCHKEY_TEST_LATE_THREADS": "1",
            "XDG_STATE_HOME": folder.path,
        ]
        let run = try await ChildProcess(program, arguments, environment: environment).run()
        #expect(run.end == .exited(code), "\(run)")
    }
}
