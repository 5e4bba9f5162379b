import Clientless
import TestSupport
import Testing

@testable import OpenIDConnect

@Suite("A provider's metadata")
struct DiscoveryTests {
    private let issuer = Issuer("https://idp.example", policy: .secure)!

    private func cause(_ changes: [(String, JSONValue?)]) -> OpenIDConnectFault.Cause? {
        thrown { () throws(OpenIDConnectFault) in
            try ProviderMetadata(reading: FakeProvider.metadata(changes).bytes, issuer: self.issuer, policy: .secure)
        }?.cause
    }

    @Test func `is read, and what is not known here is left out`() throws {
        let metadata = try ProviderMetadata(
            reading: FakeProvider.metadata([
                ("token_endpoint_auth_methods_supported", .array(["private_key_jwt", "tls_client_auth"])),
                ("authorization_response_iss_parameter_supported", true), ("something", .object([])),
                // Nothing here depends on them, so a mistake in them shuts no viewer out.
                ("prompt_values_supported", "none"), ("frontchannel_logout_supported", "yes"),
            ]).bytes, issuer: self.issuer, policy: .secure)
        #expect(metadata.idTokenAlgorithms == [.rs256, .es256])
        #expect(metadata.authenticationMethods == [.privateKey])
        #expect(metadata.namesItselfInAnswers && !metadata.requiresPushedAuthorization)
        #expect(metadata.userInfoEndpoint == nil && metadata.endSessionEndpoint?.text == "https://idp.example/logout")
    }

    @Test func `has defaults where the specification has them`() throws {
        let metadata = try ProviderMetadata(
            reading: FakeProvider.metadata([
                ("id_token_signing_alg_values_supported", nil), ("code_challenge_methods_supported", .null),
            ]).bytes, issuer: self.issuer, policy: .secure)
        #expect(metadata.idTokenAlgorithms == [.rs256])
        #expect(metadata.authenticationMethods == [.secretBasic])
    }

    @Test func `is refused where it could mislead`() {
        #expect(self.cause([]) == nil)
        for named in ["https://other.example", "https://idp.example/"] {
            let cause = OpenIDConnectFault.Cause.otherIssuer(named: named, expected: "https://idp.example")
            #expect(self.cause([("issuer", .string(named))]) == cause)
            let fault = OpenIDConnectFault(.discovery, cause)
            #expect(fault.trouble == .misconfigured && "\(fault)".contains(named))
        }
        #expect(self.cause([("issuer", nil)]) == .field("issuer"))
        for name in ["authorization_endpoint", "token_endpoint", "jwks_uri"] {
            let bad: [JSONValue?] = [
                nil, .null, "", 7, "http://idp.example/x", "https://", "https:///x", "https://user@idp.example/",
                "https://idp.example/#x", "https://idp.example/ x", "javascript:alert(1)", "file:///etc/passwd",
                "https://idp.example:x/", "https://idp.example:99999/", "http://127.0.0.1/", "https://[::1/",
                .string("https://idp.example/" + String(repeating: "x", count: 2_048)),
            ]
            for value in bad { #expect(self.cause([(name, value)]) == .field(name), "\(String(describing: value))") }
        }
        #expect(self.cause([("userinfo_endpoint", "http://idp.example/x")]) == .field("userinfo_endpoint"))
        #expect(self.cause([("response_types_supported", .array(["id_token"]))]) == .unsupported("response_type=code"))
        #expect(
            self.cause([("code_challenge_methods_supported", .array(["plain"]))])
                == .unsupported("code_challenge_method=S256"))
        #expect(
            self.cause([("require_pushed_authorization_requests", true)])
                == .field("pushed_authorization_request_endpoint"))
        #expect(
            self.cause([("id_token_signing_alg_values_supported", .array([7]))])
                == .field("id_token_signing_alg_values_supported"))
        #expect(
            self.cause([
                ("id_token_signing_alg_values_supported", .array(Array(repeating: "RS256", count: 257)))
            ]) == .field("id_token_signing_alg_values_supported"))
    }

    @Test func `is one object of bounded size and depth, with no name twice`() {
        let good = FakeProvider.metadata().text
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        let texts = [
            "", "[]", "null", "\(good)x", good.dropLast().description, good.replacing("}", with: #","issuer":"x"}"#),
            good.replacing("}", with: #","deep":\#(deep)}"#), good.replacing("}", with: #","x":"\u0000"}"#),
            good.replacing("}", with: #","x":"\#(String(repeating: "x", count: 65_536))"}"#), "<html></html>",
        ]
        for text in texts {
            #expect(throws: OpenIDConnectFault(.discovery, .unreadable), "\(text.utf8.prefix(60))") {
                try ProviderMetadata(reading: Array(text.utf8), issuer: self.issuer, policy: .secure)
            }
        }
        for text in Mutations(of: [good], count: 1_000, seed: 3) {
            _ = try? ProviderMetadata(reading: Array(text.utf8), issuer: self.issuer, policy: .secure)
        }
    }

    @Test func `is where the issuer's name says`() {
        for (issuer, address) in [
            ("https://idp.example", "https://idp.example/.well-known/openid-configuration"),
            ("https://idp.example/", "https://idp.example/.well-known/openid-configuration"),
            ("https://idp.example/a/b", "https://idp.example/a/b/.well-known/openid-configuration"),
            ("http://127.0.0.1:8080/a", "http://127.0.0.1:8080/a/.well-known/openid-configuration"),
        ] {
            #expect(Issuer(issuer, policy: .secureOrLoopback)?.metadataAddress == address)
        }
        #expect(Issuer("https://idp.example?x", policy: .secure) == nil)
        #expect(Issuer("http://idp.example", policy: .secureOrLoopback) == nil)
        #expect(Issuer("http://127.0.0.1.evil.example", policy: .secureOrLoopback) == nil)
    }
}
