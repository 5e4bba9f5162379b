import Clientless
import Cryptography
import Entitlement
import HTTPClient
import TestSupport
import Testing
import WireAnswers

@Suite(
    "Sign-ins of the SDK services without a code", .wire(catalogue: WireFixture.sdkCatalogue), .box,
    .timeLimit(.minutes(5)))
struct SignInWithoutCodeTests {
    private static func said(_ answer: WireAnswer) throws -> AuthenticationTokenDocument {
        let signed = try SignedTokenDocument(parsing: try answer.document("authnToken"))
        return try AuthenticationTokenDocument(element: signed.element)
    }

    @Test func `pass from one requestor to another where each has its own`() async throws {
        let token = try await box.signIn(mvpd: WireFixture.otherProvider)
        let sibling = box.with { $0.requestor = WireFixture.sibling }
        let parameters = [("authentication_token", token), ("mso_id", "DishNova")]
        let answer = try await sibling.call("passive", parameters).expect(200)
        #expect(try answer.document("userMeta").hasPrefix(#"{"updated":"#))
        let said = try Self.said(answer)
        #expect(said.requestor == WireFixture.sibling && said.mvpd == WireFixture.otherProvider)
        #expect(try await sibling.authorize(answer.document("authnToken")).status == 200)
        #expect(try await sibling.call("passive", [("authentication_token", token)]).isError(400, "400"))
        #expect(try await sibling.call("passive", [("mso_id", "DishNova")]).isError(400, "400"))
        let unknown = try await sibling.call("passive", [("authentication_token", token), ("mso_id", "NoNova")])
        #expect(unknown.isError(400, "400"))
    }

    @Test func `do not pass where the provider cannot, or will not, tell without a browser`() async throws {
        let token = try await box.signIn(mvpd: WireFixture.otherProvider)
        let sibling = box.with { $0.requestor = WireFixture.sibling }
        wire.otherProvider.setRenewing(nil)
        let none = try await sibling.call("passive", [("authentication_token", token), ("mso_id", "DishNova")])
        #expect(none.isError(409, "N000") && none.text.contains("not possible"), "\(none.text)")
        wire.otherProvider.setRenewing(.refused(reason: "Please sign in again."))
        let refused = try await sibling.call("passive", [("authentication_token", token), ("mso_id", "DishNova")])
        #expect(refused.isError(409, "N000"), "\(refused.text)")
        // A provider that cannot be asked is no decision (sdk-services 6).
        wire.otherProvider.setDown(true)
        let down = try await sibling.call("passive", [("authentication_token", token), ("mso_id", "DishNova")])
        #expect(down.isError(409, "N000"), "\(down.text)")
        wire.otherProvider.setDown(false)
        // Another provider's word is none for this one.
        let other = try await sibling.call("passive", [("authentication_token", token), ("mso_id", "CableNova")])
        #expect(other.isError(409, "N000"), "\(other.text)")
    }

    @Test func `at a TempPass last as long as the trial, and no longer`() async throws {
        let answer = try await box.call("temporary", [("mso_id", "TrialNova")]).expect(200)
        let token = try answer.document("authnToken")
        #expect(try Self.said(answer).mvpd.text == "TrialNova")
        // The first authorization starts the clock.
        #expect(try await box.authorize(token, "Anything").status == 200)
        let current = try await box.call("session", [("mso_id", "TrialNova")]).document("authnToken")
        wire.clock.advance(by: .seconds(599))
        #expect(try await box.authorize(current, "Anything else").status == 200)
        wire.clock.advance(by: .seconds(1))
        #expect(try await box.authorize(current).isError(410, "N130"))
        #expect(try await box.call("temporary", [("mso_id", "TrialNova")]).isError(403, "N111"))
        // Another device has its own.
        #expect(try await box.with { $0.device = "box-2" }.call("temporary", [("mso_id", "TrialNova")]).status == 200)
        #expect(try await box.call("temporary").isError(400, "400"))
        // A provider that is none has its own login, unless a rule skips that.
        #expect(try await box.call("temporary", [("mso_id", "CableNova")]).isError(400, "400"))
        try await wire.add(.authnAll, WireFixture.requestor, message: "")
        let degraded = try await box.call("temporary", [("mso_id", "CableNova")]).document("authnToken")
        #expect(try await box.authorize(degraded, "Anything").status == 200)
        wire.clock.advance(by: .seconds(3600))
        #expect(try await box.authorize(degraded).isError(410, "N130"))
        #expect(try await box.call("temporary", [("mso_id", "CableNova")]).isError(400, "400"))
    }

