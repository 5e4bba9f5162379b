import Testing

@testable import Providers

/// One signed piece must not lend its signature to another. Each case takes a response the provider did send and puts
/// an assertion of the attacker's where a careless reader would look for it.
@Suite("A signature does not cover", .timeLimit(.minutes(5)))
struct SignatureWrappingTests {
    let provider: IdentityProvider
    /// A response with a signed assertion, and its pieces.
    let response: String
    let assertion: String
    let signature: String
    let id: String

    init() throws {
        self.provider = try IdentityProvider.shared.get()
        self.response = try self.provider.response("plain")
        self.assertion = try self.response.piece("<saml:Assertion ", "</saml:Assertion>")
        self.signature = try self.response.piece("<Signature ", "</Signature>")
        let start = try #require(self.assertion.firstRange(of: " ID=\"")).upperBound
        self.id = String(self.assertion[start...].prefix { $0 != "\"" })
    }

    /// The attacker's assertion: another viewer, another ID, no signature.
    private var forged: String {
        self.assertion.replacing(self.signature, with: "").replacing(self.id, with: "_forged")
            .replacing(">viewer-17<", with: ">viewer-18<")
    }

    private func refusal(replacingAssertionBy other: String) async throws -> String? {
        let response = self.response.replacing(self.assertion, with: other)
        #expect(response != self.response)
        return try await self.provider.refusal(of: response)
    }

    @Test("an assertion before or after the signed one")
    func siblings() async throws {
        for pieces in [self.forged + self.assertion, self.assertion + self.forged, self.assertion + self.assertion] {
            #expect(try await self.refusal(replacingAssertionBy: pieces) == AssertionFault.assertionCount.detail)
        }
    }

    @Test func `an assertion the signed one was hidden in`() async throws {
        let places = ["<saml:Subject>", "<saml:Conditions ", "</saml:Assertion>"]
        for place in places {
            let advice = "<saml:Advice>\(self.assertion)</saml:Advice>"
            let nested = self.forged.replacing(place, with: advice + place)
            #expect(nested != self.forged)
            #expect(try await self.refusal(replacingAssertionBy: nested) == AssertionFault.assertionCount.detail)
        }
    }

    @Test func `an assertion that carries the signature over the signed one in an object of it`() async throws {
        let object = self.signature.replacing("</Signature>", with: "<Object>\(self.assertion)</Object></Signature>")
        let wrapped = self.forged.replacing("<saml:Subject>", with: object + "<saml:Subject>")
        #expect(try await self.refusal(replacingAssertionBy: wrapped) == AssertionFault.assertionCount.detail)
    }

    @Test func `an assertion beside the signed one, which was moved to where extensions go`() async throws {
        let pieces = "<samlp:Extensions>\(self.assertion)</samlp:Extensions>\(self.forged)"
        #expect(try await self.refusal(replacingAssertionBy: pieces) == AssertionFault.assertionCount.detail)
    }

    @Test func `an assertion alone in the wrong place`() async throws {
        let hidden = "<samlp:Extensions>\(self.assertion)</samlp:Extensions>"
        #expect(try await self.refusal(replacingAssertionBy: hidden) == AssertionFault.assertionCount.detail)
    }

    @Test func `an element with another ID, no ID, or one that is not alone`() async throws {
        let cases: [(String, String, AssertionFault)] = [
            ("URI=\"#\(self.id)\"", "URI=\"\"", .signatureReference),
            ("URI=\"#\(self.id)\"", "URI=\"#_other\"", .signatureReference),
            ("URI=\"#\(self.id)\"", "URI=\"https://other.example/\"", .signatureReference),
            (" ID=\"\(self.id)\"", "", .missingID),
            (" ID=\"\(self.id)\"", " ID=\"_forged\"", .signatureReference),
            ("<saml:Subject>", "<saml:Subject ID=\"\(self.id)\">", .repeatedID),
            ("<saml:Subject>", "<saml:Subject xml:id=\"_other\">", .repeatedID),
            ("</SignedInfo>", "<Reference URI=\"#\(self.id)\"/></SignedInfo>", .signatureReference),
            ("</SignedInfo>", "</SignedInfo><SignedInfo/>", .signatureReference),
            ("<KeyInfo>", "<Object/><KeyInfo>", .signatureReference),
            (self.signature, self.signature + self.signature, .misplacedSignature),
            (self.signature, "", .unsigned),
        ]
        for (old, new, fault) in cases {
            let altered = self.assertion.replacing(old, with: new)
            #expect(altered != self.assertion)
            #expect(try await self.refusal(replacingAssertionBy: altered) == fault.detail, "\(new.prefix(80))")
        }
    }

    @Test func `anything when it lies elsewhere than in the response or the assertion`() async throws {
        let moved = self.assertion.replacing(self.signature, with: "")
            .replacing("<saml:Subject>", with: "<saml:Subject>\(self.signature)")
        #expect(try await self.refusal(replacingAssertionBy: moved) == AssertionFault.misplacedSignature.detail)
    }

    @Test func `what a transform, a weak method or a shortened comparison makes of the element`() async throws {
        let exclusive = "<Transform Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"/>"
        let (other, more) = ("http://www.w3.org/TR/1999/", "http://www.w3.org/2001/04/xmldsig-more#")
        let cases = [
            (exclusive, "<Transform Algorithm=\"\(other)REC-xpath-19991116\"><XPath>/</XPath></Transform>"),
            (exclusive, "<Transform Algorithm=\"\(other)REC-xslt-19991116\"/>"),
            (exclusive, "<Transform/>"),
            (exclusive, exclusive + exclusive),
            ("http://www.w3.org/2000/09/xmldsig#enveloped-signature", "http://www.w3.org/2001/10/xml-exc-c14n#"),
            ("\(more)rsa-sha256", "\(more)hmac-sha256"),
            ("\(more)rsa-sha256", "http://www.w3.org/2000/09/xmldsig#rsa-sha1"),
            ("\(more)rsa-sha256", "\(more)rsa-md5"),
            ("http://www.w3.org/2001/04/xmlenc#sha256", "http://www.w3.org/2000/09/xmldsig#sha1"),
            ("rsa-sha256\"/>", "rsa-sha256\"><HMACOutputLength>8</HMACOutputLength></SignatureMethod>"),
        ]
        for (old, new) in cases {
            let altered = self.assertion.replacing(old, with: new)
            #expect(altered != self.assertion)
            let refusal = try await self.refusal(replacingAssertionBy: altered)
            #expect(refusal == AssertionFault.signatureAlgorithm.detail, "\(new)")
        }
    }

    @Test func `a response that was put around the signed one`() async throws {
        let signed = try self.provider.response("whole")
        let signature = try signed.piece("<Signature ", "</Signature>")
        let start = try #require(signed.firstRange(of: " ID=\"")).upperBound
        let id = String(signed[start...].prefix { $0 != "\"" })
        let forged = signed.replacing(signature, with: "").replacing(id, with: "_forged")
            .replacing(">viewer-17<", with: ">viewer-18<")
        let hidden = "<samlp:Extensions>\(signed)</samlp:Extensions>"
        for piece in [signature + hidden, hidden] {
            let wrapped = forged.replacing("<samlp:Status>", with: piece + "<samlp:Status>", maxReplacements: 1)
            #expect(try await self.provider.refusal(of: wrapped) == AssertionFault.assertionCount.detail)
        }
        let relabelled = forged.replacing("<samlp:Status>", with: signature + "<samlp:Status>")
        #expect(try await self.provider.refusal(of: relabelled) == AssertionFault.signatureReference.detail)
    }
}
