import Clientless
import Entitlement
import HTTPClient
import TestSupport
import Testing
import WireAnswers

@Suite("Records of devices and credentials", .management, .timeLimit(.minutes(5)))
struct RecordTests {
    private static let records = "/management/v1/devices/records"

    @Test func `are shown for a device, the application's requestors only, and without anything secret`() async throws {
        let token = try await wire.token()
        let record = try await wire.signIn(device: "living room/1")
        let pair = "programmer=NORTHSPORT&mvpd=CableNova"
        _ = try await wire.call(.post, "/control/v3/degradation/N/authzAll?\(pair)", token: token)
        let permit = try await wire.domain.decisions.authorize(
            Managed.channel, by: try await wire.signedIn("living room/1"),
            requestor: WireFixture.requestor, now: wire.clock.now)
        let answer = try await wire.call(.get, "\(Self.records).json?deviceId=living%20room%2F1", token: token)
        let created = wire.clock.now.milliseconds
        #expect(answer.status == 200)
        #expect(
            answer.text
                == #"{"signIns":[{"id":"\#(record.id.text)","requestor":"NORTHSPORT","provider":"CableNova","#
                + #""viewer":"\#(record.userID)","origin":"regular","exclusive":false,"#
                + #""credential":"key pair pk.1","#
                + #""created":"\#(created)","expires":"\#(record.expires.milliseconds)"}],"#
                + #""permits":[{"signIn":"\#(record.id.text)","requestor":"NORTHSPORT","#
                + #""provider":"CableNova","resource":"North Sport HD","origin":"degraded","#
                + #""created":"\#(created)","expires":"\#(permit.expires.milliseconds)"}]}"#)
        let xml = try await wire.call(.get, "\(Self.records)?deviceId=living%20room%2F1", token: token)
        #expect(xml.text.contains("<deviceRecords><signIns><id>\(record.id.text)</id>"))

        try await wire.signIn(device: "theirs", requestor: WireFixture.foreign)
        try await wire.call(.get, "\(Self.records).json?deviceId=theirs", token: token).expect(
            200, #"{"signIns":[],"permits":[]}"#)
    }

    @Test("of a device are deleted, as far as they are the application's, and the box is signed out at once")
    func deleteDevice() async throws {
        let token = try await wire.token()
        try await wire.signIn(device: "box")
        try await wire.signIn(device: "theirs", requestor: WireFixture.foreign)
        #expect(try await wire.call(.delete, "\(Self.records)?deviceId=box", token: token).status == 204)
        #expect(try await wire.call(.delete, "\(Self.records)?deviceId=box", token: token).status == 204)
        #expect(try await wire.call(.delete, "\(Self.records)?deviceId=theirs", token: token).status == 204)
        let device = try #require(DeviceID("theirs"))
        #expect(try await wire.domain.operations.records(of: device).count == 1)
        let standing = try await wire.domain.signIns.deviceStanding(
            of: wire.context("box"), requestor: WireFixture.requestor, now: wire.clock.now)
        #expect(standing == .never)
        let entry = try #require(try await wire.domain.operations.auditEntries(limit: 1).first)
        #expect(entry.action == "sign-in.end")
        #expect(entry.subject.contains("box") == false)
    }

    @Test func `without a device ID, or with one that cannot be, are refused with 400`() async throws {
        let token = try await wire.token()
        try await wire.call(.get, "\(Self.records).json", token: token).expect(
            400, message: "Required 'deviceId' is not present")
        try await wire.call(.delete, "\(Self.records).json?deviceId=a%00b", token: token).expect(400)
    }

    @Test func `are revoked one by one; what is unknown or another's is not found`() async throws {
        let token = try await wire.token()
        let mine = try await wire.signIn(device: "box")
        let theirs = try await wire.signIn(device: "theirs", requestor: WireFixture.foreign)
        let path = "/management/v1/sign-ins"
        #expect(try await wire.call(.delete, "\(path)/\(mine.id.text)", token: token).status == 204)
        #expect(try await wire.domain.operations.records(of: try #require(DeviceID("box"))).isEmpty)
        for id in [mine.id.text, theirs.id.text, "x", String(repeating: "0", count: 32), "%00"] {
            try await wire.call(.delete, "\(path)/\(id).json", token: token).expect(404, message: "Not Found")
        }
        #expect(try await wire.domain.operations.records(of: try #require(DeviceID("theirs"))).count == 1)
    }

    @Test func `end a key pair or an application that speaks for the caller's requestors alone`() async throws {
        let (token, all) = (try await wire.token(), try await wire.token(for: Managed.everything))
        let keys = "/management/v1/key-pairs"
        #expect(try await wire.call(.delete, "\(keys)/\(WireFixture.keyPair.publicKey)", token: token).status == 204)
        let key = try #require(wire.domain.credentials.key(WireFixture.keyPair.publicKey))
        #expect(key.isActive(at: wire.clock.now) == false)
        #expect(try await wire.call(.delete, "\(keys)/\(WireFixture.keyPair.publicKey)", token: token).status == 204)
        for publicKey in [Managed.mixedKeyPair, Managed.idleKeyPair, "unknown"] {
            try await wire.call(.delete, "\(keys)/\(publicKey).json", token: token).expect(404)
        }
        #expect(wire.domain.credentials.key(Managed.mixedKeyPair)?.isActive(at: wire.clock.now) == true)
        #expect(try await wire.call(.delete, "\(keys)/\(Managed.mixedKeyPair)", token: all).status == 204)

        let applications = "/management/v1/applications"
        #expect(try await wire.call(.delete, "\(applications)/\(Managed.box)", token: token).status == 204)
        let box = try #require(wire.domain.credentials.application(Managed.box))
        #expect(box.ends == wire.clock.now)
        let others = [
            Managed.foreignApplication, Managed.everything, Managed.idleApplication,
            "unknown",
        ]
        for id in others {
            #expect(try await wire.call(.delete, "\(applications)/\(id)", token: token).status == 404)
        }
        let actions = try await wire.domain.operations.auditEntries(limit: 3).map { "\($0.action) \($0.subject)" }
        #expect(
            actions == [
                "application.revoke application \(Managed.box)",
                "key-pair.revoke key \(Managed.mixedKeyPair)",
                "key-pair.revoke key \(WireFixture.keyPair.publicKey)",
            ])
    }

