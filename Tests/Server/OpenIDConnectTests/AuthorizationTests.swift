import Clientless
import Cryptography
import TestSupport
import Testing

@testable import OpenIDConnect

@Suite("An authorization request and its answer")
struct AuthorizationTests {
    private static let back = "https://tv.example/callback/oidc"

    @Test func `has the challenge of RFC 7636, appendix B`() throws {
        let octets: [UInt8] = [
            116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191,
            240, 91, 88, 5, 88, 83, 132, 141, 121,
        ]
        let issuer = try #require(Issuer("https://idp.example", policy: .secure))
        let attempt = AuthorizationAttempt(issuer: issuer, redirectAddress: Self.back, random: { _ in octets })
        #expect(attempt.verifier == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(attempt.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        #expect("\(attempt)" == "<attempt at https://idp.example>")
    }

    @Test func `says what is wished, beside what keeps it safe`() async throws {
        let provider = try FakeProvider(
            keys: [], changing: [("authorization_endpoint", "https://idp.example/authorize?tenant=7")])
        let registration = OpenIDConnectClient.Settings(
            issuer: provider.issuer, clientID: "tv & co", authentication: .none, scopes: ["profile"])
        let start = try await provider.client(registration).begin(
            redirectAddress: Self.back, state: "reference", isPassive: true)
        #expect(
            start.address.hasPrefix(
                "https://idp.example/authorize?tenant=7&response_type=code&client_id=tv%20%26%20co&"))
        let sent = query(of: start.address)
        #expect(
            sent == [
                "tenant": "7", "response_type": "code", "client_id": "tv & co", "redirect_uri": Self.back,
                "scope": "openid profile", "state": "reference", "nonce": start.attempt.nonce,
                "code_challenge": start.attempt.challenge, "code_challenge_method": "S256", "prompt": "none",
            ])
        #expect(start.attempt.isPassive)
    }

    @Test func `is pushed where the provider takes that, and then only referred to`() async throws {
        let endpoint: (String, JSONValue?) = ("pushed_authorization_request_endpoint", "https://idp.example/par")
        let provider = try FakeProvider(keys: [], changing: [endpoint])
        provider.answer("/par", with: .make([("request_uri", "urn:x:1"), ("expires_in", 60)]), status: 201)
        let registration = OpenIDConnectClient.Settings(
            issuer: provider.issuer, clientID: "tv", authentication: .secretPost(Secret("s3cret")))
        let start = try await provider.client(registration).begin(redirectAddress: Self.back, state: "reference")
        #expect(start.address == "https://idp.example/authorize?client_id=tv&request_uri=urn%3Ax%3A1")
        let form = try #require(provider.requests("/par").first).form
        #expect(form["client_secret"] == "s3cret" && form["client_id"] == "tv" && form["state"] == "reference")
        #expect(form["code_challenge"] == start.attempt.challenge)

        provider.answer("/par", with: .make([("error", "invalid_request")]), status: 400)
        let refused = await fault { () throws(OpenIDConnectFault) in
            try await provider.client(registration).begin(redirectAddress: Self.back, state: "r")
        }
        #expect(refused == OpenIDConnectFault(.pushedAuthorization, .refused(ProviderErrorCode("invalid_request"))))
        var plain = registration
        plain.pushesRequests = false
        let direct = try await provider.client(plain).begin(redirectAddress: Self.back, state: "r")
        #expect(query(of: direct.address)["state"] == "r" && query(of: direct.address)["prompt"] == nil)
    }

    @Test func `is answered by the provider that was asked, to this request, once per name`() async throws {
        let issuer = try #require(Issuer("https://idp.example", policy: .secure))
        let attempt = AuthorizationAttempt(issuer: issuer, redirectAddress: Self.back)
        func cause(
            _ parameters: [(name: String, value: String)], names: Bool = false
        ) throws -> OpenIDConnectFault.Cause? {
            let metadata = try ProviderMetadata(
                reading: FakeProvider.metadata([
                    ("authorization_response_iss_parameter_supported", .boolean(names))
                ]).bytes, issuer: issuer, policy: .secure)
            return thrown { () throws(OpenIDConnectFault) in
                try AuthorizationResponse.read(parameters, of: attempt, state: "s", metadata: metadata)
            }?.cause
        }
        #expect(try cause([("state", "s"), ("code", "c")]) == nil)
        #expect(try cause([("state", "s"), ("code", "c"), ("iss", "https://idp.example")], names: true) == nil)
        #expect(try cause([("state", "s"), ("code", "c"), ("session_state", "x"), ("session_state", "y")]) == nil)
        // The mix-up of RFC 9207: the browser was sent to one provider, and comes back from another.
        #expect(try cause([("state", "s"), ("code", "c"), ("iss", "https://evil.example")]) == .mixUp)
        #expect(try cause([("state", "s"), ("code", "c")], names: true) == .mixUp)
        #expect(try cause([("state", "s"), ("error", "access_denied")], names: true) == .mixUp)
        #expect(try cause([("state", "t"), ("code", "c")]) == .mixUp)
        #expect(try cause([("code", "c")]) == .mixUp)
        #expect(try cause([("state", "s"), ("state", "s"), ("code", "c")]) == .field("state"))
        #expect(try cause([("state", "s"), ("code", "c"), ("code", "d")]) == .field("code"))
        #expect(try cause([("state", "s")]) == .field("code"))
        #expect(try cause([("state", "s"), ("code", "")]) == .field("code"))
        #expect(try cause([("state", "s"), ("code", String(repeating: "c", count: 4_097))]) == .field("code"))
    }

    @Test(
        "tells the viewer's no from the provider's trouble and from ours",
        arguments: [
            ("access_denied", OpenIDConnectFault.Trouble.declined), ("login_required", .loginRequired),
            ("interaction_required", .loginRequired), ("consent_required", .loginRequired),
            ("account_selection_required", .loginRequired), ("server_error", .unreachable),
            ("temporarily_unavailable", .unreachable), ("invalid_request", .misconfigured),
            ("unauthorized_client", .misconfigured), ("invalid_scope", .misconfigured),
            ("unsupported_response_type", .misconfigured), ("request_not_supported", .misconfigured),
            ("<script>\u{1B}", .misconfigured),
        ])
    func refusals(code: String, trouble: OpenIDConnectFault.Trouble) async throws {
        let provider = try FakeProvider(keys: [])
        let client = provider.client()
        let start = try await client.begin(redirectAddress: Self.back, state: "s")
        let found = await fault { () throws(OpenIDConnectFault) in
            try await client.complete([("state", "s"), ("error", code)], attempt: start.attempt, state: "s")
        }
        #expect(found?.trouble == trouble)
        #expect(found?.description.contains("script") == false)
        #expect(provider.requests("/token").isEmpty)
    }
}
