import Clientless
import Cryptography
import Entitlement
import FoundationEssentials
import HTTPClient
import MediaTokenVerifier
import TestSupport
import Testing
import WireAnswers

@Suite("Decisions of the SDK services", .wire(catalogue: WireFixture.sdkCatalogue), .box, .timeLimit(.minutes(5)))
struct DecisionTests {
    @Test func `are given as documents that the library keeps`() async throws {
        let token = try await box.signIn()
        let answer = try await box.authorize(token).expect(
            200, headers: ["Content-Type": "application/xml;charset=utf-8"])
        #expect(!answer.text.contains("\n"))
        #expect(answer.text.hasPrefix(SessionTests.xml + "<result><authzToken>&lt;signatureInfo&gt;"))
        let signed = try SignedTokenDocument(parsing: try answer.document("authzToken"))
        #expect(try signed.isSigned(byOneOf: [WireFixture.mediaKey.get().verificationKey]))
        let said = try AuthorizationTokenDocument(element: signed.element)
        #expect(said.requestor == WireFixture.requestor && said.mvpd == WireFixture.provider)
        #expect(said.resource.text == "North Sport HD")
        #expect(said.expiresAt == TestClock.start + .seconds(24 * 3600))
        #expect(try answer.document("userMeta").hasPrefix(#"{"updated":"#))
        for operation in ["authorizeDevice", "1.0/authorize", "1.0/authorizeDevice"] {
            let again = try await box.with { $0.device = nil }.call(
                operation,
                [
                    ("authentication_token", token), ("device_id", "box-1"), ("device_info", "e30="),
                    ("mso_id", "CableNova"), ("networkType", "WIFI"), ("resource_id", "North Sport HD"),
                    ("userMeta", "1"),
                ])
            #expect(again.text == answer.text, "\(operation)")
        }
        // A decision that is kept is not asked for again.
        #expect(wire.provider.decisions == 1)
        let bare = try await box.call(
            "authorize", [("authentication_token", token), ("resource_id", "North Sport HD")])
        #expect(bare.status == 200 && !bare.text.contains("userMeta"))
    }

    @Test func `that are refusals have status 200, a code and a sentence`() async throws {
        let token = try await box.signIn()
        let denied = try await box.authorize(token, "A & <B>")
        #expect(denied.isError(200, "Z100"), "\(denied.text)")
        #expect(try denied.document("details").utf8.count > 1)
        // Deployed clients look for the word, or for the first element's name (sdk-services 4).
        #expect(denied.text.contains("<error><notAuthorized/><code>"), "\(denied.text)")
        #expect(try await !box.authorize("nonsense").text.contains("notAuthorized"))
        wire.provider.setDown(true)
        #expect(try await box.authorize(token, "Another").isError(200, "Z120"))
        wire.provider.setDown(false)
        let rule = DegradationRule(
            id: "rule-1", kind: .authzNone, requestor: WireFixture.requestor, mvpd: WireFixture.provider,
            resources: [], message: "No sport\ntoday", activation: wire.clock.now,
            ends: wire.clock.now + .seconds(60))
        // The domain takes no message of two lines; one from another hand is said in one.
        let entry = AuditEntry(time: wire.clock.now, actor: "test", action: "degradation.add", subject: "rule-1")
        #expect(try await wire.store.save([rule], audit: entry))
        try await wire.domain.upkeep.start(now: wire.clock.now)
        #expect(try await box.authorize(token).isError(200, "Z169", details: "No sport today"))
        wire.clock.advance(by: .seconds(60))
        #expect(try await box.authorize(token).status == 200)
    }

    @Test func `need a resource that can be one`() async throws {
        let token = try await box.signIn()
        let missing = try await box.call("authorize", [("authentication_token", token), ("resource_id", "")])
        #expect(missing.isError(400, "400") && missing.text.contains("Required 'resource_id' is not present"))
        let untold = try await box.call("authorize", [("resource_id", "North Sport HD")])
        #expect(untold.isError(400, "400") && untold.text.contains("Required 'authentication_token'"))
        for resource in ["<rss", "<rss></rss>", "a\u{FFFD}", String(repeating: "r", count: 8193)] {
            #expect(try await box.authorize(token, resource).isError(400, "Z130"), "\(resource.prefix(20))")
        }
    }

