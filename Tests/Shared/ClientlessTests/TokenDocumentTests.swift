import Clientless
import Cryptography
import TestSupport
import Testing

@Suite("Token documents")
struct TokenDocumentTests {
    struct Vector: Decodable { let publicKey, requestor, element, signature: String }

    static let requestor = RequestorID("NORTHSPORT")!
    static let mvpd = MVPDID("CableNova")!
    static let authentication = AuthenticationTokenDocument(
        guid: "8b4e2f0c5d7a9163", requestor: requestor, domainName: "north-sport.example",
        expiresAt: Timestamp(seconds: 1_769_817_600), mvpd: mvpd, deviceFingerprint: "70b85e5d",
        nameID: "c1f0a7d2b94e5e83",
        sessionIndex: "s-771")
    static let authorization = AuthorizationTokenDocument(
        requestor: requestor, resource: Resource("North Sport HD")!, expiresAt: Timestamp(seconds: 1_767_312_000),
        mvpd: mvpd, deviceFingerprint: "70b85e5d")

    static func media(_ resource: String = "North Sport HD", proxy: MVPDID? = nil) throws -> MediaTokenDocument {
        MediaTokenDocument(
            sessionGUID: "8b4e2f0c5d7a9163", requestor: Self.requestor, resource: try #require(Resource(resource)),
            timeToLive: .seconds(420), issueTime: Timestamp(seconds: 1_767_225_600), mvpd: Self.mvpd, proxyMVPD: proxy)
    }

    @Test func `are written as the specification prints them, and come back`() throws {
        let authentication = """
            <simpleAuthenticationToken><simpleTokenAuthenticationGuid>8b4e2f0c5d7a9163</simpleTokenAuthenticationGuid>\
            <simpleTokenRequestorID>NORTHSPORT</simpleTokenRequestorID><simpleTokenDomainName>north-sport.example\
            </simpleTokenDomainName><simpleTokenExpires>2026/01/31 00:00:00 GMT +0000</simpleTokenExpires><simpleTokenMsoID>\
            CableNova</simpleTokenMsoID><simpleTokenDeviceID><simpleTokenFingerprint>70b85e5d</simpleTokenFingerprint>\
            </simpleTokenDeviceID><simpleSamlNameID>c1f0a7d2b94e5e83</simpleSamlNameID><simpleSamlSessionIndex>s-771\
            </simpleSamlSessionIndex></simpleAuthenticationToken>
            """
        #expect(try Self.authentication.element() == authentication)
        #expect(try AuthenticationTokenDocument(element: authentication) == Self.authentication)

        let authorization = """
            <simpleAuthorizationToken><simpleTokenRequestorID>NORTHSPORT</simpleTokenRequestorID><simpleTokenResourceID>\
            North Sport HD</simpleTokenResourceID><simpleTokenTTL>2026/01/02 00:00:00 GMT +0000</simpleTokenTTL>\
            <simpleTokenMsoID>CableNova</simpleTokenMsoID><simpleTokenDeviceID><simpleTokenFingerprint>70b85e5d\
            </simpleTokenFingerprint></simpleTokenDeviceID></simpleAuthorizationToken>
            """
        #expect(try Self.authorization.element() == authorization)
        #expect(try AuthorizationTokenDocument(element: authorization) == Self.authorization)

        let vector = try Vectors.load("media-token", as: Vector.self)
        #expect(try Self.media().element() == vector.element)
        #expect(try MediaTokenDocument(element: vector.element) == Self.media())
        let document = try SignedTokenDocument(
            parsing: "<signatureInfo>\(vector.signature)</signatureInfo>\(vector.element)")
        #expect(document.element == vector.element)
        #expect(document.isSigned(byOneOf: [try VerificationKey(pem: vector.publicKey)]))
        #expect(!document.isSigned(byOneOf: []))
    }

