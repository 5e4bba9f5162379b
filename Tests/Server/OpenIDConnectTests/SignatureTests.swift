import Clientless
import Cryptography
import TestSupport
import Testing

@testable import OpenIDConnect

/// `foreign-tokens.json`: what Python's `cryptography` made, a signer that shares no line with the verifier.
private struct ForeignVectors: Decodable {
    let keys: String
    let tokens: [String: String]

    static let own = Result { try Vectors.load("foreign-tokens", as: Self.self) }
}

@Suite("A signed token")
struct SignatureTests {
    private let keys: KeySet?

    init() throws { self.keys = KeySet(Array(try ForeignVectors.own.get().keys.utf8)) }

    private func claims(
        _ token: String, _ algorithms: Set<SignatureAlgorithm>, _ keys: KeySet?
    ) throws(TokenFault) -> JSONValue {
        guard let keys else { throw .unknownKey }
        return try SignedToken(token, algorithms: algorithms).claims(verifiedBy: keys)
    }

    @Test("of each algorithm that another library made is verified", arguments: try ForeignVectors.own.get().tokens)
    func foreign(algorithm: String, token: String) throws {
        let algorithm = try #require(SignatureAlgorithm(rawValue: algorithm))
        #expect(try self.claims(token, [algorithm], self.keys)["sub"] == "viewer-1")
        // One bit of the signature, which does not end in a bit that Base 64 leaves unused.
        var bytes = Array(token.utf8)
        let place = bytes.count - 20
        bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        let changed = String(decoding: bytes, as: UTF8.self)
        #expect(throws: TokenFault.signature) { try self.claims(changed, [algorithm], self.keys) }
    }

    @Test("counts only in an algorithm that was agreed upon", arguments: try ForeignVectors.own.get().tokens)
    func agreed(algorithm: String, token: String) throws {
        let others = Set(SignatureAlgorithm.allCases.filter { $0.rawValue != algorithm })
        #expect(throws: TokenFault.algorithm) { try self.claims(token, others, self.keys) }
    }

    @Test func `without a signature, or with the public key for a shared secret, has no way in`() throws {
        let pair = try SigningPair.rsa("1")
        let keys = KeySet(JSONValue.make([("keys", .array([try pair.publicKey()]))]).bytes)
        let claims = JSONValue.make([("sub", "viewer-1")])
        guard case .rsa(let key) = pair.key else { return }
        let pem = try key.verificationKey.pem()
        for name in ["none", "None", "HS256", "HS384", "HS512", "RS1", "", "rs256"] {
            let header = JSONValue.make([("alg", .string(name)), ("kid", "1")]).bytes
            let text = "\(Base64.encodeURL(header)).\(Base64.encodeURL(claims.bytes))"
            let code = HMACKey(Secret(pem), hash: .sha256).authenticationCode(for: Array(text.utf8))
            for signature in ["", Base64.encodeURL(code)] {
                #expect(throws: TokenFault.algorithm) {
                    try self.claims("\(text).\(signature)", Set(SignatureAlgorithm.allCases), keys)
                }
            }
        }
    }

    @Test func `is refused in any other form`() throws {
        let pair = try SigningPair.ec("1")
        let keys = KeySet(JSONValue.make([("keys", .array([try pair.publicKey()]))]).bytes)
        let claims = JSONValue.make([("sub", "viewer-1")])
        let good = try pair.token(claims)
        let all = Set(SignatureAlgorithm.allCases)
        #expect(try self.claims(good, all, keys) == claims)
        let critical: [JSONValue.Member] = [.init("alg", "ES256"), .init("kid", "1"), .init("crit", .array(["b64"]))]
        let bad = [
            "", ".", "..", "...", "a.b", "\(good).", ".\(good)", good + "=", good + "\n", " " + good,
            try pair.token(claims, header: critical),
            try pair.token(claims, header: [.init("alg", "ES256"), .init("kid", 7)]),
            try pair.token(claims, header: [.init("alg", "ES256"), .init("alg", "ES256")]),
            try pair.token(.array([claims])), String(repeating: "a", count: SignedToken.maximumSize + 1),
        ]
        for token in bad { #expect(throws: TokenFault.malformed) { try self.claims(token, all, keys) } }
        #expect(throws: TokenFault.encrypted) { try self.claims("a.b.c.d.e", all, keys) }
        #expect(throws: TokenFault.unknownKey) {
            try self.claims(try pair.token(claims, header: [.init("alg", "ES256"), .init("kid", "2")]), all, keys)
        }
    }

    @Test func `is never verified by keys of another use, kind or size`() throws {
        let key = try SigningPair.rsa("1").publicKey()
        func usable(_ changes: [(String, JSONValue?)]) -> Int {
            KeySet(JSONValue.make([("keys", .array([key.with(changes)]))]).bytes)?.keys.count ?? -1
        }
        #expect(usable([]) == 1)
        #expect(
            usable([("use", "sig"), ("alg", "PS256"), ("key_ops", .array(["verify"])), ("x5c", .array(["x"]))]) == 1)
        let unfit: [[(String, JSONValue?)]] = [
            [("use", "enc")], [("alg", "HS256")], [("alg", "ES256")], [("alg", "RSA-OAEP")],
            [("kty", "oct"), ("k", "AAAA")],
            [("kty", "EC")], [("kty", "OKP"), ("crv", "Ed25519")], [("key_ops", .array(["encrypt"]))], [("kid", 1)],
            [("kid", "")], [("n", "AQAB")], [("n", nil)], [("e", nil)], [("e", "")], [("n", .string("A" + "AAAA"))],
            [("n", .string(Base64.encodeURL([UInt8](repeating: 0xFF, count: 128))))],
            [("n", .string(Base64.encodeURL([UInt8](repeating: 0xFF, count: 1025))))],
        ]
        for changes in unfit { #expect(usable(changes) == 0, "\(changes)") }
        // A point that is not on its curve.
        let point = try SigningPair.ec("1").publicKey().with([
            ("x", .string(Base64.encodeURL([UInt8](repeating: 7, count: 32))))
        ])
        #expect(KeySet(JSONValue.make([("keys", .array([point]))]).bytes)?.keys.count == 0)
        #expect(KeySet(Array("{}".utf8)) == nil)
        #expect(KeySet(JSONValue.make([("keys", .array(Array(repeating: key, count: 65)))]).bytes) == nil)
    }

    @Test func `is not taken in any damaged form`() throws {
        let pair = try SigningPair.ec(nil)
        let set = JSONValue.make([("keys", .array([try pair.publicKey()]))])
        let keys = try #require(KeySet(set.bytes))
        let token = try pair.token(.make([("sub", "viewer-1"), ("exp", 1)]))
        for text in Mutations(of: [token], count: 2_000, seed: 7) where text != token {
            #expect(throws: TokenFault.self) { try self.claims(text, [.es256], keys) }
        }
        for text in Mutations(of: [set.text], count: 1_000, seed: 8) { _ = KeySet(Array(text.utf8)) }
    }
}
