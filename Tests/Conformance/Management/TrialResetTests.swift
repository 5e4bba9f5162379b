import Entitlement
import HTTPClient
import TestSupport
import Testing
import WireAnswers

@Suite("Resetting trials", .management, .timeLimit(.minutes(5)))
struct TrialResetTests {
    private static let path = "/reset-tempass/v3/reset"

    /// Three trials that are over: of two devices, one of them a person's, and one of another requestor.
    private func exhaust() async throws {
        #expect(try await wire.isTrialLive("one"))
        #expect(try await wire.isTrialLive("two", person: "hash-of-ada"))
        #expect(try await wire.isTrialLive("one", requestor: WireFixture.sibling))
        wire.clock.advance(by: .seconds(601))
        #expect(try await wire.isTrialLive("one") == false)
        #expect(try await wire.isTrialLive("two", person: "hash-of-ada") == false)
    }

    @Test func `of one device lets that device begin anew, and no other`() async throws {
        try await self.exhaust()
        try await wire.call(
            .delete, "\(Self.path)?requestor_id=NORTHSPORT&mvpd_id=FreePreview&device_id=one",
            token: try await wire.token()
        ).expect(204, "", headers: ["Content-Type": nil])
        #expect(try await wire.isTrialLive("one"))
        #expect(try await wire.isTrialLive("two") == false)
        #expect(try await wire.isTrialLive("one", requestor: WireFixture.sibling) == false)
    }

    @Test("of all devices, named or not, reaches everybody of that requestor", arguments: ["", "&device_id=all"])
    func allDevices(more: String) async throws {
        try await self.exhaust()
        try await wire.call(
            .delete, "\(Self.path)?requestor_id=NORTHSPORT&mvpd_id=FreePreview\(more)",
            token: try await wire.token()
        ).expect(204)
        #expect(try await wire.isTrialLive("one"))
        #expect(try await wire.isTrialLive("two"))
        #expect(try await wire.isTrialLive("one", requestor: WireFixture.sibling) == false)
    }

    @Test func `of a person reaches that person on every device; without a key, everybody`() async throws {
        try await self.exhaust()
        let token = try await wire.token()
        let target = "\(Self.path)/generic?requestor_id=NORTHSPORT&mvpd_id=FreePreview"
        #expect(try await wire.call(.delete, target + "&key=hash-of-ada", token: token).status == 204)
        #expect(try await wire.isTrialLive("two", person: "hash-of-ada"))
        #expect(try await wire.isTrialLive("one") == false)
        #expect(try await wire.call(.delete, target + "&key=all", token: token).status == 204)
        #expect(try await wire.isTrialLive("one"))
    }

    @Test(
        "is refused with 400 where a parameter is missing or names nothing there is",
        arguments: [
            ("", "Required 'requestor_id' is not present"),
            ("requestor_id=NORTHSPORT", "Required 'mvpd_id' is not present"),
            ("requestor_id=NOBODY&mvpd_id=FreePreview", "Invalid requestor_id"),
            ("requestor_id=NORTH%20SPORT&mvpd_id=FreePreview", "Invalid requestor_id"),
            ("requestor_id=NORTHSPORT&mvpd_id=Nothing", "Invalid mvpd_id"),
            ("requestor_id=NORTHSPORT&mvpd_id=CableNova", "Invalid mvpd_id"),
            ("requestor_id=NORTHSPORT&mvpd_id=EastPreview", "Invalid mvpd_id"),
        ])
    func invalid(query: String, message: String) async throws {
        let token = try await wire.token(for: Managed.everything)
        for path in ["", "/generic"] {
            try await wire.call(.delete, "\(Self.path)\(path).json?\(query)", token: token).expect(
                400, message: message)
        }
    }

    @Test func `is refused with 400 for a device or a person that cannot be one`() async throws {
        let token = try await wire.token()
        let query = "requestor_id=NORTHSPORT&mvpd_id=FreePreview"
        for device in ["%00", "a%0Ab", "%FF", String(repeating: "d", count: 513)] {
            try await wire.call(.delete, "\(Self.path).json?\(query)&device_id=\(device)", token: token).expect(
                400, message: "Invalid device_id")
        }
        for key in ["a%0Ab", "%FF", String(repeating: "k", count: 1025)] {
            try await wire.call(.delete, "\(Self.path)/generic.json?\(query)&key=\(key)", token: token).expect(
                400, message: "Invalid key")
        }
    }

    @Test func `of a requestor that is not the application's is refused with 403`() async throws {
        let query = "requestor_id=EASTSPORT&mvpd_id=EastPreview"
        try await wire.call(.delete, "\(Self.path).json?\(query)", token: try await wire.token()).expect(
            403, message: "Forbidden", error: "invalid_client")
        try await wire.call(
            .delete, "\(Self.path).json?\(query)", token: try await wire.token(for: Managed.everything)
        ).expect(204)
    }

    @Test func `is in the audit log, without the device`() async throws {
        _ = try await wire.call(
            .delete, "\(Self.path)?requestor_id=NORTHSPORT&mvpd_id=FreePreview&device_id=secret-box",
            token: try await wire.token())
        let entry = try #require(try await wire.domain.operations.auditEntries(limit: 1).first)
        #expect(entry.action == "trials.reset")
        #expect(entry.subject == "NORTHSPORT FreePreview")
        #expect(entry.actor.hasPrefix("client "))
    }
}