    @Test func `are signed over the exact bytes of the element, with keys of either kind`() throws {
        let keys: [any SigningKey] = [try TestKeys.rsa.get(), try TestKeys.ec.get()]
        let element = try Self.media("Süd & <West>\t\"HD\"", proxy: MVPDID("Proxy")).element()
        #expect(!element.contains("\n") && !element.contains("\t"))
        for key in keys {
            let document = try SignedTokenDocument(element: element, signedBy: key)
            #expect(document.text.hasPrefix("<signatureInfo>"))
            let copy = try SignedTokenDocument(parsing: document.text)
            #expect(copy == document)
            #expect(copy.isSigned(byOneOf: [key.verificationKey]))
            #expect(copy.isSigned(byOneOf: [try TestKeys.otherRSA.get().verificationKey, key.verificationKey]))
            #expect(
                !copy.isSigned(byOneOf: [
                    try TestKeys.otherRSA.get().verificationKey, try TestKeys.otherEC.get().verificationKey,
                ]))
            let changed = try SignedTokenDocument(parsing: document.text.replacing("8b4e", with: "8b4f"))
            #expect(!changed.isSigned(byOneOf: [key.verificationKey]))
            #expect(try MediaTokenDocument(element: copy.element).resource.text == "Süd & <West>\t\"HD\"")
            #expect(try MediaTokenDocument(element: copy.element).proxyMVPD == MVPDID("Proxy"))
        }
    }

    @Test("are read with the misprinted terminator, with white space between elements, and with other dates")
    func tolerance() throws {
        let element = try Self.media().element()
        for text in [
            "<signatureInfo>AAAA<signatureInfo>\(element)", " <signatureInfo>\nAA AA\n</signatureInfo>\n  \(element)\n",
        ] {
            let document = try SignedTokenDocument(parsing: text)
            #expect(document.signature == [0, 0, 0])
            #expect(document.element == element)
        }
        let pretty = element.replacing("><", with: ">\n  <")
        #expect(
            try MediaTokenDocument(element: pretty.replacing("<proxyMvpdId>\n  <", with: "<proxyMvpdId><"))
                == Self.media())
        for date in [
            "2026-01-01 00:00:00 +0000", "2026-01-01T00:00:00Z", "1767225600000", "2026/01/01 02:00:00 GMT +0200",
        ] {
            #expect(
                try MediaTokenDocument(element: element.replacing("2026/01/01 00:00:00 GMT +0000", with: date))
                    == Self.media())
        }
        let withoutNames = try Self.authentication.element().replacing(
            "<simpleSamlNameID>c1f0a7d2b94e5e83</simpleSamlNameID>", with: "")
        #expect(try AuthenticationTokenDocument(element: withoutNames).nameID == "")
        let newer = element.replacing("</shortAuthorizationToken>", with: "<later>1</later></shortAuthorizationToken>")
        #expect(try MediaTokenDocument(element: newer) == Self.media())
    }

    @Test(arguments: [
        "", "<signatureInfo>", "<signatureInfo></signatureInfo><a></a>", "<signatureInfo>AAAA</signatureInfo>",
        "<signatureInfo>AAAA</signatureInfo> ", "<signatureInfo>AAAA</signatureInfo>text", "<a></a>",
        "<signatureInfo>A*AA</signatureInfo><a></a>", "<signatureInfo>AAAA</signature><a></a>",
        "x<signatureInfo>AAAA</signatureInfo><a></a>", "<signatureInfo>AAAA</signatureInfo><a></a>x",
        "<signatureInfo>AAAA</signatureInfo>" + String(repeating: "<a></a>", count: 10_000),
    ])
    func `are malformed without their two elements`(_ text: String) {
        let error = #expect(throws: TokenDocumentError.self) { try SignedTokenDocument(parsing: text) }
        #expect(error?.code == .malformed)
    }

    @Test func `are refused when an element is missing, empty, unreadable, or there twice`() throws {
        let element = try Self.media().element()
        for (part, replacement) in [
            ("<sessionGUID>8b4e2f0c5d7a9163</sessionGUID>", ""), ("8b4e2f0c5d7a9163", ""),
            ("NORTHSPORT", "NORTH SPORT"),
            ("North Sport HD", " "), ("<ttl>420000</ttl>", ""), ("420000", "-1"), ("420000", "4e5"), ("420000", ""),
            ("420000", "+420000"), ("420000", "99999999999999999999"), ("420000", "1000000000001"),
            ("2026/01/01 00:00:00 GMT +0000", "today"), ("CableNova", ""), ("<proxyMvpdId></proxyMvpdId>", ""),
            ("<proxyMvpdId>", "<proxyMvpdId>a b"), ("<ttl>", "<ttl>1</ttl><ttl>"),
            ("<resourceID>", "<resourceID>Other</resourceID><resourceID>"), ("420000", "<x>420000</x>"),
        ] {
            let changed = element.replacing(part, with: replacement)
            #expect(changed != element)
            let error = #expect(throws: TokenDocumentError.self, "\(part)") { try MediaTokenDocument(element: changed) }
            #expect(error?.code == .invalidElement, "\(part)")
        }
        for other in [
            "", "<shortAuthorizationToken>", element + element, element + "<x/>", "<x>\(element)</x>",
            element.replacing("</ttl>", with: "</tt>"), "<!DOCTYPE x>" + element,
            try Self.authorization.element(),
            element.replacing("shortAuthorizationToken", with: "ShortAuthorizationToken"),
        ] {
            let error = #expect(throws: TokenDocumentError.self) { try MediaTokenDocument(element: other) }
            #expect(error?.code == .malformed, "\(other)")
        }
    }

    @Test func `are not written when a value cannot be carried or must not be empty`() throws {
        let error = #expect(throws: TokenDocumentError.self) { try Self.media("North\u{1}Sport").element() }
        #expect(error?.code == .forbiddenCharacter)
        #expect(error?.element == "resourceID")
        let nameless = AuthenticationTokenDocument(
            guid: "g", requestor: Self.requestor, domainName: "", expiresAt: Timestamp(seconds: 0), mvpd: Self.mvpd,
            deviceFingerprint: "f", nameID: "", sessionIndex: "s")
        #expect(throws: TokenDocumentError.self) { try nameless.element() }
        #expect(
            "\(try SignedTokenDocument(parsing: "<signatureInfo>AAAA</signatureInfo><a></a>"))" == "<token document>")
    }

    @Test func `end exactly after their time to live, and may begin five minutes ahead`() throws {
        let token = try Self.media()
        let issue = Timestamp(seconds: 1_767_225_600)
        #expect(!token.isExpired(at: issue + .milliseconds(419_999)))
        #expect(token.isExpired(at: issue + .milliseconds(420_000)))
        #expect(!token.isExpired(at: issue - .seconds(300)))
        #expect(token.isExpired(at: issue - .milliseconds(300_001)))
    }

    @Test(arguments: ["'", "\"", "&", "\r", "ü", "<"])
    func `carry a resource of the greatest length whatever it is made of`(_ character: String) throws {
        let count = (Resource.maximumLength - 2) / character.utf8.count
        let resource = "x" + String(repeating: character, count: count) + "x"
        let element = try Self.media(resource).element()
        let document = try SignedTokenDocument(element: element, signedBy: try TestKeys.ec.get())
        #expect(
            try MediaTokenDocument(element: SignedTokenDocument(parsing: document.text).element).resource.text
                == resource)
    }

    @Test func `that were changed are refused, or say what they said`() throws {
        let key = try TestKeys.ec.get()
        let document = try SignedTokenDocument(element: try Self.media().element(), signedBy: key)
        var accepted = 0
        for text in Mutations(of: [document.text], count: 5000, seed: 29) {
            guard let changed = try? SignedTokenDocument(parsing: text) else { continue }
            // The reader of the element meets every text, genuine or not.
            let content = try? MediaTokenDocument(element: changed.element)
            guard changed.isSigned(byOneOf: [key.verificationKey]) else { continue }
            #expect(try content == Self.media())
            accepted += 1
        }
        #expect(accepted < 500)
    }
}
