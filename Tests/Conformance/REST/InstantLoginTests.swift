import Clientless
import Entitlement
import HTTPClient
import Testing
import WireAnswers

@Suite("A login that asks nobody", .wire, .timeLimit(.minutes(5)))
struct InstantLoginTests {
    private static func target(
        _ code: String, _ mvpd: String, _ requestor: RequestorID = WireFixture.full, more: String = ""
    ) -> String {
        "/api/v1/authenticate?reg_code=\(code)&requestor_id=\(requestor)&mso_id=\(mvpd)&format=json"
            + "&domain_name=north-sport.example\(more)&redirect_url=https%3A%2F%2Fnorth-sport.example%2Fdone"
    }

    @Test func `at a trial signs the box in once the viewer confirmed it, and not before`() async throws {
        let code = try await wire.code(requestor: WireFixture.full)
        let answer = try await wire.call(.get, Self.target(code, "FreeHour")).expect(302)
        #expect(try await wire.call(.get, "/api/v1/checkauthn/\(code)?requestor=FULLSPORT").status == 403)
        try await wire.confirm(answer)
        let token = try await wire.signed(.get, "/api/v1/authenticate/\(code)?requestor=FULLSPORT")
        #expect(token.value("mvpd") == "FreeHour")
        #expect(token.value("expires") == "1767229200000")
        // A trial is its requestor's alone.
        #expect(try await wire.signed(.get, "/api/v1/checkauthn?deviceId=box-1&requestor=LOUDSPORT").status == 403)
    }

    @Test func `at a promotional trial needs to know who tries`() async throws {
        let code = try await wire.code(requestor: WireFixture.full)
        try await wire.call(.get, Self.target(code, "FreePick")).expect(
            400, message: "Required 'generic_data' is not present")
        try await wire.call(.get, Self.target(code, "FreePick", more: "&generic_data=f7ee")).expect(
            400, message: "Invalid generic_data")
        let known = "&generic_data=%7B%22email%22%3A%22f7ee%22%7D"
        try await wire.confirm(try await wire.call(.get, Self.target(code, "FreePick", more: known)))
        for resource in ["a", "b"] { try await wire.authorize(resource, for: WireFixture.full) }
        let third = "/api/v1/authorize?deviceId=box-1&requestor=FULLSPORT&resource=c"
        #expect(try await wire.signed(.get, third).status == 403)

        // The same person on another device is no new person.
        let other = try await wire.code(of: "box-2", requestor: WireFixture.full)
        try await wire.confirm(try await wire.call(.get, Self.target(other, "FreePick", more: known)))
        #expect(try await wire.signed(.get, third.replacing("box-1", with: "box-2")).status == 403)
    }

    @Test func `at a promotional trial may say who tries with the authorization`() async throws {
        func preview(_ device: String, _ person: String) async throws {
            let body =
                "requestor_id=FULLSPORT&deviceId=\(device)&mso_id=FreePick&domain_name=full-sport.example"
                + "&generic_data={\"email\":\"\(person)\"}"
            #expect(try await wire.signed(.post, "/api/v1/authenticate/freepreview", body: body).status == 204)
        }
        try await preview("box-1", "ada")
        for resource in ["a", "b"] { try await wire.authorize(resource, for: WireFixture.full) }
        try await preview("box-2", "bob")
        let target = "/api/v1/authorize?deviceId=box-2&requestor=FULLSPORT&resource=c&generic_data="
        #expect(try await wire.signed(.get, target + "%7B%22email%22%3A%22ada%22%7D").status == 403)
        #expect(try await wire.signed(.get, target + "nonsense").status == 200)
    }

    @Test(
        "asks the viewer to confirm the box, also of a requestor that skips it", arguments: ["SOUTHSPORT", "OPENSPORT"])
    func asked(_ name: String) async throws {
        let requestor = try #require(RequestorID(name))
        try await wire.add(.authnAll, requestor, message: "")
        let code = try await wire.code(requestor: requestor)
        let answer = try await wire.call(.get, Self.target(code, "CableNova", requestor)).expect(302)
        #expect(answer.headers["Location"]?.hasPrefix("/activate/confirm?attempt=") == true)
        #expect(answer.headers["Set-Cookie"] != nil)
        try await wire.call(.get, "/api/v1/checkauthn/\(code)?requestor=\(name)").expect(403)
    }

    @Test func `under a rule lasts as long as the rule, and authorizes everything`() async throws {
        try await wire.add(.authnAll, WireFixture.full, message: "")
        let code = try await wire.code(requestor: WireFixture.full)
        try await wire.confirm(try await wire.call(.get, Self.target(code, "CableNova")))
        let token = try await wire.signed(.get, "/api/v1/tokens/authn?deviceId=box-1&requestor=FULLSPORT")
        #expect(token.value("expires") == "1767229200000")
        try await wire.authorize("Anything", for: WireFixture.full)
        #expect(wire.provider.decisions == 0)
    }

    @Test func `goes back to its page when a provider that never began it answers`() async throws {
        let code = try await wire.code()
        let begun = try await wire.call(.get, wire.authenticateTarget(code))
        let token = try #require(begun.headers["Location"]?.split(separator: "=").last)
        let cookie = String(try #require(begun.headers["Set-Cookie"]?.prefix { $0 != ";" }))
        let calls: [(HTTPClient.Method, String, String?)] = [
            (.post, "/sp/saml/SAMLAssertionConsumer", "SAMLResponse=PHg%2BPC94Pg%3D%3D&RelayState=\(token)"),
            (.get, "/adobe-services/oauth2?code=c&state=\(token)", nil),
            (.get, "/adobe-services/oauth2?error=access_denied&state=\(token)", nil),
        ]
        for (method, target, body) in calls {
            try await wire.call(method, target, headers: ["Cookie": cookie], body: body).expect(
                302, headers: ["Location": "https://north-sport.example/done"])
            // Another browser has no such login.
            #expect(try await wire.call(method, target, body: body).status == 400)
        }
        #expect(try await wire.call(.get, "/api/v1/checkauthn/\(code)?requestor=NORTHSPORT").status == 403)
    }

    @Test func `that could not begin is said to people on a page`() async throws {
        let code = try await wire.code()
        wire.provider.setDown(true)
        let page = try await wire.call(.get, wire.authenticateTarget(code), headers: ["Accept": "text/html"]).expect(
            500, headers: ["Content-Type": "text/html; charset=utf-8"])
        #expect(page.text.contains("<p>The provider could not be reached</p>"))
        await wire.store.close()
        try await wire.call(.get, wire.authenticateTarget(code), headers: ["Accept": "text/html"]).expect(
            503, headers: ["Content-Type": "text/html; charset=utf-8"])
    }
}
