import Clientless
import Cryptography

import HTTPClient
import TestSupport
import Testing

@testable import OpenIDConnect

/// What a forger changes in an answer of the token endpoint, and what becomes of it.
struct Forgery: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var claims: [(String, JSONValue?)] = []
    var answer: [(String, JSONValue?)] = []
    var expected: TokenFault?

    private static let now = TestClock.start.seconds

    static let all: [Forgery] = [
        Forgery(testDescription: "nothing changed", expected: nil),
        Forgery(testDescription: "of another issuer", claims: [("iss", "https://evil.example")], expected: .issuer),
        Forgery(testDescription: "issuer with a slash", claims: [("iss", "https://idp.example/")], expected: .issuer),
        Forgery(testDescription: "without issuer", claims: [("iss", nil)], expected: .issuer),
        Forgery(testDescription: "without subject", claims: [("sub", nil)], expected: .subject),
        Forgery(testDescription: "empty subject", claims: [("sub", "")], expected: .subject),
        Forgery(testDescription: "numeric subject", claims: [("sub", 7)], expected: .subject),
        Forgery(
            testDescription: "long subject", claims: [("sub", .string(String(repeating: "é", count: 128)))],
            expected: .subject),
        Forgery(testDescription: "for another client", claims: [("aud", "other")], expected: .audience),
        Forgery(testDescription: "without audience", claims: [("aud", nil)], expected: .audience),
        Forgery(testDescription: "empty audiences", claims: [("aud", .array([]))], expected: .audience),
        Forgery(
            testDescription: "also for a stranger",
            claims: [("aud", .array(["latchkey", "other"])), ("azp", "latchkey")],
            expected: .audience),
        Forgery(
            testDescription: "twice for this client, without a party",
            claims: [("aud", .array(["latchkey", "latchkey"]))], expected: .authorizedParty),
        Forgery(
            testDescription: "for this client alone, in a list", claims: [("aud", .array(["latchkey"]))],
            expected: nil),
        Forgery(testDescription: "issued to another party", claims: [("azp", "other")], expected: .authorizedParty),
        Forgery(testDescription: "expired", claims: [("exp", .integer(now - 300))], expected: .expired),
        Forgery(testDescription: "expired within the leeway", claims: [("exp", .integer(now - 299))], expected: nil),
        Forgery(testDescription: "without end", claims: [("exp", nil)], expected: .expired),
        Forgery(testDescription: "end as a text", claims: [("exp", "9999999999")], expected: .expired),
        Forgery(testDescription: "issued in six minutes", claims: [("iat", .integer(now + 360))], expected: .issuedAt),
        Forgery(testDescription: "issued in five minutes", claims: [("iat", .integer(now + 300))], expected: nil),
        Forgery(testDescription: "never issued", claims: [("iat", nil)], expected: .issuedAt),
        Forgery(
            testDescription: "valid in six minutes", claims: [("nbf", .integer(now + 360))], expected: .notYetValid),
        Forgery(testDescription: "with another nonce", claims: [("nonce", "replayed")], expected: .nonce),
        Forgery(testDescription: "without nonce", claims: [("nonce", nil)], expected: .nonce),
        Forgery(testDescription: "of another access token", claims: [("at_hash", "AAAA")], expected: .accessTokenHash),
        Forgery(
            testDescription: "with its access token exchanged", answer: [("access_token", "stolen")],
            expected: .accessTokenHash),
        Forgery(testDescription: "of another code", claims: [("c_hash", "AAAA")], expected: .codeHash),
    ]
}

@Suite("A sign-in with an ID token")
struct ForgedTokenTests {
    private static let state = "reference-1"

    private func claims(nonce: String) -> JSONValue {
        let now = TestClock.start.seconds
        return .make([
            ("iss", "https://idp.example"), ("sub", "viewer-1"), ("aud", "latchkey"), ("exp", .integer(now + 300)),
            ("iat", .integer(now)), ("nonce", .string(nonce)), ("sid", "session-1"),
            ("at_hash", .string(Base64.encodeURL(Digest.sha256("access-1".utf8).prefix(16)))),
        ])
    }