    @Test func `at a promotional TempPass are a person's, by whatever device`() async throws {
        func start(_ data: String?, _ box: SDKBox) async throws -> WireAnswer {
            let named = [("mso_id", "PromoNova")]
            return try await box.call("temporary", named + (data.map { [("generic_data", $0)] } ?? []))
        }
        let answer = try await start(#"{"email":"f7ee5ec7"}"#, box).expect(200)
        let token = try answer.document("authnToken")
        #expect(try answer.document("userMeta").contains(#""remaining_resources":"2""#))
        #expect(try await box.authorize(token, "One").status == 200)
        let second = try await box.authorize(token, "Two").expect(200)
        #expect(try second.document("userMeta").contains(#""remaining_resources":"0""#))
        #expect(try await box.authorize(token, "Three").isError(200, "N111"))
        #expect(try await box.authorize(token, "One").status == 200)
        // The same person somewhere else, in any of the forms programmers write.
        let other = box.with { $0.device = "box-2" }
        for data in [
            #"{"email":"f7ee5ec7"}"#, #"("email":"f7ee5ec7")"#, " { \"email\" : \"f7ee5ec7\", \"a\": \"b\" } ",
        ] {
            let token = try await start(data, other).document("authnToken")
            #expect(try await other.authorize(token, "Three").isError(200, "N111"), "\(data)")
        }
        for data in [
            nil, "", "{}", "[]", #"{"email":""}"#, #"{"email":1}"#, #"{"mail":"x"}"#, "f7ee5ec7", "%7B",
            #"{"email":"\#(String(repeating: "x", count: 513))"}"#, String(repeating: "[", count: 5000),
        ] {
            #expect(try await start(data, other).isError(400, "400"), "\((data ?? "none").prefix(40))")
        }
        wire.clock.advance(by: .seconds(600))
        #expect(try await start(#"{"email":"f7ee5ec7"}"#, other).isError(403, "N111"))
    }

    @Test func `come from the platform's account when its answer holds`() async throws {
        let good = Base64.encode(AcceptedAssertions.response("a-1"))
        let answer = try await box.call("platform", [("mso_id", "CableNova"), ("SAMLResponse", good)]).expect(200)
        #expect(try answer.document("userMeta").contains(#""tokenSource":"Apple""#))
        #expect(try await box.authorize(answer.document("authnToken")).status == 200)
        let replayed = try await box.call("platform", [("mso_id", "CableNova"), ("SAMLResponse", good)])
        #expect(replayed.isError(403, "403"), "\(replayed.text)")
        for bad in [Base64.encode("refused a-2".utf8), "%%%", "x"] {
            let answer = try await box.call("platform", [("mso_id", "CableNova"), ("SAMLResponse", bad)])
            #expect(answer.isError(403, "403"), "\(answer.text)")
        }
        let unboarded = try await box.call("platform", [("mso_id", "DishNova"), ("SAMLResponse", good)])
        #expect(unboarded.isError(403, "403"), "\(unboarded.text)")
        let unknown = try await box.call("platform", [("mso_id", "NoNova"), ("SAMLResponse", good)])
        #expect(unknown.isError(400, "400"), "\(unknown.text)")
        #expect(try await box.call("platform", [("mso_id", "CableNova")]).isError(400, "400"))
        #expect(try await box.call("platform", [("SAMLResponse", good)]).isError(400, "400"))
    }

    @Test("by the platform's account say why they are refused, and are read with plus signs that became spaces")
    func platformReasons() async throws {
        let good = Base64.encode(AcceptedAssertions.response("a-~~~>>>"))
        try #require(good.contains("+"))
        let sloppy = good.replacing("+", with: " ")
        try await box.call("platform", [("mso_id", "CableNova"), ("SAMLResponse", sloppy)]).expect(200)
        let reasons = [
            ("CableNova", good, "the response was used before"),
            ("CableNova", "%%%", "the response is not Base64, or too long"),
            ("CableNova", Base64.encode("refused".utf8), "the response was not verified"),
            ("DishNova", good, "the provider takes no part in platform sign-in"),
        ]
        for (mvpd, response, reason) in reasons {
            let refused = try await box.call("platform", [("mso_id", mvpd), ("SAMLResponse", response)])
            #expect(refused.isError(403, "403", details: reason), "\(refused.text)")
        }
    }

    @Test(
        "come from the account of the box, by a profile that the box asks for and the other requestor presents",
        .wire(catalogue: WireFixture.boxAccountCatalogue), .box)
    func boxAccount() async throws {
        let token = try await box.signIn()
        let sibling = box.with { $0.requestor = WireFixture.sibling }
        let question = "/api/v1/\(WireFixture.sibling)/profile-requests/CableNova?deviceType=tvOS&deviceId=box-1"
        let request = try await wire.signed(.get, question, requestor: WireFixture.sibling)
        #expect(request.status == 200 && request.text.hasPrefix("latchkey box account 1"))
        let asked = [
            ("authentication_token", token), ("profile_request", Base64.encode(Array(request.text.utf8))),
        ]
        let answer = try await box.call("profile", asked).expect(200)
        let profile = try answer.document("profile")
        let parameters = [("mso_id", "CableNova"), ("SAMLResponse", profile)]
        #expect(try await box.with { $0.device = "box-2" }.call("platform", parameters).status == 403)
        let exchanged = try await sibling.call("platform", parameters).expect(200)
        #expect(try Self.said(exchanged).requestor == WireFixture.sibling)
        #expect(try await sibling.authorize(exchanged.document("authnToken")).status == 200)
        let replayed = try await sibling.call("platform", parameters)
        #expect(replayed.isError(403, "403", details: "the response was used before"), "\(replayed.text)")
        for bad in [("profile_request", "%%%"), ("profile_request", "")] {
            #expect(try await box.call("profile", [asked[0], bad]).isError(400, "400"))
        }
        let odd = try await box.call("profile", [asked[0], ("profile_request", "bGF0Y2hrZXk=")])
        #expect(odd.isError(403, "403"), "\(odd.text)")
        // The other way round nothing is agreed.
        let own = Base64.encode(Array("latchkey box account 1\n\(WireFixture.requestor)\nCableNova".utf8))
        let refused = try await box.call("profile", [asked[0], ("profile_request", own)])
        #expect(refused.isError(403, "403", details: "the provider takes no part in platform sign-in"))
        #expect(try await box.call("logout", [asked[0]]).status == 204)
        #expect(try await box.call("profile", asked).isPendingLogout)
    }

    @Test func `end with a logout, for every face`() async throws {
        let token = try await box.signIn()
        let rest = "/api/v1/tokens/authn?deviceId=box-1&requestor=NORTHSPORT"
        #expect(try await wire.signed(.get, rest).status == 200)
        try await box.call("logout", [("authentication_token", token)]).expect(204, "", headers: ["Content-Type": nil])
        #expect(try await wire.signed(.get, rest).status == 404)
        #expect(try await box.call("logout", [("authentication_token", token)]).isPendingLogout)
        #expect(try await box.call("logout").isError(400, "400"))
    }

    @Test func `that ended here go on at the provider when only a browser can end them there`() async throws {
        let token = try await box.signIn()
        wire.provider.setLogout(address: "https://idp.example/logout?a=1&b=<2>")
        try await box.call("logout", [("authentication_token", token)]).expect(
            200,
            SessionTests.xml
                + "<result><logoutUrl>https://idp.example/logout?a=1&amp;b=&lt;2&gt;</logoutUrl></result>")
        #expect(try await box.call("usermetadata", [("authentication_token", token)]).isPendingLogout)
    }

    @Test func `on one face are sign-ins on the other`() async throws {
        let query = "deviceId=box-1&requestor=NORTHSPORT"
        // Begun on the clientless face, picked up here; a decision of the one serves the other.
        let token = try await box.signIn()
        let resource = "&resource=North%20Sport%20HD"
        #expect(try await wire.signed(.get, "/api/v1/authorize?\(query)\(resource)").status == 200)
        #expect(try await box.authorize(token).status == 200)
        #expect(wire.provider.decisions == 1)
        #expect(try await wire.signed(.delete, "/api/v1/logout?\(query)").status == 204)
        #expect(try await box.authorize(token).isPendingLogout)
        // Begun here, seen there.
        let trial = try await box.call("temporary", [("mso_id", "TrialNova")]).document("authnToken")
        let record = try await wire.signed(.get, "/api/v1/tokens/authn?\(query)")
        #expect(record.status == 200 && record.value("mvpd") == "TrialNova")
        let decision = try await box.authorize(trial).document("authzToken")
        #expect(try await wire.signed(.get, "/api/v1/mediatoken?\(query)\(resource)").status == 200)
        #expect(try await box.mediaToken(decision).status == 200)
    }
}
