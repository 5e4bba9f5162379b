import Clientless
import CommandLineTool
import Cryptography
import FoundationEssentials
import HTTPClient
import TestSupport
import Testing
import latchkeyd

/// A program that calls the management face, registered with a statement of the demo.
private struct OperatorProgram {
    private struct Application: Decodable { let softwareStatement: String }
    private struct Client: Decodable {
        let client_id: String
        let client_secret: String
    }
    private struct Token: Decodable { let access_token: String }

    let server: RunningServer
    private let http = HTTPClient()
    private let registered: Client

    init(_ setUp: TestSetUp, _ server: RunningServer, file: String = "server/demo-operator.json") async throws {
        let application = try JSONDecoder().decode(Application.self, from: Data(try setUp.folder.read(file).utf8))
        self.server = server
        let answer = try await self.http.send(
            .init(
                .post, "\(server.url)/o/client/register",
                headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: Array("software_statement=\(application.softwareStatement)".utf8)))
        self.registered = try JSONDecoder().decode(Client.self, from: Data(answer.body))
    }

    func token() async throws -> String {
        let credentials = "client_id=\(self.registered.client_id)&client_secret=\(self.registered.client_secret)"
        let answer = try await self.http.send(
            .init(.post, "\(self.server.url)/o/client/token?grant_type=client_credentials&\(credentials)"))
        return try JSONDecoder().decode(Token.self, from: Data(answer.body)).access_token
    }

    func call(_ method: HTTPClient.Method, _ target: String, _ token: String) async throws -> HTTPClient.Response {
        try await self.http.send(.init(method, self.server.url + target, headers: ["Authorization": "Bearer \(token)"]))
    }

    func publishedKeys() async throws -> String {
        try await self.http.send(.init(.get, "\(self.server.url)/.well-known/media-token-key.pem")).text
    }
}

@Suite("A running server", .demo, .timeLimit(.minutes(5)))
struct ManagementServeTests {
    @Test func `obeys the demo's operator program, and commands beside it`() async throws {
        let server = try await RunningServer.start(setUp)
        let program = try await OperatorProgram(setUp, server)
        let token = try await program.token()
        let reset = "/reset-tempass/v3/reset?requestor_id=DEMO&mvpd_id=FreePreview"
        #expect(try await program.call(.delete, reset, token).status == 204)
        let rules = "/control/v3/degradation/Demo"
        let added = try await program.call(
            .post, "\(rules)/authzAll.json?programmer=DEMO-CLASSIC&mvpd=DemoTV&ttl=60", token)
        #expect(added.status == 200, "\(added.text)")
        #expect(try await setUp.run("degradation", "list").output.contains("authzAll  DEMO-CLASSIC  DemoTV"))
        #expect(try await setUp.run("degradation", "end", "authzAll", "--requestor", "DEMO-CLASSIC").code == .success)
        // The demo sets no limit, or this would be over after two calls.
        try await eventually {
            try await program.call(.get, "\(rules)/all.json", token).text
                == #"{"authnRules":[],"authzRules":[],"authzNoneRules":[]}"#
        }
        let log = try await program.call(.get, "/management/v1/audit.json?limit=2", token)
        #expect(log.status == 200)
        #expect(log.text.contains(#","action":"degradation.end""#))
        let box = try await OperatorProgram(setUp, server, file: "server/demo-application.json")
        #expect(try await program.call(.get, "/management/v1/audit.json", try await box.token()).status == 403)
        #expect(await server.stop() == .exited(0))
    }

    @Test("publishes a new signing key at once, and signs with it when its lead is over, without a restart")
    func rotation() async throws {
        let server = try await RunningServer.start(setUp)
        let program = try await OperatorProgram(setUp, server)
        let folder = KeyFolder(setUp.file("keys"))
        #expect(try await setUp.run("keys", "signing", "rotate", "--use", "token-signing").code == .success)
        let keys = try folder.tokenVerificationKeys().map { try $0.pem() }
        // The old one signs for another quarter of an hour, so it comes first.
        try await eventually { try await program.publishedKeys() == keys[1] + keys[0] }
        try Self.age("token-signing-2.pem", of: setUp)
        try await eventually { try await program.publishedKeys() == keys[0] + keys[1] }
        #expect(await server.stop() == .exited(0))
    }

    /// Makes a key 901 seconds old: its file says itself when it was made.
    private static func age(_ name: String, of setUp: TestSetUp) throws {
        let key = try setUp.folder.read("server/keys/\(name)").split(separator: "\n").dropFirst()
        let made = Date(timeIntervalSinceNow: -901).formatted(.iso8601)
        try PrivateFiles.replace(
            setUp.file("keys/\(name)"), "latchkeyd-made: \(made)\n\(key.joined(separator: "\n"))\n")
    }

    @Test("takes access tokens of an old key until its file is gone, and keeps its keys while the folder is broken")
    func accessTokens() async throws {
        let server = try await RunningServer.start(setUp)
        let program = try await OperatorProgram(setUp, server)
        let old = try await program.token()
        let target = "/management/v1/audit.json"
        #expect(try await program.call(.get, target, old).status == 200)
        #expect(try await setUp.run("keys", "signing", "rotate", "--use", "access-token").code == .success)
        let first = setUp.file("keys/access-token-1.pem")
        try Self.age("access-token-2.pem", of: setUp)
        let newest = try KeyFolder(setUp.file("keys")).load().accessToken[0].key
        let trusted = [newest.publicKey]
        try await eventually {
            (try? AccessTokenClaims(
                reading: try await program.token(), trusting: trusted, issuer: "127.0.0.1", at: SystemClock.now()))
                != nil
        }
        let new = try await program.token()
        #expect(try await program.call(.get, target, old).status == 200)
        #expect(try await program.call(.get, target, new).status == 200)

        // Another sealing key is not taken, nor are the keys of another set-up.
        try KeyFolder(setUp.file("another")).create()
        for (name, missing) in [("keys/sealing-1.key", "sealing key"), ("keys", "master-secret")] {
            let kept = setUp.file("kept")
            try FileManager.default.moveItem(atPath: setUp.file(name), toPath: kept)
            let other = setUp.file(name.replacing("keys", with: "another"))
            try FileManager.default.copyItem(atPath: other, toPath: setUp.file(name))
            await server.says(until: "lacks the \(missing) in use")
            #expect(try await program.call(.get, target, old).status == 200)
            try FileManager.default.removeItem(atPath: setUp.file(name))
            try FileManager.default.moveItem(atPath: kept, toPath: setUp.file(name))
        }

        // A folder that others may enter is not read; what is known goes on.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: setUp.file("keys"))
        try FileManager.default.moveItem(atPath: first, toPath: setUp.file("old.pem"))
        await server.says(until: "the key folder cannot be used")
        #expect(try await program.call(.get, target, old).status == 200)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: setUp.file("keys"))
        try await eventually { try await program.call(.get, target, old).status == 401 }
        #expect(try await program.call(.get, target, new).status == 200)
        #expect(await server.stop() == .exited(0))
    }
}
