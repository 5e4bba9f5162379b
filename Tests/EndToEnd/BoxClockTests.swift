import FoundationEssentials
import RealPrograms
import TestSupport
import Testing

@Suite("A box whose clock is wrong", .serialized, .timeLimit(.minutes(5)))
struct BoxClockTests {
    private static let day: Int64 = 86_400_000

    /// What `latchkey status` says when its clock is that far ahead of the server's, which serves a certificate of its
    /// own authority from now on for two days.
    private func talk(_ server: TLSServer, aheadBy offset: Int64) async throws -> String {
        let folder = try TemporaryFolder()
        let clock = try ServerClock(file: folder.file("clock"), aheadBy: offset)
        let path = try folder.write(
            """
            {server: '\(server.url)', requestor: 'DEMO', softwareStatement: 'a.b.c',
             certificateAuthority: '\(server.certificate)'}
            """, to: "latchkey.json5")
        let run = try await ChildProcess(
            ProgramFolder.own.box, ["status", "--config", path, "--state", folder.file("state.json")],
            environment: clock.environment
        ).run()
        #expect(run.end == .exited(69) && run.output == "", "\(run)")
        return run.talk
    }

    @Test func `is told that the clock is the cause, and how to set it, not that the server is false`() async throws {
        let server = try await TLSServer()
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        let factory = try await self.talk(server, aheadBy: -now)
        #expect(factory.contains("clock says 1970-01-01") && factory.contains("which is wrong"), "\(factory)")
        let behind = try await self.talk(server, aheadBy: -7_200_000)
        #expect(behind.contains("is not valid yet"), "\(behind)")
        let ahead = try await self.talk(server, aheadBy: 14 * 365 * Self.day)
        #expect(ahead.contains("has run out") && ahead.contains("If the clock is right"), "\(ahead)")
        for words in [factory, behind, ahead] {
            #expect(words.contains("timedatectl set-ntp true") && !words.contains("may not be the real server"))
        }
    }

    @Test func `is not blamed where the clock is right`() async throws {
        let server = try await TLSServer()
        let words = try await self.talk(server, aheadBy: 0)
        // It is no Latchkey server; but its certificate is good.
        #expect(!words.contains("clock") && !words.contains("certificate"), "\(words)")
    }
}
