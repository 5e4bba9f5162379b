import Clientless
import Entitlement
import HTTPClient
import TestSupport
import Testing
import WireAnswers

@Suite("Ending sign-ins by a management call", .management, .timeLimit(.minutes(5)))
struct SignInEndTests {
    private static let path = "/management/v1/sign-ins/end"

    /// The devices of a few that are still signed in.
    private func left() async throws -> [String] {
        var left: [String] = []
        for name in ["one", "two", "west", "theirs"] {
            let device = try #require(DeviceID(name))
            if try await !wire.domain.operations.records(of: device).isEmpty { left.append(name) }
        }
        return left
    }

    /// Two devices of one requestor, one of its sibling a minute later, one of a requestor that the caller does not have.
    private func signIn() async throws -> AuthNRecord {
        let record = try await wire.signIn(device: "one")
        try await wire.signIn(device: "two")
        try await wire.signIn(device: "theirs", requestor: WireFixture.foreign)
        wire.clock.advance(by: .seconds(60))
        try await wire.signIn(device: "west", requestor: WireFixture.sibling)
        return record
    }

    @Test("ends those of a viewer on every box, with their permits, as far as they are the caller's requestors'")
    func viewer() async throws {
        let token = try await wire.token()
        let record = try await self.signIn()
        _ = try await wire.domain.degradations.add(
            .authzAll, requestor: WireFixture.requestor, mvpds: [nil], actor: "test", now: wire.clock.now)
        _ = try await wire.domain.decisions.authorize(
            Managed.channel, by: try await wire.signedIn("one"), requestor: WireFixture.requestor,
            now: wire.clock.now)
        try await wire.call(.post, "\(Self.path).json", token: token, body: "viewer=\(record.userID)").expect(
            200, #"{"ended":3}"#)
        #expect(try await self.left() == ["theirs"])
        #expect(try await wire.domain.operations.decisions(of: try #require(DeviceID("one"))).isEmpty)
        let xml = try await wire.call(.post, Self.path, token: token, body: "viewer=\(record.userID)")
        #expect(xml.text.contains("<endedSignIns><ended>0</ended></endedSignIns>"))
        let entries = try await wire.domain.operations.auditEntries(limit: 2)
        for entry in entries {
            #expect(entry.action == "sign-ins.end")
            #expect(entry.actor.hasPrefix("client "))
            #expect(entry.subject.hasPrefix("viewer \(record.userID.prefix(16)), requestor "))
        }
    }

    @Test(arguments: [
        ("requestor=NORTHSPORT", ["west", "theirs"]), ("requestor=WESTSPORT", ["one", "two", "theirs"]),
        ("since=T", ["one", "two", "theirs"]), ("until=T", ["west", "theirs"]),
        ("requestor=NORTHSPORT&since=T", ["one", "two", "west", "theirs"]), ("provider=CableNova", ["theirs"]),
        ("provider=FreePreview", ["one", "two", "west", "theirs"]),
        ("code=BBB-BBBB", ["one", "two", "west", "theirs"]), ("viewer=00", ["one", "two", "west", "theirs"]),
    ])
    func `ends what all fields hold for`(fields: String, kept: [String]) async throws {
        let token = try await wire.token()
        _ = try await self.signIn()
        let body = fields.replacing("=T", with: "=\(wire.clock.now.milliseconds)")
        try await wire.call(.post, "\(Self.path).json", token: token, body: body).expect(
            200, #"{"ended":\#(4 - kept.count)}"#)
        #expect(try await self.left() == kept)
    }

    @Test func `ends those that one code led to, which the log does not name`() async throws {
        let token = try await wire.token()
        _ = try await self.signIn()
        let code = try #require(RegistrationCodeText("BBBBBBB"))
        let device = try #require(DeviceID("two"))
        let held = try #require(try await wire.domain.operations.records(of: device).first)
        try await wire.store.insert(
            AuthNRecord(
                id: AuthNID(text: String(repeating: "c", count: 32)), context: held.context,
                requestor: held.requestor, isExclusive: false, mvpd: held.mvpd, userID: held.userID, code: code,
                created: held.created, expires: held.expires, sealedSession: [1]))
        try await wire.call(.post, "\(Self.path).json", token: token, body: "code=bbb-bbbb").expect(
            200, #"{"ended":1}"#)
        #expect(try await self.left() == ["one", "west", "theirs"])
        let entries = try await wire.domain.operations.auditEntries(limit: 9)
        #expect(!entries.contains { $0.subject.contains("BBBBBBB") })
    }

    @Test func `refuses a selection of nothing, of another's requestor, and of what cannot be`() async throws {
        let token = try await wire.token()
        _ = try await self.signIn()
        for (fields, status, message) in [
            ("", 400, "Required 'requestor' is not present"), ("requestor=EASTSPORT", 403, "Forbidden"),
            ("requestor=NOSPORT", 400, "Invalid requestor"), ("code=x", 400, "Invalid code"),
            ("provider=a%2Fb", 400, "Invalid provider"), ("provider=NoTV", 400, "Invalid provider"),
            ("since=soon", 400, "Invalid since"),
            ("until=-1", 400, "Invalid until"), ("since=12345678901234567", 400, "Invalid since"),
        ] {
            let answer = try await wire.call(.post, "\(Self.path).json", token: token, body: fields)
            #expect(answer.status == status, "\(fields): \(answer.text)")
            #expect(answer.text.contains(message), "\(fields): \(answer.text)")
        }
        #expect(try await self.left() == ["one", "two", "west", "theirs"])
    }
}
