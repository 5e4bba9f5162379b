import Clientless
import Cryptography
import FoundationEssentials
import MediaTokenVerifier
import TestSupport
import Testing

@Suite("The media token verifier")
struct MediaTokenVerifierTests {
    struct Vector: Decodable {
        struct Check: Decodable { let at, resource, result: String }

        let publicKey, requestor, element, signature: String
        let checks: [Check]
        let changedElement: String

        var document: String { "<signatureInfo>\(self.signature)</signatureInfo>\(self.element)" }
        var verifier: MediaTokenVerifier {
            get throws { try MediaTokenVerifier(requestor: self.requestor, trustedKeys: [self.publicKey]) }
        }
    }

    static let issueTime = Date(timeIntervalSince1970: 1_767_225_600)
    static let rsa = Result { try RSAPrivateKey.generate() }
    static let ec = Result { try ECPrivateKey.generate() }

    static func vector() throws -> Vector { try Vectors.load("media-token") }

    @Test func `gives the four results of the specification`() throws {
        let vector = try Self.vector()
        let verifier = try vector.verifier
        #expect(vector.checks.count == 3)
        for check in vector.checks {
            let now = try Date(check.at, strategy: .iso8601)
            let verification = verifier.verify(vector.document, resource: check.resource, at: now)
            #expect(verification.result.rawValue == check.result)
            #expect(verification.isValid == (check.result == "VALID_TOKEN"))
        }
    }

    @Test func `finds the signature of no other element, whichever byte of it changed`() throws {
        let vector = try Self.vector()
        let verifier = try vector.verifier
        let element = Array(vector.element.utf8)
        var bySignature = 0
        for index in element.indices {
            var changed = element
            changed[index] ^= 1
            let text = "<signatureInfo>\(vector.signature)</signatureInfo>" + String(decoding: changed, as: UTF8.self)
            let verification = verifier.verify(text, at: Self.issueTime)
            // A byte of the markup makes it no token at all, which is found first.
            #expect([.invalidSignature, .invalidTokenFormat].contains(verification.result), "byte \(index)")
            #expect(verification.token == nil)
            if verification.result == .invalidSignature { bySignature += 1 }
        }
        #expect(bySignature > 40)
        let changed = vector.document.replacing("North Sport HD", with: "North Sport SD")
        #expect(verifier.verify(changed, at: Self.issueTime).result.rawValue == vector.changedElement)
    }

    @Test func `tells what a genuine token says, even when it is not valid now`() throws {
        let vector = try Self.vector()
        for now in [Self.issueTime, Self.issueTime + 3600] {
            let token = try #require(try vector.verifier.verify(vector.document, at: now).token)
            #expect(token.resourceID == "North Sport HD")
            #expect(token.issueTime == Self.issueTime)
            #expect(token.timeToLive == .seconds(420))
            #expect(token.expirationTime == Self.issueTime + 420)
            #expect(token.sessionGUID == "8b4e2f0c5d7a9163")
            #expect(token.mvpdID == "CableNova")
            #expect(token.proxyMVPDID == nil)
            #expect(token.fingerprint == Hex.encode(Digest.sha256(vector.element.utf8)))
        }
    }

    @Test func `ends a token at the very second, and admits one from five minutes ahead`() throws {
        let vector = try Self.vector()
        let verifier = try vector.verifier
        for (seconds, result) in [
            (419.999, VerificationResult.validToken), (420, .tokenExpired), (420.001, .tokenExpired),
            (-300, .validToken),
            (-300.001, .tokenExpired), (.infinity, .tokenExpired), (-.infinity, .tokenExpired), (.nan, .tokenExpired),
            (1e30, .tokenExpired),
        ] {
            #expect(verifier.verify(vector.document, at: Self.issueTime + seconds).result == result, "\(seconds)")
        }
    }