    @Test func `carry resources of every kind through document and media token`() async throws {
        let rss = """
            <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>North Sport HD</title>
            \t<item><title><![CDATA[Cup & Final]]></title><guid>'é' – "8842"</guid></item>\r\n</channel></rss>
            """
        let token = try await box.signIn()
        let answer = try await box.authorize(token, rss)
        #expect(answer.text.split(whereSeparator: \.isNewline).count == 1)
        let document = try answer.document("authzToken")
        let said = try AuthorizationTokenDocument(element: SignedTokenDocument(parsing: document).element)
        #expect(said.resource.text == rss)
        let media = try await box.mediaToken(document)
        #expect(media.text.split(whereSeparator: \.isNewline).count == 1)
        let element = try SignedTokenDocument(parsing: media.text).element
        #expect(try MediaTokenDocument(element: element).resource.text == rss)
    }

    @Test func `open streams by media tokens, raw and new each time`() async throws {
        let token = try await box.signIn()
        let authorization = try await box.authorize(token).document("authzToken")
        let answer = try await box.mediaToken(authorization).expect(
            200, headers: ["Content-Type": "application/xml;charset=utf-8", "Cache-Control": "no-store"])
        #expect(answer.text.hasPrefix("<signatureInfo>") && !answer.text.contains("\n"))
        let verifier = try MediaTokenVerifier(
            requestor: "NORTHSPORT", trustedKeys: [WireFixture.mediaKey.get().verificationKey.pem()])
        let start = Date(timeIntervalSince1970: 1_767_225_600)
        let end = start.addingTimeInterval(420)
        #expect(verifier.verify(answer.text, resource: "North Sport HD", at: start).result == .validToken)
        #expect(verifier.verify(answer.text, resource: "North Sport HD", at: end).result == .tokenExpired)
        let guid = try AuthenticationTokenDocument(element: SignedTokenDocument(parsing: token).element).guid
        for operation in ["shortAuthorize", "deviceShortAuthorize", "1.0/shortAuthorize"] {
            wire.clock.advance(by: .seconds(1))
            let again = try await box.call(
                operation,
                [
                    ("authz_token", authorization), ("device_id", "box-1"), ("session_guid", guid),
                    ("hashed_guid", "false"), ("mso_id", "CableNova"), ("networkType", "WIFI"),
                ], headers: ["ap_19": "name", "ap_23": "s-1"])
            #expect(again.status == 200 && again.text != answer.text)
        }
        // Deployed clients send one of their own making (sdk-services 5).
        for (guid, isHashed) in [("another sign-in", "false"), ("hash", "true"), ("", ""), ("x", "maybe")] {
            let other = try await box.call(
                "shortAuthorize",
                [("authz_token", authorization), ("session_guid", guid), ("hashed_guid", isHashed)])
            #expect(other.status == 200 && other.text.hasPrefix("<signatureInfo>"), "\(guid)")
        }
        let missing = try await box.call("shortAuthorize")
        #expect(missing.isError(400, "400") && missing.text.contains("Required 'authz_token' is not present"))
    }

    @Test func `that are withdrawn are never 200 where a client expects a token`() async throws {
        let token = try await box.signIn()
        let authorization = try await box.authorize(token).document("authzToken")
        _ = try await wire.domain.degradations.add(
            .authzNone, requestor: WireFixture.requestor, mvpds: [WireFixture.provider], message: "No sport today",
            lifetime: .seconds(60), actor: "test", now: wire.clock.now)
        for operation in ["shortAuthorize", "deviceShortAuthorize"] {
            let refused = try await box.call(operation, [("authz_token", authorization), ("device_id", "box-1")])
            #expect(refused.isError(403, "Z169", details: "No sport today"), "\(refused.text)")
        }
        wire.clock.advance(by: .seconds(60))
        // The record alone says that the box was signed out.
        #expect(try await box.call("logout", [("authentication_token", token)]).status == 204)
        #expect(try await box.mediaToken(authorization).isPendingLogout)
    }

