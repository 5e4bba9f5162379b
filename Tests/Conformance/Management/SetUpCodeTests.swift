import Clientless
import Entitlement
import HTTPClient
import ServerAPI
import TestSupport
import Testing
import WireAnswers

@Suite("Set-up codes on the wire", .management, .timeLimit(.minutes(5)))
struct SetUpCodeTests {
    private static let path = "/management/v1/setup-codes.json"

    private static func exchange(_ code: String) async throws -> WireAnswer {
        try await wire.call(.post, "/o/client/setup", body: "setup_code=\(code)")
    }

    @Test func `are made for requestors of the caller, and exchanged once`() async throws {
        let token = try await wire.token()
        let requestor = WireFixture.requestor.text
        let made = try await wire.call(.post, Self.path, token: token, body: "requestor=\(requestor)&ttl=120").expect(
            200, headers: ["Cache-Control": "no-store"])
        let code = try #require(made.value("code"))
        #expect(SetUpCodeText(code)?.grouped == code && made.value("requestor") == requestor)
        #expect(made.value("expires") == String((wire.clock.now + .seconds(120)).milliseconds))
        let answer = try await Self.exchange(code.lowercased()).expect(200, headers: ["Cache-Control": "no-store"])
        #expect(answer.value("server") == WireFixture.issuer)
        let publicKey = try #require(answer.value("publicKey"))
        #expect(wire.domain.credentials.key(publicKey)?.requestors == [WireFixture.requestor])
        #expect(answer.value("privateKey")?.isEmpty == false)
        #expect(answer.value("proxy") == nil && answer.value("certificateAuthority") == nil)
        let again = try await Self.exchange(code)
        #expect(again.status == 400 && again.text.hasPrefix(#"{"error":"invalid_grant","error_description":""#))
        let actions = try await wire.domain.operations.auditEntries(limit: 3)
        #expect(actions.contains { $0.action == "set-up-code.create" && $0.actor.hasPrefix("client ") })
        #expect(!"\(actions)".contains(code))
    }

    @Test(
        .management(settings: {
            $0.boxes = ("/etc/ca.pem", "http://proxy.example:3128")
        }))
    func `tell what the boxes' network needs, where the operator says it`() async throws {
        let issued = try await wire.domain.setUpCodes.issue(
            for: WireFixture.requestor, actor: "test", now: wire.clock.now)
        let answer = try await Self.exchange(issued.text.text)
        #expect(answer.value("certificateAuthority") == "/etc/ca.pem", "\(answer.text)")
        #expect(answer.value("proxy") == "http://proxy.example:3128")
    }

    @Test func `give a software statement that registers the box, where they are for one`() async throws {
        let application = try #require(wire.domain.credentials.application(Managed.operations))
        let issued = try await wire.domain.setUpCodes.issue(
            for: application.requestors[0], application: application, actor: "test", now: wire.clock.now)
        let answer = try await Self.exchange(issued.text.text)
        #expect(answer.status == 200 && answer.value("publicKey") == nil, "\(answer.text)")
        let statement = try #require(answer.value("softwareStatement"))
        let client = try await wire.call(.post, "/o/client/register", body: "software_statement=\(statement)")
        #expect(client.value("client_id")?.isEmpty == false, "\(client.text)")
        #expect(try await Self.exchange(issued.text.text).status == 400)
    }

    @Test func `that are over, unknown or no codes are told alike`() async throws {
        let issued = try await wire.domain.setUpCodes.issue(
            for: WireFixture.requestor, actor: "test", now: wire.clock.now)
        wire.clock.advance(by: SetUpCodes.usualLifetime)
        for code in [issued.text.text, "BCDFGHJKLMNP", "nonsense"] {
            let answer = try await Self.exchange(code).expect(400)
            #expect(answer.text.hasPrefix(#"{"error":"invalid_grant","error_description":""#), "\(answer.text)")
        }
        #expect(try await wire.call(.post, "/o/client/setup", body: "").text.contains("The parameter setup_code is"))
        for body in ["", "setup_code=", "setup_code=BCDFGHJKLMNP&setup_code=BCDFGHJKLMNQ"] {
            let answer = try await wire.call(.post, "/o/client/setup", body: body)
            #expect(answer.text.hasPrefix(#"{"error":"invalid_request","error_description":""#), "\(body)")
        }
    }

    @Test("that are guessed close the exchange for the guesser's address")
    func guessed() async throws {
        var generator = SystemRandomNumberGenerator()
        var statuses: [Int] = []
        for _ in 0..<21 {
            statuses.append(try await Self.exchange(SetUpCodeText.random(using: &generator).text).status)
        }
        #expect(statuses.prefix(20).allSatisfy { $0 == 400 } && statuses.last == 429)
    }

    @Test func `are not made for others' requestors, nor for longer than a week`() async throws {
        let token = try await wire.token()
        let own = "requestor=\(WireFixture.requestor)"
        for ttl in ["59", "604801", "x", "-1"] {
            #expect(try await wire.call(.post, Self.path, token: token, body: "\(own)&ttl=\(ttl)").status == 400)
        }
        let other = "requestor=\(WireFixture.foreign)"
        #expect(try await wire.call(.post, Self.path, token: token, body: other).status == 403)
        #expect(try await wire.call(.post, Self.path, token: token, body: "").status == 400)
        #expect(try await wire.call(.post, Self.path, body: own).status == 401)
        let actions = try await wire.domain.operations.auditEntries(limit: 9).map(\.action)
        #expect(!actions.contains("set-up-code.create"))
    }
}
