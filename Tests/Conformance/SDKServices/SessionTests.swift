import Clientless
import Cryptography
import Entitlement
import HTTPClient
import TestSupport
import Testing
import WireAnswers

@Suite("Sessions of the SDK services", .wire(catalogue: WireFixture.sdkCatalogue), .box, .timeLimit(.minutes(5)))
struct SessionTests {
    static let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>"

    @Test func `are picked up with the code, on one line`() async throws {
        let code = try await wire.code()
        let pending = try await box.session(code)
        #expect(pending.isError(401, "N000"), "\(pending.text)")
        #expect(pending.headers["WWW-Authenticate"] == nil)
        #expect(pending.headers["Latchkey-Code-State"] == "waiting")
        #expect(pending.headers["Preference-Applied"] == nil)
        try await wire.signIn(code)
        let answer = try await box.session(code).expect(
            200, headers: ["Content-Type": "application/xml;charset=utf-8", "Cache-Control": "no-store"])
        #expect(!answer.text.contains("\n") && !answer.text.contains("> <"))
        let token = try answer.document("authnToken")
        let meta = try answer.document("userMeta")
        #expect(answer.text.hasPrefix(Self.xml + "<result><authnToken>&lt;signatureInfo&gt;"))
        #expect(answer.text.hasSuffix("</userMeta></result>"))
        let signed = try SignedTokenDocument(parsing: token)
        #expect(try signed.isSigned(byOneOf: [WireFixture.mediaKey.get().verificationKey]))
        let said = try AuthenticationTokenDocument(element: signed.element)
        #expect(said.requestor == WireFixture.requestor && said.mvpd == WireFixture.provider)
        #expect(said.domainName == "north-sport.example")
        #expect(said.expiresAt == TestClock.start + .seconds(30 * 24 * 3600))
        #expect(!said.guid.isEmpty && !said.nameID.isEmpty && !said.sessionIndex.isEmpty)
        #expect(meta.hasPrefix(#"{"updated":1767225600,"encrypted":"#))
        // As often as the box likes, and with every name the operation has.
        for operation in ["session", "sessionDevice", "1.0/session", "1.0/sessionDevice", "session.json"] {
            let again = try await box.call(operation, [("reg_code", code.lowercased())])
            #expect(again.text == answer.text, "\(operation)")
        }
        let inBody = try await box.with { $0.device = nil }.call(
            "sessionDevice",
            [
                ("device_id", "box-1"), ("device_info", "e30="), ("networkType", "WIFI"), ("reg_code", code),
                ("nonsense", "1"), ("reg_code", code), ("_method", "GET"),
            ], headers: ["ap_42": "anonymous", "ap_11": "Linux i686", "ap_z": "x", "ap_vi": "1", "ap_19": "n"])
        #expect(inBody.text == answer.text)
        #expect(try await wire.call(.get, "/adobe-services/session").status == 405)
    }

    @Test func `are the bound device's and the code's requestor's alone`() async throws {
        let code = try await wire.code()
        for stage in ["open", "signed in"] {
            if stage == "signed in" { try await wire.signIn(code) }
            let unknown = try await box.session("BCDFGHJ")
            #expect(unknown.isError(404, "404"))
            #expect(try await box.session("no code at all").text == unknown.text)
            for stranger in [box.with { $0.device = "box-2" }, box.with { $0.requestor = WireFixture.sibling }] {
                try await stranger.session(code).expect(
                    404, unknown.text, headers: ["Latchkey-Code-State": nil], comment: "\(stage)")
            }
        }
        #expect(try await box.session(code).status == 200)
    }

