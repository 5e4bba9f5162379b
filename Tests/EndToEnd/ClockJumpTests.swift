import FoundationEssentials
import HTTPClient
import RealPrograms
import TestSupport
import Testing

@Suite("The real programs when the clock jumps", .serialized, .timeLimit(.minutes(5)))
struct ClockJumpTests {
    private static let day: Int64 = 86_400_000

    @Test("61 days ahead for a while, the server erases nothing, and afterwards the box is signed in as before")
    func aWhileAhead() async throws {
        try await Self.withSignedInBox { pair, clock in
            let rows = try await Self.rows(pair)
            try clock.set(aheadBy: 61 * Self.day)
            try await eventually("a purge that is suspended", within: .seconds(120)) {
                try await pair.server.metric("latchkey_purge_suspended") == 1 ? () : nil
            }
            // A box whose own clock jumps as well keeps what it has.
            _ = try await RunningBox.run(pair.demo, .own, state: pair.boxState, ["status"], clock: clock)
            #expect(try await Self.rows(pair) == rows)
            try clock.set(aheadBy: 0)
            try await Self.expectSignedIn(pair)
            try await eventually("a purge that goes on", within: .seconds(120)) {
                try await pair.server.metric("latchkey_purge_suspended") == 0 ? () : nil
            }
            #expect(try await Self.rows(pair) == rows)
        }
    }

    @Test func `A start 400 days ahead erases nothing, and the next one finds the box signed in`() async throws {
        try await Self.startElsewhere(aheadBy: 400 * Self.day)
    }

    @Test func `A start in 1970 erases nothing, and the clock may be set right while the server runs`() async throws {
        try await Self.startElsewhere(aheadBy: 3_600_000 - Int64(Date().timeIntervalSince1970 * 1000), setsRight: true)
    }

    /// Starts the server with its clock elsewhere, after it had a box signed in, and puts the clock right.
    /// - Parameter setsRight: whether the clock is put right while the server runs, or between two starts.
    private static func startElsewhere(aheadBy offset: Int64, setsRight: Bool = false) async throws {
        try await Self.withSignedInBox { pair, clock in
            let rows = try await Self.rows(pair)
            #expect(await pair.server.stop() == .exited(0))
            try clock.set(aheadBy: offset)
            var server = try await RunningServer.start(pair.demo, .own, clock: clock)
            try await eventually("a purge that is suspended") {
                try await server.metric("latchkey_purge_suspended") == 1 ? () : nil
            }
            #expect(try await server.get("/readyz").status == 200)
            #expect(try await Self.rows(pair) == rows)
            if !setsRight { #expect(await server.stop() == .exited(0)) }
            try clock.set(aheadBy: 0)
            if !setsRight { server = try await RunningServer.start(pair.demo, .own, clock: clock) }
            let again = Pair(folder: pair.folder, demo: pair.demo, server: server)
            try await Self.expectSignedIn(again)
            try await eventually("a purge that goes on", within: .seconds(120)) {
                try await server.metric("latchkey_purge_suspended") == 0 ? () : nil
            }
            #expect(try await Self.rows(again) == rows)
            #expect(await server.stop() == .exited(0))
        }
    }

    private static func withSignedInBox(_ body: (Pair, ServerClock) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let demo = try await DemoFolder.make(.own, in: folder.file("server"))
        let clock = try ServerClock(file: folder.file("clock"))
        let server = try await RunningServer.start(demo, .own, clock: clock)
        let pair = Pair(folder: folder, demo: demo, server: server)
        try await pair.signIn()
        try await Self.expectSignedIn(pair)
        try await body(pair, clock)
        await server.stop()
    }

    private static func expectSignedIn(_ pair: Pair) async throws {
        let allowed = try await pair.box("authorize", DemoFolder.channel)
        #expect(allowed.end == .exited(0), "\(allowed.talk)")
    }

    /// How many codes, sign-ins, decisions and clients the store has.
    private static func rows(_ pair: Pair) async throws -> String {
        let tables = ["codes", "authentications", "authorizations", "clients"]
        let counts = tables.map { "(SELECT count(*) FROM \($0))" }.joined(separator: ", ")
        let (end, output, talk) = try await ChildProcess("sqlite3", [pair.demo.store, "SELECT \(counts)"]).run()
        guard end == .exited(0) else { throw GaveUp(description: "sqlite3 ended with \(end): \(talk)") }
        return output
    }
}