    @Test("counts when it is what was asked for, and for no forger", arguments: Forgery.all)
    func forged(_ forgery: Forgery) async throws {
        let pair = try SigningPair.ec("1")
        let provider = try FakeProvider(keys: [pair])
        let client = provider.client()
        let start = try await client.begin(redirectAddress: "https://tv.example/back", state: Self.state)
        let token = try pair.token(self.claims(nonce: start.attempt.nonce).with(forgery.claims))
        provider.answer(
            "/token",
            with: JSONValue.make([
                ("access_token", "access-1"), ("token_type", "Bearer"), ("id_token", .string(token)),
            ]).with(forgery.answer))
        let found = await fault { () throws(OpenIDConnectFault) in
            try await client.complete(
                [("state", Self.state), ("code", "code-1")], attempt: start.attempt, state: Self.state)
        }
        #expect(found == forgery.expected.map { OpenIDConnectFault(.token, .token($0)) })
        let trouble = forgery.expected == nil ? nil : OpenIDConnectFault.Trouble.untrusted
        #expect(found?.trouble == trouble)
    }

    @Test("refuses the token of a key that the provider does not publish, and asks for new keys once")
    func wrongKey() async throws {
        let provider = try FakeProvider(keys: [try .ec("1")])
        let client = provider.client()
        for (index, id) in ["1", "2", "3"].enumerated() {
            let start = try await client.begin(redirectAddress: "https://tv.example/back", state: Self.state)
            let token = try SigningPair.ec(id).token(self.claims(nonce: start.attempt.nonce))
            provider.answer(
                "/token",
                with: .make([("access_token", "a"), ("token_type", "bearer"), ("id_token", .string(token))]))
            let found = await fault { () throws(OpenIDConnectFault) in
                try await client.complete(
                    [("state", Self.state), ("code", "c")], attempt: start.attempt, state: Self.state)
            }
            #expect(found == OpenIDConnectFault(.token, .token(index == 0 ? .signature : .unknownKey)))
        }
        #expect(provider.requests("/keys").count == 2)
    }

    @Test("takes the code of this browser alone: the verifier goes with it, and the nonce comes back")
    func injectedCode() async throws {
        let pair = try SigningPair.ec("1")
        let provider = try FakeProvider(keys: [pair])
        let client = provider.client()
        let victim = try await client.begin(redirectAddress: "https://tv.example/back", state: "victim")
        let attacker = try await client.begin(redirectAddress: "https://tv.example/back", state: "attacker")
        #expect(victim.attempt.nonce != attacker.attempt.nonce)
        #expect(query(of: victim.address)["code_challenge"] != query(of: attacker.address)["code_challenge"])
        // A provider that checks PKCE refuses the code; one that does not gives the victim's nonce.
        let token = try pair.token(self.claims(nonce: victim.attempt.nonce))
        let challenge = query(of: victim.address)["code_challenge"] ?? ""
        provider.answer("/token") { request in
            let verifier = request.form["code_verifier"] ?? ""
            guard Base64.encodeURL(Digest.sha256(verifier.utf8)) == challenge else {
                return HTTPClient.Response(status: 400, body: Array(#"{"error":"invalid_grant"}"#.utf8))
            }
            return HTTPClient.Response(status: 500, body: [])
        }
        let injected = await fault { () throws(OpenIDConnectFault) in
            try await client.complete(
                [("state", "attacker"), ("code", "victim's")], attempt: attacker.attempt, state: "attacker")
        }
        #expect(injected == OpenIDConnectFault(.token, .refused(.invalidGrant)))
        #expect(injected?.trouble == .untrusted)
        provider.answer(
            "/token", with: .make([("access_token", "a"), ("token_type", "Bearer"), ("id_token", .string(token))]))
        let unchecked = await fault { () throws(OpenIDConnectFault) in
            try await client.complete(
                [("state", "attacker"), ("code", "victim's")], attempt: attacker.attempt, state: "attacker")
        }
        #expect(unchecked == OpenIDConnectFault(.token, .token(.nonce)))
    }
}
