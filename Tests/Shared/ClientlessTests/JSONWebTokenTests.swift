import Clientless
import Cryptography
import TestSupport
import Testing

/// Keys that all suites share: an RSA key takes long to make.
enum TestKeys {
    static let rsa = Result { try RSAPrivateKey.generate() }
    static let otherRSA = Result { try RSAPrivateKey.generate() }
    static let ec = Result { try ECPrivateKey.generate() }
    static let otherEC = Result { try ECPrivateKey.generate() }
}

/// Writes a token from any texts, as an attacker would.
func compactToken(header: String, claims: String, sign: ([UInt8]) throws -> [UInt8]) rethrows -> String {
    let signed = "\(Base64.encodeURL(header.utf8)).\(Base64.encodeURL(claims.utf8))"
    return "\(signed).\(Base64.encodeURL(try sign(Array(signed.utf8))))"
}

@Suite("A software statement")
struct SoftwareStatementTests {
    static let now = Timestamp(seconds: 1_767_225_600)
    static let statement = SoftwareStatement(
        softwareID: "0c7d1be7-3f42-4a57-9a55-5f0c2b7ea0d4", issuer: "tve.example.net", issuedAt: now, notBefore: now)

    private static func read(
        _ text: String, trusting keys: [RSAPublicKey]? = nil, at now: Timestamp = now
    ) throws -> SoftwareStatement {
        try SoftwareStatement(
            reading: text, trusting: keys ?? [TestKeys.rsa.get().publicKey], issuer: "tve.example.net", at: now)
    }

    private static func token(header: String = #"{"alg":"RS256"}"#, claims: String) throws -> String {
        try compactToken(header: header, claims: claims) { try TestKeys.rsa.get().signature(for: $0) }
    }

    @Test("comes back as it was, also when pasted with line breaks, also under the older of two keys")
    func roundTrip() throws {
        let text = try Self.statement.signed(by: TestKeys.rsa.get())
        #expect(text.split(separator: ".").count == 3)
        #expect(Base64.decodeURL(text.prefix { $0 != "." }) == Array(#"{"alg":"RS256"}"#.utf8))
        #expect(try Self.read(text) == Self.statement)
        let broken =
            "\n" + text.enumerated().map { $0.offset % 64 == 63 ? "\($0.element)\r\n  " : "\($0.element)" }.joined()
        #expect(try Self.read(broken) == Self.statement)
        let keys = try [TestKeys.otherRSA.get().publicKey, TestKeys.rsa.get().publicKey]
        #expect(try Self.read(text, trusting: keys) == Self.statement)
    }

    @Test func `names the software by software_id where it has one`() throws {
        let text = try Self.token(
            claims:
                #"{"sub":"s","software_id":"i","iss":"tve.example.net","iat":1.0,"nbf":1767225600.75,"client_name":"x"}"#
        )
        let statement = try Self.read(text)
        #expect(statement.softwareID == "i")
        #expect(statement.issuedAt == Timestamp(seconds: 1))
        #expect(statement.notBefore == Self.now)
    }