    @Test func `checks in order: format, signature, time, resource`() throws {
        let vector = try Self.vector()
        let verifier = try vector.verifier
        let late = Self.issueTime + 3600
        let forged = vector.document.replacing("nmto", with: "nmtp")
        #expect(verifier.verify(forged, resource: "Other", at: late).result == .invalidSignature)
        #expect(verifier.verify(vector.document, resource: "Other", at: late).result == .tokenExpired)
        #expect(verifier.verify(vector.document, resource: "Other", at: Self.issueTime).result == .invalidResourceID)
        #expect(verifier.verify(vector.document, resource: "", at: Self.issueTime).result == .invalidResourceID)
        #expect(
            verifier.verify(vector.document, resource: " North Sport HD\n", at: Self.issueTime).result == .validToken)
        #expect(verifier.verify(vector.document, resource: nil, at: Self.issueTime).result == .validToken)
        let other = try MediaTokenVerifier(requestor: "SOUTHSPORT", trustedKeys: [vector.publicKey])
        #expect(other.verify(forged, at: late).result == .invalidTokenFormat)
        #expect(VerificationResult.allCases.count == 6)
    }

    @Test func `takes a token however it arrives`() throws {
        let vector = try Self.vector()
        let verifier = try vector.verifier
        let base64 = Data(vector.document.utf8).base64EncodedString()
        var folded = base64
        folded.insert(contentsOf: "\r\n ", at: folded.index(folded.startIndex, offsetBy: 76))
        for token in [
            vector.document, base64, " \(base64)\n", folded,
            base64.replacing("+", with: "%2B").replacing("=", with: "%3d"),
            base64.replacing("+", with: "-").replacing("/", with: "_"), String(base64.prefix { $0 != "=" }),
            " \(vector.document) ", vector.document.replacing("</signatureInfo>", with: "<signatureInfo>"),
        ] {
            #expect(verifier.verify(token, resource: "North Sport HD", at: Self.issueTime).isValid, "\(token)")
        }
    }

    @Test func `takes a token whose plus signs became spaces`() throws {
        // The length decides where plus signs fall; one of three in a row is the last symbol.
        var last = 0
        for padding in 0..<12 {
            let resource = String(repeating: "x", count: padding) + "~>~>~>ß÷þ"
            let token = try Self.token(resource, signedBy: Self.ec.get())
            try #require(token.contains("+"))
            if token.hasSuffix("+") { last += 1 }
            let verifier = try Self.verifier(Self.ec.get())
            let spaced = token.replacing("+", with: " ")
            for text in [token, spaced, "\r\n  \(spaced)", "\(spaced)\r\n", "\(spaced)  "] {
                #expect(verifier.verify(text, resource: resource, at: Self.issueTime).isValid)
            }
        }
        #expect(last > 0)
    }

    @Test(arguments: [
        "", " ", "<", "<a/>", "abc", "%", "%4", "PHNpZ25hdHVyZUluZm8+", "<signatureInfo></signatureInfo>",
        "<signatureInfo>AAAA</signatureInfo><shortAuthorizationToken></shortAuthorizationToken>",
        String(repeating: "A", count: 131_073), String(repeating: "<", count: 131_072), "\u{0}", "ÄÖÜ",
    ])
    func `finds no token in other texts`(_ token: String) throws {
        let verification = try Self.vector().verifier.verify(token, at: Self.issueTime)
        #expect(verification.result == .invalidTokenFormat)
        #expect(verification.token == nil)
    }

    @Test func `trusts several keys, of either kind, as separate texts or in one`() throws {
        let vector = try Self.vector()
        let rsa = try Self.rsa.get().verificationKey.pem()
        let ec = try Self.ec.get().verificationKey.pem()
        let tokens = [
            vector.document, try Self.token("North Sport HD", signedBy: Self.rsa.get()),
            try Self.token("North Sport HD", signedBy: Self.ec.get()),
        ]
        for keys in [[ec, rsa, vector.publicKey], [ec + rsa + vector.publicKey], [rsa + ec, vector.publicKey]] {
            let verifier = try MediaTokenVerifier(requestor: "NORTHSPORT", trustedKeys: keys)
            for token in tokens { #expect(verifier.verify(token, at: Self.issueTime).isValid) }
        }
        let verifier = try MediaTokenVerifier(requestor: "NORTHSPORT", trustedKeys: [rsa])
        #expect(
            tokens.map { verifier.verify($0, at: Self.issueTime).result } == [
                .invalidSignature, .validToken, .invalidSignature,
            ])
    }

    @Test func `cannot be made without a requestor and keys it can use`() throws {
        let key = try Self.vector().publicKey
        #expect(throws: MediaTokenVerifierError.invalidRequestor) {
            try MediaTokenVerifier(requestor: "NORTH SPORT", trustedKeys: [key])
        }
        #expect(throws: MediaTokenVerifierError.noTrustedKey) {
            try MediaTokenVerifier(requestor: "N", trustedKeys: [])
        }
        #expect(throws: MediaTokenVerifierError.unusableKey(at: 1)) {
            try MediaTokenVerifier(requestor: "N", trustedKeys: [key, "no key"])
        }
        #expect("\(MediaTokenVerifierError.unusableKey(at: 1))".contains("key 1"))
    }

    @Test func `accepts a changed token only when it is the same token in another form`() throws {
        let vector = try Self.vector()
        let verifier = try vector.verifier
        let base64 = Data(vector.document.utf8).base64EncodedString()
        let fingerprint = Hex.encode(Digest.sha256(vector.element.utf8))
        var accepted = 0
        for token in Mutations(of: [vector.document, base64], count: 10_000, seed: 31) {
            let verification = verifier.verify(token, resource: "North Sport HD", at: Self.issueTime)
            guard verification.isValid else { continue }
            #expect(verification.token?.fingerprint == fingerprint)
            accepted += 1
        }
        #expect(accepted < 1000)
    }

    static func verifier(_ key: some SigningKey) throws -> MediaTokenVerifier {
        try MediaTokenVerifier(requestor: "NORTHSPORT", trustedKeys: [key.verificationKey.pem()])
    }

    static func token(_ resource: String, signedBy key: some SigningKey) throws -> String {
        let content = MediaTokenDocument(
            sessionGUID: "g", requestor: try #require(RequestorID("NORTHSPORT")),
            resource: try #require(Resource(resource)),
            timeToLive: .seconds(420), issueTime: Timestamp(seconds: 1_767_225_600),
            mvpd: try #require(MVPDID("CableNova")))
        return Base64.encode(try SignedTokenDocument(element: try content.element(), signedBy: key).text.utf8)
    }
}