    @Test func `may be asked for ahead, many at once`() async throws {
        let token = try await box.signIn()
        func ask(_ resources: [String]) async throws -> WireAnswer {
            try await box.call(
                "preauthorize",
                [("authentication_token", token), ("cache", "false")] + resources.map { ("resource_id", $0) },
                headers: ["Accept": "application/json"])
        }
        try await ask(["North Sport HD", " ", "Else \"where\"", "North Sport HD", ""]).expect(
            200,
            #"{"resources":[{"id":"North Sport HD","authorized":true},"#
                + #"{"id":"Else \"where\"","authorized":false}]}"#,
            headers: ["Content-Type": "application/json;charset=utf-8", "Adobe-Response-Confidence": "full"])
        let many = try await ask((1...6).map { "Channel \($0)" })
        #expect(many.isError(403, "P100"), "\(many.text)")
        #expect(try await ask((1...5).map { "Channel \($0)" }).status == 200)
        let none = try await ask([" "])
        #expect(none.isError(400, "400") && none.text.contains("Required 'resource_id' is not present"))
        #expect(try await ask(["<rss"]).isError(400, "Z130"))
        wire.provider.setDown(true)
        #expect(
            try await ask(["North Sport HD"]).text
                == #"{"resources":[{"id":"North Sport HD","authorized":false}]}"#)
    }

    @Test func `asked for ahead need no device, and are XML for clients that do not ask for JSON`() async throws {
        let token = try await box.signIn()
        let form = [("authentication_token", token), ("resource_id", "North Sport HD"), ("resource_id", "Else")]
        let nameless = box.with { $0.device = nil }
        let expected =
            SessionTests.xml + "<resources><resource><id>North Sport HD</id><authorized>true</authorized>"
            + "</resource><resource><id>Else</id><authorized>false</authorized></resource></resources>"
        for operation in ["preauthorize", "1.0/preauthorize"] {
            for caller in [box, nameless] {
                try await caller.call(operation, form).expect(
                    200, expected, headers: ["Content-Type": "application/xml;charset=utf-8"])
            }
        }
        let json = try await nameless.call("preauthorize", form, headers: ["Accept": "application/json"])
        #expect(json.text.hasPrefix(#"{"resources":[{"id":"North Sport HD""#))
        #expect(try await box.with { $0.device = "box-2" }.call("preauthorize", form).isError(401, "SEC412"))
        let sibling = nameless.with { $0.requestor = WireFixture.strict }
        #expect(try await sibling.call("preauthorize", form).status != 200)
        #expect(try await box.call("logout", [("authentication_token", token)]).status == 204)
        #expect(try await nameless.call("preauthorize", form).isPendingLogout)
    }

    @Test func `of metadata are JSON, in the session and by itself`() async throws {
        wire.provider.setMetadata([
            "zip": .list(["12345", "34567"]), "maxRating": .map([NamedText("MPAA", "PG-13")]),
            "withheld": .text("never seen"),
        ])
        let code = try await wire.code()
        try await wire.signIn(code)
        let session = try await box.session(code)
        let token = try session.document("authnToken")
        let answer = try await box.call("usermetadata", [("authentication_token", token)]).expect(
            200, headers: ["Content-Type": "application/json;charset=utf-8", "Cache-Control": "no-store"])
        #expect(try answer.text == session.document("userMeta"))
        #expect(
            answer.text
                == #"{"updated":1767225600,"encrypted":[],"data":{"maxRating":{"MPAA":"PG-13"},"#
                + #""mvpd":"CableNova","zip":["12345","34567"]}}"#)
        // Of a viewer of whom nothing is known, the payload says just that.
        wire.provider.setMetadata([:])
        try await box.call("usermetadata", [("authentication_token", box.signIn())]).expect(
            200, #"{"updated":1767225600,"encrypted":[],"data":{}}"#)
    }
}
