import Clientless
import CommandLineTool
import Entitlement
import FoundationEssentials
import TestSupport
import Testing

@testable import latchkeyd

@Suite("latchkeyd provider check", .timeLimit(.minutes(1)))
struct ProviderCheckTests {
    /// A provider on this machine, in as far as a check looks at it.
    private struct CheckedProvider {
        var date: String?
        /// What the authorization endpoint answers; `nil` where there is none.
        var decisions: ScriptedServer.Answer?
        var keys = #"{"keys":[]}"#

        func server() throws -> ScriptedServer {
            try ScriptedServer { request in
                let url = "http://\(request.headers["host"] ?? "")"
                let date = self.date.map { ["Date": $0] } ?? [:]
                switch request.path {
                case "/.well-known/openid-configuration":
                    return .response(
                        200, headers: date,
                        body: """
                            {"issuer": "\(url)", "authorization_endpoint": "\(url)/authorize",
                            "token_endpoint": "\(url)/token", "jwks_uri": "\(url)/keys",
                            "response_types_supported": ["code"], "subject_types_supported": ["public"],
                            "code_challenge_methods_supported": ["S256"],
                            "id_token_signing_alg_values_supported": ["RS256"]}
                            """)
                case "/keys": return .response(200, headers: date, body: self.keys)
                case "/decide": return self.decisions ?? .response(404)
                default: return .response(404)
                }
            }
        }
    }

    private func check(
        _ provider: CheckedProvider
    ) async throws -> (run: CommandRun, requests: [ScriptedServer.Request]) {
        let (folder, server) = (try TemporaryFolder(), try provider.server())
        let made = try await CommandRun.run(
            "init", "--folder", folder.file("server"), "--public-url", "https://tv.example")
        #expect(made.code == .success, "\(made.talk)")
        let authorization =
            provider.decisions == nil ? "" : ", authorization: { address: '\(server.url)/decide', token: 'token' }"
        try folder.write("hush\n", to: "server/token")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder.file("server/token"))
        let lineUp = provider.decisions == nil ? ", lineUp: ['*']" : ""
        let entry =
            "{ id: 'CableNova', name: 'Cable Nova', kind: 'oidc', oidc: { issuer: '\(server.url)', clientID: 'latchkey'"
            + "\(lineUp) }\(authorization) },"
        let text = try folder.read("server/latchkeyd.json5")
        try folder.write(
            text.replacing("    providers: [", with: "    providers: [\n\(entry)\n", maxReplacements: 1),
            to: "server/latchkeyd.json5")
        let run = try await CommandRun.run(
            "provider", "check", "CableNova", "--config", folder.file("server/latchkeyd.json5"))
        return (run, server.requests)
    }

    /// - Parameter offset: in seconds from now.
    private static func date(_ offset: Int) async throws -> String {
        let words = ["-u", "-d", "\(offset) seconds", "+%a, %d %b %Y %H:%M:%S GMT"]
        let told = try await ChildProcess("date", words, environment: ["LC_ALL": "C", "PATH": "/usr/bin:/bin"]).run()
        return String(told.output.prefix { $0 != "\n" })
    }

    @Test("says that a clock is minutes off, that clocks agree, or that the provider tells no time")
    func clock() async throws {
        let late = try await self.check(CheckedProvider(date: try await Self.date(-120)))
        #expect(late.run.code == .success, "\(late.run.talk)")
        #expect(late.run.talk.contains(" s behind this server's.\n"), "\(late.run.talk)")
        let early = try await self.check(CheckedProvider(date: try await Self.date(600)))
        #expect(early.run.talk.contains(" s before this server's; no sign-in works so.\n"), "\(early.run.talk)")
        let right = try await self.check(CheckedProvider(date: try await Self.date(0)))
        #expect(right.run.talk.contains("Its clock and this server's agree."), "\(right.run.talk)")
        let silent = try await self.check(CheckedProvider())
        #expect(silent.run.talk.contains("It does not say what time it is."), "\(silent.run.talk)")
        #expect(silent.run.talk.contains("https://tv.example/sp/login/CableNova"))
    }

    @Test("asks the authorization endpoint about no viewer, and says what is wrong there")
    func authorization() async throws {
        let good = try await self.check(
            CheckedProvider(decisions: .response(200, body: #"{"decisions":[]}"#)))
        #expect(good.run.code == .success, "\(good.run.talk)")
        #expect(good.run.talk.contains("The authorization endpoint answers, and knows this server."))
        let asked = try #require(good.requests.first { $0.path == "/decide" })
        #expect(asked.headers["authorization"] == "Bearer hush" && asked.text == #"{"version":1,"resources":[]}"#)
        let unknown = try await self.check(CheckedProvider(decisions: .response(401)))
        #expect(unknown.run.code == .configuration && unknown.run.talk.contains("endpoint answers 401."))
        let down = try await self.check(CheckedProvider(decisions: .response(503)))
        #expect(down.run.code == .unreachable && !down.run.talk.contains("hush"))
    }

    @Test("stops at a provider that is not there, or that publishes garbage")
    func trouble() async throws {
        let garbage = try await self.check(CheckedProvider(keys: "garbage"))
        #expect(garbage.run.code == .unreachable && garbage.run.talk.contains("CableNova: "), "\(garbage.run.talk)")
    }
}