    @Test func `that will not come are told apart`() async throws {
        let denied = try await wire.code(of: "box-1")
        try await wire.domain.logins.decline(
            code: try #require(RegistrationCodeText(denied)), by: Guesser(.v4(0xC633_6401)), now: wire.clock.now)
        #expect(try await box.session(denied).isError(410, "N130", details: "denied"))

        let cancelled = try await wire.code(of: "box-2")
        // A device's eleventh open code cancels its first.
        for _ in 0..<10 { _ = try await wire.code(of: "box-2") }
        let other = box.with { $0.device = "box-2" }
        #expect(try await other.session(cancelled).isError(410, "N130", details: "cancelled"))

        let used = try await wire.signedInDevice("box-3")
        let third = box.with { $0.device = "box-3" }
        try await wire.signedInDevice("box-3")
        #expect(try await third.session(used).isError(410, "N130", details: "signed out"))

        let late = try await wire.code(of: "box-4", more: "&ttl=60")
        let fourth = box.with { $0.device = "box-4" }
        wire.clock.advance(by: .seconds(59))
        #expect(try await fourth.session(late).isError(401, "N000"))
        wire.clock.advance(by: .seconds(1))
        #expect(try await fourth.session(late).isError(410, "N130", details: "expired"))
    }

    @Test func `without a code are those the device has`() async throws {
        let mine = [("mso_id", "CableNova")]
        #expect(try await box.call("session", mine).isError(401, "N000"))
        let token = try await box.signIn()
        #expect(try await box.call("session", mine).document("authnToken") == token)
        #expect(try await box.call("session", [("mso_id", "CableNova"), ("reg_code", "")]).status == 200)
        #expect(try await box.call("session", [("mso_id", "DishNova")]).isError(401, "N000"))
        #expect(try await box.with { $0.device = "box-2" }.call("session", mine).isError(401, "N000"))
        // Shared, as sign-ins are: the sibling has the token of the one sign-in.
        let sibling = try await box.with { $0.requestor = WireFixture.sibling }.call("session", mine)
        #expect(try sibling.document("authnToken") == token)
        let missing = try await box.call("session")
        #expect(missing.isError(400, "400") && missing.text.contains("Required 'reg_code' is not present"))
        #expect(try await box.call("session", [("mso_id", "no such thing")]).isError(400, "400"))
        // A public client asks so, with neither code nor provider.
        for operation in ["sessionDevice", "1.0/sessionDevice"] {
            let answer = try await box.with { $0.device = nil }.call(operation, [("device_id", "box-1")])
            #expect(try answer.document("authnToken") == token)
            #expect(try await box.with { $0.device = "box-2" }.call(operation).isError(401, "N000"))
        }
    }

    @Test func `need a device and a requestor`() async throws {
        let nameless = try await box.with { $0.device = nil }.session("BCDFGHJ")
        #expect(nameless.isError(400, "400") && nameless.text.contains("Required 'device_id' is not present"))
        for device in ["\u{FFFD}", String(repeating: "d", count: 513)] {
            #expect(try await box.with { $0.device = device }.session("BCDFGHJ").isError(400, "400"))
        }
        #expect(try await box.with { $0.requestor = RequestorID("NOBODY")! }.session("BCDFGHJ").isError(400, "CFG400"))
        let headers: HTTPClient.Headers = ["Authorization": "Bearer \(box.token)", "ap_21": "box-1"]
        let unnamed = try await wire.call(.post, "/adobe-services/session", headers: headers, body: "reg_code=BCDFGHJ")
        #expect(unnamed.isError(400, "400") && unnamed.text.contains("Required 'requestor_id' is not present"))
    }

    @Test func `end when the sign-in does`() async throws {
        // A code that lives longer than the sign-in it led to.
        let code = try await wire.code(more: "&ttl=36000")
        try await wire.signIn(code, mvpd: WireFixture.shortProvider)
        wire.clock.advance(by: .seconds(3599))
        #expect(try await box.session(code).status == 200)
        wire.clock.advance(by: .seconds(1))
        #expect(try await box.session(code).isError(410, "N130", details: "expired"))
        #expect(try await box.call("session", [("mso_id", "ShortNova")]).isError(401, "N000"))
    }
}
