import CommandLineTool
import TestSupport
import Testing

@Suite("latchkeyd provider check", .timeLimit(.minutes(5)))
struct ProviderCheckTests {
    /// A provider on this machine, in as far as a check looks at it.
    private struct CheckedProvider {
        var date: String?
        /// What the authorization endpoint answers; `nil` where there is none.
        var decisions: ScriptedServer.Answer?
        /// The settings of an authorization endpoint elsewhere.
        var authorization: String?
        var keys =
            #"{"keys":[{"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","#
            + #""y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}]}"#
        var hasMetadata = true
        var token = ScriptedServer.Answer.response(404)
        /// Ends every connection.
        var isDown = false

        func server() throws -> ScriptedServer {
            try ScriptedServer { request in
                let url = "http://\(request.headers["host"] ?? "")"
                let date = self.date.map { ["Date": $0] } ?? [:]
                switch request.path {
                case _ where self.isDown: return .close
                case "/.well-known/openid-configuration" where self.hasMetadata:
                    return .response(
                        200, headers: date,
                        body: """
                            {"issuer": "\(url)", "authorization_endpoint": "\(url)/authorize",
                            "token_endpoint": "\(url)/token", "jwks_uri": "\(url)/keys",
                            "response_types_supported": ["code"], "subject_types_supported": ["public"],
                            "code_challenge_methods_supported": ["S256"],
                            "id_token_signing_alg_values_supported": ["RS256"]}
                            """)
                case "/token": return self.token
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
        let (setUp, server) = (try await TestSetUp.plain(), try provider.server())
        let settings = provider.decisions.map { _ in "address: '\(server.url)/decide', token: 'token'" }
        let authorization = (settings ?? provider.authorization).map { ", authorization: { \($0) }" } ?? ""
        try setUp.folder.writeSecret("hush\n", to: "server/token")
        let lineUp = authorization.isEmpty ? ", lineUp: ['*']" : ""
        let entry =
            "{ id: 'CableNova', name: 'Cable Nova', kind: 'oidc', oidc: { issuer: '\(server.url)', clientID: 'latchkey'"
            + "\(lineUp) }\(authorization) },"
        try setUp.replace("    providers: [", with: "    providers: [\n\(entry)\n", maxReplacements: 1)
        let run = try await setUp.run("provider", "check", "CableNova")
        // 'check' looks at all of them, unless it is told not to.
        try await setUp.run("check").expect(run.code)
        try await setUp.run("check", "--offline").expect(.success)
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
        #expect(early.run.talk.contains(" s ahead of this server's; no sign-in works so.\n"), "\(early.run.talk)")
        #expect(early.run.code == .configuration)
        let right = try await self.check(CheckedProvider(date: try await Self.date(0)))
        #expect(right.run.talk.contains("Its clock and this server's agree."), "\(right.run.talk)")
        let silent = try await self.check(CheckedProvider())
        #expect(silent.run.talk.contains("It does not say what time it is."), "\(silent.run.talk)")
        #expect(silent.run.talk.contains("https://tv.example/sp/login/CableNova"))
    }

    @Test func `tells a client that the provider knows from one with a wrong ID or secret`() async throws {
        func check(_ status: Int, _ body: String) async throws -> CommandRun {
            try await self.check(CheckedProvider(token: .response(status, body: body))).run
        }
        try await check(400, #"{"error":"invalid_grant"}"#).expect(.success, talk: "It knows this server: ")
        let remedy = "invalid_client: look at the client's ID, secret and authentication"
        for (status, error, end) in [
            (401, "invalid_client", remedy), (400, "invalid_client", remedy),
            (400, "unauthorized_client", "unauthorized_client"),
        ] {
            try await check(status, "{\"error\":\"\(error)\"}").expect(
                .configuration, talk: "CableNova: token: the provider refused with \(end).")
        }
        try await check(404, "Not found").expect(.success, talk: "It does not say whether it knows")
    }

    @Test func `asks the authorization endpoint about no viewer, and says what is wrong there`() async throws {
        let good = try await self.check(CheckedProvider(decisions: .response(200, body: #"{"decisions":[]}"#)))
        #expect(good.run.code == .success, "\(good.run.talk)")
        #expect(good.run.talk.contains("The authorization endpoint answers, and knows this server."))
        let asked = try #require(good.requests.first { $0.path == "/decide" })
        #expect(asked.headers["authorization"] == "Bearer hush" && asked.text == #"{"version":1,"resources":[]}"#)
        let unknown = try await self.check(CheckedProvider(decisions: .response(401)))
        #expect(unknown.run.code == .configuration && unknown.run.talk.contains("endpoint answers 401."))
        let down = try await self.check(CheckedProvider(decisions: .response(503)))
        #expect(down.run.code == .unreachable && !down.run.talk.contains("hush"))
    }

    @Test("shows the authorization endpoint a certificate, and says so when it is not the one that is known there")
    func clientCertificate() async throws {
        let server = try await KnowingTLSServer(answer: #"{"decisions":[]}"#)
        let address = "address: '\(server.url)/decide', authorities: '\(server.certificate)'"
        try await self.check(
            CheckedProvider(authorization: "\(address), certificate: '\(server.certificate)', key: '\(server.key)'")
        ).run.expect(.success, talk: "The authorization endpoint answers, and knows this server.")
        for settings in [address, "\(address), certificate: '\(server.otherCertificate)', key: '\(server.otherKey)'"] {
            let unknown = try await self.check(CheckedProvider(authorization: settings)).run
            // In TLS 1.3 the endpoint's no comes after the handshake, and looks like a connection that was lost.
            #expect([.unreachable, .configuration].contains(unknown.code), "\(unknown.talk)")
            #expect(unknown.talk.contains("CableNova: the authorization endpoint: "), "\(unknown.talk)")
        }
    }

    @Test("tells a provider that publishes garbage from one that is not there, and from one that is set up wrongly")
    func trouble() async throws {
        for keys in ["garbage", "<!DOCTYPE html><title>Sorry</title>", #"{"keys": 7}"#] {
            try await self.check(CheckedProvider(keys: keys)).run.expect(
                .invalidData, talk: "CableNova answers, but not with what was asked for: keys: ")
        }
        let empty = try await self.check(CheckedProvider(keys: #"{"keys":[]}"#)).run.expect(
            .configuration, talk: "keys: every key for signatures is missing", "It was asked at http://", "/keys.\n")
        let other = try await self.check(CheckedProvider(hasMetadata: false)).run.expect(
            .configuration, talk: "/.well-known/openid-configuration.", "discovery: the provider answered 404")
        let down = try await self.check(CheckedProvider(isDown: true)).run.expect(
            .unreachable, talk: "CableNova: discovery: ")
        let refused = try await self.check(
            CheckedProvider(token: .response(401, body: #"{"error":"invalid_client"}"#))
        ).run
        for run in [empty, other, down, refused] {
            #expect(run.talk.contains("  for sign-ins  https://tv.example/sp/login/CableNova\n"), "\(run.talk)")
            #expect(run.talk.contains("  for logouts   https://tv.example/sp/logout/CableNova\n"), "\(run.talk)")
        }
    }

    @Test func `does so at providers with SAML, too, and takes what is in a file for the operator's`() async throws {
        let server = try ScriptedServer { request in
            switch request.path {
            case "/garbage": .response(200, body: "<html><p>Sorry</html>")
            case "/large": .response(200, body: String(repeating: "x", count: 5_000_000))
            case "/none": .response(404)
            default: .close
            }
        }
        let setUp = try await TestSetUp.plain()
        try await CommandRun.run("provider", "make-key", setUp.file("saml.pem")).expect(.success)
        try setUp.folder.write("<html><p>Sorry</html>", to: "server/idp.xml")
        let text = try setUp.folder.read("server/latchkeyd.json5")
        for (source, code) in [
            ("metadataAddress: '\(server.url)/garbage'", ExitCode.invalidData),
            ("metadataAddress: '\(server.url)/large'", .invalidData),
            ("metadataAddress: '\(server.url)/none'", .configuration),
            ("metadataAddress: '\(server.url)/'", .unreachable), ("metadataFile: 'idp.xml'", .configuration),
        ] {
            let entry =
                "{ id: 'CableNova', name: 'Cable Nova', kind: 'saml', saml: { \(source), keys: ['saml.pem'], "
                + "lineUp: ['*'] } },"
            try setUp.folder.write(text, to: "server/latchkeyd.json5")
            try setUp.replace("    providers: [", with: "    providers: [\n\(entry)\n", maxReplacements: 1)
            let run = try await setUp.run("provider", "check", "CableNova")
            #expect(run.code == code, "\(source): \(run.talk)")
            #expect(run.talk.contains("CableNova answers, but not") == (code == .invalidData))
            #expect(run.talk.contains("  for sign-ins    https://tv.example/sp/login/CableNova\n"), "\(run.talk)")
        }
    }
}