    @Test("end one installation of an application that speaks for the caller's requestors alone, with its tokens")
    func client() async throws {
        let token = try await wire.token()
        let mine = try await wire.newClient(of: Managed.operations)
        let theirs = try await wire.newClient(of: Managed.foreignApplication)
        let more = try await wire.newClient(of: Managed.everything)
        let (clients, rules) = ("/management/v1/clients", "/control/v3/degradation/NorthMedia/all.json")
        for id in [theirs.id, more.id, "unknown", "%00"] {
            try await wire.call(.delete, "\(clients)/\(id).json", token: token).expect(404, comment: "\(id)")
        }
        #expect(try await wire.call(.get, rules, token: mine.token).status == 200)
        #expect(try await wire.call(.delete, "\(clients)/\(mine.id)", token: token).status == 204)
        #expect(try await wire.call(.delete, "\(clients)/\(mine.id)", token: token).status == 404)
        #expect(try await wire.call(.get, rules, token: mine.token).status >= 401)
        // The application and its other installations go on.
        #expect(try await wire.call(.get, rules, token: token).status == 200)
        let newest = try await wire.domain.operations.auditEntries(limit: 9).map { "\($0.action) \($0.subject)" }
        #expect(newest.first == "client.revoke client \(mine.id)")
    }

    @Test func `have every change in a log that only who manages all requestors may read`() async throws {
        let (token, all) = (try await wire.token(), try await wire.token(for: Managed.everything))
        _ = try await wire.call(.delete, "/management/v1/key-pairs/\(WireFixture.keyPair.publicKey)", token: token)
        let path = "/management/v1/audit"
        #expect(try await wire.call(.get, "\(path).json", token: token).status == 403)
        let newest = try await wire.call(.get, "\(path).json?limit=1", token: all)
        let actor = try #require(newest.value("actor"))
        #expect(
            newest.text
                == #"{"entries":[{"time":"\#(wire.clock.now.milliseconds)","actor":"\#(actor)","#
                + #""action":"key-pair.revoke","subject":"key \#(WireFixture.keyPair.publicKey)"}]}"#)
        #expect(actor.hasPrefix("client "))
        let xml = try await wire.call(.get, "\(path)?limit=1", token: all)
        #expect(xml.text.contains("<audit><entries><time>\(wire.clock.now.milliseconds)</time>"))
        for limit in ["0", "1001", "x", "-1", "99999"] {
            try await wire.call(.get, "\(path).json?limit=\(limit)", token: all).expect(400, message: "Invalid limit")
        }
        let now = wire.clock.now.milliseconds
        for (query, isFound) in [
            ("subject=\(WireFixture.keyPair.publicKey.uppercased())", true), ("subject=nothing", false),
            ("actor=Client&since=\(now)", true), ("since=\(now + 1)", false), ("until=\(now)", false),
            ("until=\(now + 1)&since=&subject=&actor=", true),
        ] {
            let answer = try await wire.call(.get, "\(path).json?limit=1&\(query)", token: all)
            #expect((answer.text == newest.text) == isFound, "\(query): \(answer.text)")
            // Before this moment there may be others.
            #expect(answer.status == 200)
        }
        for (name, value) in [
            ("since", "yesterday"), ("until", "-1"), ("subject", String(repeating: "x", count: 257)),
        ] {
            try await wire.call(.get, "\(path).json?\(name)=\(value)", token: all).expect(
                400, message: "Invalid \(name)")
        }
    }
}