    @Test(
        "of another algorithm is refused whatever its signature",
        arguments: ["none", "HS256", "ES256", "RS384", "rs256", ""])
    func algorithm(_ name: String) throws {
        let claims = #"{"sub":"s","iss":"tve.example.net","iat":1,"nbf":1}"#
        let text = try Self.token(header: #"{"alg":"\#(name)"}"#, claims: claims)
        #expect(throws: JSONWebTokenError.wrongAlgorithm) { try Self.read(text) }
        let unsigned = compactToken(header: #"{"alg":"\#(name)"}"#, claims: claims) { _ in [] }
        #expect(throws: JSONWebTokenError.wrongAlgorithm) { try Self.read(unsigned) }
    }

    @Test func `cannot be signed with the public key as an HMAC secret`() throws {
        let pem = try TestKeys.rsa.get().verificationKey.pem()
        let text = compactToken(
            header: #"{"alg":"HS256"}"#, claims: #"{"sub":"s","iss":"tve.example.net","iat":1,"nbf":1}"#
        ) {
            HMACKey(Secret(pem), hash: .sha256).authenticationCode(for: $0)
        }
        #expect(throws: JSONWebTokenError.wrongAlgorithm) { try Self.read(text) }
    }

    @Test func `is malformed unless it is three parts of unpadded Base 64 with a JSON header`() throws {
        let text = try Self.statement.signed(by: TestKeys.rsa.get())
        let parts = text.split(separator: ".").map(String.init)
        for other in [
            "", ".", "..", "...", parts[0], parts[0] + "." + parts[1], text + ".", "." + text, text + ".x",
            parts[0] + "=." + parts[1] + "." + parts[2], "x." + parts[1] + "." + parts[2],
            parts[0] + "." + parts[1] + ".*", Base64.encodeURL("[]".utf8) + "." + parts[1] + "." + parts[2],
            Base64.encodeURL("{}".utf8) + "." + parts[1] + "." + parts[2],
            Base64.encodeURL(#"{"alg":1}"#.utf8) + "." + parts[1] + "." + parts[2],
            text + String(repeating: "A", count: 16_384), String(repeating: " ", count: 40_000) + text,
            try Self.token(header: #"{"alg":"RS256","crit":["exp"],"exp":1}"#, claims: "{}"),
        ] {
            #expect(throws: JSONWebTokenError.malformed) { try Self.read(other) }
        }
    }

    @Test("is refused for its signature before its claims are looked at")
    func signature() throws {
        let text = try Self.statement.signed(by: TestKeys.rsa.get())
        #expect(throws: JSONWebTokenError.badSignature) {
            try Self.read(text, trusting: [TestKeys.otherRSA.get().publicKey])
        }
        #expect(throws: JSONWebTokenError.badSignature) { try Self.read(text, trusting: []) }
        let forged = try compactToken(header: #"{"alg":"RS256"}"#, claims: "no claims") {
            try TestKeys.otherRSA.get().signature(for: $0)
        }
        #expect(throws: JSONWebTokenError.badSignature) { try Self.read(forged) }
        let empty = compactToken(header: #"{"alg":"RS256"}"#, claims: "{}") { _ in [] }
        #expect(throws: JSONWebTokenError.badSignature) { try Self.read(empty) }
    }

    @Test(
        "is refused for its claims when one is missing, of the wrong type, empty, or of another issuer",
        arguments: [
            "no claims", "[]", "{}", #"{"iss":"tve.example.net","iat":1,"nbf":1}"#, #"{"sub":"s","iat":1,"nbf":1}"#,
            #"{"sub":"s","iss":"tve.example.net","nbf":1}"#, #"{"sub":"s","iss":"tve.example.net","iat":1}"#,
            #"{"sub":1,"iss":"tve.example.net","iat":1,"nbf":1}"#,
            #"{"sub":"s","iss":"tve.example.net","iat":"1","nbf":1}"#,
            #"{"sub":"","iss":"tve.example.net","iat":1,"nbf":1}"#,
            #"{"sub":"s","iss":"other.example","iat":1,"nbf":1}"#,
            #"{"sub":"s","iss":"tve.example.net","iat":1e300,"nbf":1}"#,
            #"{"sub":"s","iss":"tve.example.net","iat":1,"nbf":-1}"#,
            #"{"sub":"s","software_id":"","iss":"tve.example.net","iat":1,"nbf":1}"#,
        ])
    func claims(_ claims: String) throws {
        let text = try Self.token(claims: claims)
        #expect(throws: JSONWebTokenError.badClaims) { try Self.read(text) }
    }

    @Test func `is not yet valid until a minute before its time, to the millisecond`() throws {
        let text = try Self.statement.signed(by: TestKeys.rsa.get())
        #expect(try Self.read(text, at: Self.now - .seconds(60)) == Self.statement)
        #expect(throws: JSONWebTokenError.notYetValid) {
            try Self.read(text, at: Self.now - .seconds(60) - .milliseconds(1))
        }
    }

    @Test("that was changed is refused, or differs in white space only")
    func mutations() throws {
        let text = try Self.statement.signed(by: TestKeys.rsa.get())
        for changed in Mutations(of: [text], count: 3000, seed: 19) where (try? Self.read(changed)) != nil {
            #expect(changed.filter { !$0.isWhitespace } == text)
        }
    }
}

@Suite("An access token")
struct AccessTokenTests {
    static let now = Timestamp(seconds: 1_767_225_600)
    static let claims = AccessTokenClaims(
        clientID: "5f0c2b7e-3f42-4a57-9a55-0c7d1be7a0d4", issuer: "tve.example.net", issuedAt: now, notBefore: now,
        expiresAt: now + .seconds(21_600), scopes: [.clientV1, .temporaryPasses],
        id: "6a7f0d0e-2f5b-4d1c-8a0b-90a1f2ce77b2")

    private static func read(
        _ text: String, trusting keys: [ECPublicKey]? = nil, at now: Timestamp = now
    ) throws -> AccessTokenClaims {
        try AccessTokenClaims(
            reading: text, trusting: keys ?? [TestKeys.ec.get().publicKey], issuer: "tve.example.net", at: now)
    }

    private static func token(header: String = #"{"alg":"ES256"}"#, claims: String) throws -> String {
        try compactToken(header: header, claims: claims) { try TestKeys.ec.get().joseSignature(for: $0) }
    }

    @Test("comes back as it was, also under the older of two keys, and has the claims clients look at")
    func roundTrip() throws {
        let text = try Self.claims.signed(by: TestKeys.ec.get())
        #expect(try Self.read(text) == Self.claims)
        let keys = try [TestKeys.otherEC.get().publicKey, TestKeys.ec.get().publicKey]
        #expect(try Self.read(text, trusting: keys) == Self.claims)
        let payload = String(decoding: try #require(Base64.decodeURL(text.split(separator: ".")[1])), as: UTF8.self)
        #expect(payload.contains(#""exp":1767247200,"#))
        #expect(payload.contains(#""scopes":"api:client:v1 temporary:passes:owner""#))
    }

    @Test func `expires a minute after its time, to the millisecond, and begins a minute before`() throws {
        let text = try Self.claims.signed(by: TestKeys.ec.get())
        let end = Self.claims.expiresAt + .seconds(60)
        #expect(try Self.read(text, at: end - .milliseconds(1)) == Self.claims)
        #expect(throws: JSONWebTokenError.expired) { try Self.read(text, at: end) }
        #expect(try Self.read(text, at: Self.now - .seconds(60)) == Self.claims)
        #expect(throws: JSONWebTokenError.notYetValid) {
            try Self.read(text, at: Self.now - .seconds(60) - .milliseconds(1))
        }
    }

    @Test("is refused under other keys, other algorithms and with a DER signature")
    func signature() throws {
        let text = try Self.claims.signed(by: TestKeys.ec.get())
        #expect(throws: JSONWebTokenError.badSignature) {
            try Self.read(text, trusting: [TestKeys.otherEC.get().publicKey])
        }
        #expect(throws: JSONWebTokenError.badSignature) { try Self.read(text, trusting: []) }
        let der = try compactToken(header: #"{"alg":"ES256"}"#, claims: "{}") {
            try TestKeys.ec.get().signature(for: $0)
        }
        #expect(throws: JSONWebTokenError.badSignature) { try Self.read(der) }
        let statement = try SoftwareStatementTests.statement.signed(by: TestKeys.rsa.get())
        #expect(throws: JSONWebTokenError.wrongAlgorithm) { try Self.read(statement) }
        #expect(throws: JSONWebTokenError.wrongAlgorithm) {
            try Self.read(try Self.token(header: #"{"alg":"none"}"#, claims: "{}"))
        }
        #expect(throws: JSONWebTokenError.malformed) { try Self.read(" " + text) }
    }

    @Test(
        "is refused for its claims when one is missing, of the wrong type, or of another issuer",
        arguments: [
            "{}", #"{"sub":"s","iss":"tve.example.net","iat":1,"nbf":1,"exp":9e9,"scopes":"api:client:v1"}"#,
            #"{"sub":"s","iss":"x","iat":1,"nbf":1,"exp":9e9,"scopes":"","id":"i"}"#,
            #"{"sub":"s","iss":"tve.example.net","iat":1,"nbf":1,"scopes":"","id":"i"}"#,
            #"{"sub":"s","iss":"tve.example.net","iat":1,"nbf":1,"exp":"9","scopes":"","id":"i"}"#,
            #"{"sub":"s","iss":"tve.example.net","iat":1,"nbf":1,"exp":9e9,"scopes":["api:client:v1"],"id":"i"}"#,
            #"{"sub":"","iss":"tve.example.net","iat":1,"nbf":1,"exp":9e9,"scopes":"","id":"i"}"#,
            #"{"sub":"s","iss":"tve.example.net","iat":1,"nbf":1,"exp":9e9,"scopes":"","id":""}"#,
        ])
    func claims(_ claims: String) throws {
        let text = try Self.token(claims: claims)
        #expect(throws: JSONWebTokenError.badClaims) { try Self.read(text) }
    }

    @Test func `take the names of the field, all five together, with commas or spaces`() {
        let field = "config:client,decisions:client,platform:sso,profile:client,tokens:client"
        for text in [
            field, field.replacing(",", with: " "), "x,\(field), api:client:v1", field.replacing(",", with: ", "),
        ] {
            #expect(Scope.set(from: text) == [.clientV1], "\(text)")
        }
        #expect(Scope.set(from: "config:client,decisions:client,platform:sso,profile:client").isEmpty)
        #expect(Scope.set(from: "devices:owner,api:client:v2") == [.devices, .clientV2])
        #expect(Scope.isKnown("platform:sso") && !Scope.isKnown("x"))
    }

    @Test func `leaves out scopes it does not know`() throws {
        let text = try Self.token(
            claims:
                #"{"sub":"s","iss":"tve.example.net","iat":1,"nbf":1,"exp":9e9,"scopes":"x  api:client:v2 y","id":"i"}"#
        )
        #expect(try Self.read(text).scopes == [.clientV2])
        #expect(Scope.set(from: Scope.text(for: Set(Scope.allCases))) == Set(Scope.allCases))
        #expect(Scope.allCases.count == 8)
    }

    @Test("that was changed in any way is refused")
    func mutations() throws {
        let text = try Self.claims.signed(by: TestKeys.ec.get())
        for changed in Mutations(of: [text], count: 3000, seed: 23) where (try? Self.read(changed)) != nil {
            #expect(changed == text)
        }
    }
}
