import Clientless
import HTTPServer
import Testing

@Suite("A provider that tells of a logout", .fixture(.init(harbor: AwayProvider())))
struct LogoutNoticeTests {
    private static let address = "/sp/logout/HarborFiber"

    @Test func `ends the viewer's sign-ins, once for each notice`() async throws {
        let code = try await fixture.code()
        let viewer = Browser(fixture)
        try await viewer.walkToSignIn(code.text, mvpd: "HarborFiber")
        let token = try #require(viewer.page.path.split(separator: "=").last)
        await viewer.get("/sp/login/HarborFiber?code=ada&state=\(token)")
        await viewer.follow()
        try await viewer.decide("confirm")
        #expect(try await fixture.isSignedIn(code))

        let provider = try Browser(fixture, address: "198.51.100.7")
        await provider.post(Self.address, [("logout_token", "n1")]).expect(200)
        #expect(provider.page.response.headers["Cache-Control"] == "no-store")
        #expect(try await !fixture.isSignedIn(code))
        await provider.post(Self.address, [("logout_token", "n1")]).expect(400)
    }

    @Test("by a message of SAML is answered the way it came")
    func messages() async throws {
        let provider = try Browser(fixture, address: "198.51.100.7")
        await provider.get("\(Self.address)?SAMLRequest=n1&RelayState=x&SigAlg=a&Signature=b").expect(303)
        #expect(provider.page.response.headers["Location"] == "https://harbor.example/bye?SAMLResponse=n1")
        await provider.get("\(Self.address)?SAMLRequest=n1&RelayState=x&SigAlg=a&Signature=b").expect(400)
        await provider.post(Self.address, [("SAMLRequest", "n2"), ("RelayState", "x")]).expect(303)
        await provider.post(Self.address, [("SAMLRequest", "form1"), ("RelayState", "x")]).expect(
            200, contains: "action=\"https://harbor.example/bye\"", "name=\"SAMLResponse\" value=\"form1\"")
        let policy = provider.page.response.headers["Content-Security-Policy"] ?? ""
        #expect(policy.contains("form-action 'self' https:;"), "\(policy)")
        #expect(provider.page.response.headers["Set-Cookie"] == nil)
        await provider.get("\(Self.address)?SAMLResponse=n3").expect(200)
        await provider.get("/sp/metadata/HarborFiber")
        #expect(provider.page.status == 200 && provider.page.text == "<here/>")
        #expect(provider.page.response.headers["Content-Type"] == "application/samlmetadata+xml")
        for path in ["/sp/metadata/CedarCable", "/sp/metadata/Nowhere"] {
            await provider.get(path)
            #expect(provider.page.status == 404, "\(path)")
        }
    }

    @Test func `is told what was wrong with its notice, and nothing of viewers`() async throws {
        let provider = try Browser(fixture, address: "198.51.100.7")
        for (path, token, status) in [
            (Self.address, "forged", 400), (Self.address, "down", 502), (Self.address, "", 400),
            ("/sp/logout/CedarCable", "n1", 404), ("/sp/logout/Nowhere", "n1", 404),
            ("/sp/logout/a%20b", "n1", 404),
        ] {
            await provider.post(path, [("logout_token", token)])
            #expect(provider.page.status == status, "\(path) \(token)")
        }
        // Back from a logout of ours, with nothing, or with an answer that no one signed.
        for path in [Self.address, "\(Self.address)?SAMLResponse=forged"] {
            await provider.get(path)
            #expect(provider.page.status == 303 && provider.page.location == "/", "\(path)")
        }
        // Nothing is agreed about notices by a browser.
        await provider.get("\(Self.address)?iss=https%3A%2F%2Fharbor.example&sid=s1").expect(404)
        await provider.get("\(Self.address)?iss=https%3A%2F%2Fharbor.example").expect(400)
    }
}
