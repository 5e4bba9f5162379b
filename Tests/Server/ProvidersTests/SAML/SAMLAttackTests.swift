import ClaimsMapping
import Cryptography
import Entitlement
import HTTPClient
import OpenIDConnect
import TestSupport
import Testing

@testable import Providers

/// What a hostile browser, programmer or network may try at a provider with SAML. The shapes of signature wrapping are
/// those of `SignatureWrappingTests`, here on the whole way of a sign-in.
@Suite("A provider with SAML refuses", .timeLimit(.minutes(5)))
struct SAMLAttackTests {
    private typealias Written = WrittenProvider

    private let written: WrittenProvider
    private let network: ScriptedNetwork
    private let provider: SAMLProvider

    init() throws {
        self.written = try WrittenProvider()
        self.network = ScriptedNetwork(try self.written.metadata())
        self.provider = try self.written.provider(self.network)
    }

    @Test("eight ways to wrap a signature")
    func wrapping() async throws {
        let response = try self.written.answer()
        let assertion = try response.piece("<saml:Assertion ", "</saml:Assertion>")
        let signature = try assertion.piece("<ds:Signature ", "</ds:Signature>")
        let forged = assertion.replacing(signature, with: "").replacing("_assertion-1", with: "_forged")
            .replacing(">viewer-17<", with: ">viewer-18<")
        let object = signature.replacing("</ds:Signature>", with: "<ds:Object>\(assertion)</ds:Object></ds:Signature>")
        let subject = "<saml:Subject>"
        let shapes = [
            // 1 to 3: beside each other, in either order, and with a copy of the signature in the forged one.
            forged + assertion, assertion + forged,
            forged.replacing(subject, with: signature + subject) + assertion.replacing(signature, with: ""),
            // 4 to 6: the signed one inside of the forged one, of its signature's object, of the extensions.
            forged.replacing(subject, with: "<saml:Advice>\(assertion)</saml:Advice>\(subject)"),
            forged.replacing(subject, with: object + subject),
            "<samlp:Extensions>\(assertion)</samlp:Extensions>\(forged)",
            // 7 and 8: the forged one inside of the signed one, and under its ID.
            assertion.replacing("<saml:Conditions ", with: "<saml:Advice>\(forged)</saml:Advice><saml:Conditions "),
            assertion.replacing(signature, with: "").replacing(">viewer-17<", with: ">viewer-18<")
                .replacing(subject, with: signature + subject),
        ]
        #expect(shapes.count == 8 && Set(shapes).count == 8)
        for (number, shape) in shapes.enumerated() {
            let wrapped = response.replacing(assertion, with: shape)
            #expect(wrapped != response)
            let refusal = try await Written.refusal(of: wrapped, by: self.provider)
            #expect(refusal.kind == .unproven, "shape \(number + 1)")
            // Before the library sees it, but for the last, whose place is right and whose content is not.
            if number < 7 { #expect(refusal.detail == "\(AssertionFault.assertionCount)", "shape \(number + 1)") }
        }
        // Alone in its place, with a signature that is about another one.
        let borrowed = response.replacing(assertion, with: forged.replacing(subject, with: signature + subject))
        #expect(
            try await Written.refusal(of: borrowed, by: self.provider)
                == ProviderError(.unproven, detail: "\(AssertionFault.signatureReference)"))
        guard case .accepted = try await Written.complete(self.provider, response) else { return #expect(Bool(false)) }
    }

    @Test func `an answer with two signatures, one of which is another's`() async throws {
        let (own, other) = (self.written.signature, self.written.otherSignature)
        let unverified = "\(AssertionFault.unverified(code: 0))".prefix(20)
        for takesSignedResponses in [false, true] {
            let provider = try self.written.provider(
                self.network, settings: { $0.takesSignedResponses = takesSignedResponses })
            for (assertion, response) in [(other, own), (own, other)] {
                let answer = Written.Answer(assertionSignature: assertion, signsResponse: true)
                let text = try self.written.answer(answer, signedBy: response)
                #expect(try await Written.refusal(of: text, by: provider).detail.hasPrefix(unverified))
            }
            guard
                case .accepted = try await Written.complete(
                    provider, try self.written.answer(Written.Answer(signsResponse: true)))
            else { return #expect(Bool(false)) }
        }
    }

    @Test("a comment in a viewer's name, a document type, an entity, an instruction")
    func markup() async throws {
        let response = try self.written.answer()
        for (old, new, fault) in [
            (">viewer-17<", ">viewer-17<!----><", AssertionFault.foreignContent),
            (">viewer-17<", "><!--x-->viewer-17<", .foreignContent),
            (">viewer-17<", "><?x y?>viewer-17<", .foreignContent),
            ("<samlp:Response", "<!DOCTYPE r><samlp:Response", .documentType),
            (
                "<samlp:Response", "<!DOCTYPE r [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><samlp:Response",
                .documentType
            ),
            (">viewer-17<", ">viewer-18<", .unverified(code: 0)),
        ] {
            let altered = response.replacing(old, with: new, maxReplacements: 1)
            #expect(altered != response)
            let refusal = try await Written.refusal(of: altered, by: self.provider)
            #expect(refusal.kind == .unproven)
            if fault == .unverified(code: 0) { continue }
            #expect(refusal.detail == "\(fault)", "\(new)")
        }
    }

    @Test("an answer of a clock that is five minutes off, either way, and one that is over")
    func clocks() async throws {
        for (shift, fault) in [(300, AssertionFault.notYetValid), (-300, .expired)] {
            var answer = Written.Answer()
            answer.shift = .seconds(shift)
            let refusal = try await Written.refusal(of: try self.written.answer(answer), by: self.provider)
            #expect(refusal == ProviderError(.unproven, detail: "\(fault)"))
        }
        var over = Written.Answer()
        over.sessionEnd = "2026-01-01T00:00:04Z"
        #expect(
            try await Written.refusal(of: try self.written.answer(over), by: self.provider)
                == ProviderError(.unproven, detail: "\(AssertionFault.expired)"))
    }

    @Test("metadata that are over, or signed by another, or not signed at all")
    func metadata() async throws {
        let clock = TestNow()
        let network = ScriptedNetwork(try self.written.metadata(validUntil: "2026-01-01T01:00:00Z"))
        let provider = try self.written.provider(network, clock: clock)
        _ = try await provider.begin(Written.context, now: clock.now)
        // The provider gives no new ones: the old ones count to their last second.
        network.fail(HTTPClientError(.unreachable))
        clock.advance(by: .seconds(3599))
        _ = try await provider.begin(Written.context, now: clock.now)
        clock.advance(by: .seconds(1))
        await #expect(throws: ProviderError(.misconfigured, detail: "\(AssertionFault.metadataExpired)")) {
            try await provider.begin(Written.context, now: clock.now)
        }

        let lines = [
            "-----BEGIN CERTIFICATE-----", self.written.otherSignature.certificate, "-----END CERTIFICATE-----",
        ]
        var rules = IdentityProviderMetadata.Rules()
        rules.signer = lines.joined(separator: "\n")
        func read(_ text: String) throws -> IdentityProviderMetadata {
            try IdentityProviderMetadata(reading: Array(text.utf8), rules)
        }
        let signed = try self.written.metadata(signsWith: self.written.otherSignature)
        #expect(try read(signed).entityID == Written.entityID)
        #expect(throws: AssertionFault.metadataUnsigned) { try read(try self.written.metadata()) }
        for altered in [
            try self.written.metadata(signsWith: self.written.signature),
            signed.replacing("idp.example/sso\"", with: "evil.example/sso\""),
        ] {
            #expect(altered != signed)
            #expect(throws: AssertionFault.self) { try read(altered) }
        }
        // Of many, the one that the operator names.
        let many = CanonicalElement.Namespace.md.rawValue
        let list = "<md:EntitiesDescriptor xmlns:md=\"\(many)\">\(try self.written.metadata())</md:EntitiesDescriptor>"
        rules.signer = nil
        #expect(throws: AssertionFault.metadataWithoutEntity) { try read(list) }
        rules.entityID = Written.entityID
        #expect(try read(list).entityID == Written.entityID)
    }

    @Test("a wrong certificate, until the metadata bring the right one: once a minute at most")
    func certificates() async throws {
        let clock = TestNow()
        let network = ScriptedNetwork(try self.written.metadata(certificate: self.written.otherSignature.certificate))
        let provider = try self.written.provider(network, clock: clock)
        let answer = try self.written.answer()
        #expect(try await Written.refusal(of: answer, by: provider).kind == .unproven)
        let asked = network.requests.count
        #expect(try await Written.refusal(of: answer, by: provider).kind == .unproven)
        #expect(network.requests.count == asked)
        // The provider exchanges its key in the middle.
        network.answer(try self.written.metadata())
        clock.advance(by: .seconds(61))
        guard case .accepted = try await Written.complete(provider, answer) else { return #expect(Bool(false)) }
        #expect(network.requests.count == asked + 1)
    }

    @Test("what is too much, before it is read: messages, metadata, and what a small one unfolds to")
    func bounds() async throws {
        let garbage = String(repeating: "QUJD", count: 25 << 20)
        #expect(ProviderCallback(.post, [.init("SAMLResponse", garbage), .init("RelayState", "r1")]) == nil)
        let large = try #require(
            ProviderCallback(
                .post,
                [.init("SAMLResponse", String(repeating: "QUJD", count: 43_000)), .init("RelayState", "r1")]))
        await #expect(throws: ProviderError(.unproven, detail: "\(AssertionFault.tooLarge)")) {
            try await self.provider.complete(
                Written.context, with: .callback(large), state: try ProviderState(Array(Written.request.utf8)),
                now: Written.start)
        }
        // The client stops reading at its limit.
        #expect(self.network.requests.isEmpty)
        self.network.fail(HTTPClientError(.tooLarge))
        let error = await #expect(throws: ProviderError.self) {
            try await self.provider.begin(Written.context, now: Written.start)
        }
        #expect(error?.kind == .unreachable)
        #expect(self.network.requests.allSatisfy { $0.responseLimit == SAMLText.maximumMetadataSize })
        // 100 MB of zeros in DEFLATE.
        let program =
            "import zlib,base64;c=zlib.compressobj(9,8,-15);"
            + "print(base64.b64encode(c.compress(bytes(1<<20)*100)+c.flush()).decode())"
        let (_, bomb, _) = try await ChildProcess("/usr/bin/python3", ["-c", program]).run()
        #expect(throws: AssertionFault.notDeflated) {
            try SAMLRedirect.message(bomb.trimmingSuffix { $0 == "\n" })
        }
        #expect(throws: AssertionFault.notDeflated) { try SAMLRedirect.message("AAAA") }
    }

    /// A notice of a logout that nobody signed, in the form of a signed one.
    /// - Parameter attributes: of each of the elements inside.
    private func bomb(
        prefixes: Int = 8, declarations: Int, elements: Int = 90, attributes: String = ""
    ) throws -> String {
        let plain = self.written.logout(to: self.written.service.logout)
        let good = try self.written.signature.signed(plain).written
        let list = Array(repeating: "z", count: prefixes).joined(separator: " ")
        let parameter =
            "<ec:InclusiveNamespaces xmlns:ec=\"http://www.w3.org/2001/10/xml-exc-c14n#\" PrefixList=\"\(list)\"/>"
        let transform = "<ds:Transform Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\">"
        let names = (0..<declarations).map { " xmlns:a\($0)=\"u:x\"" }
        var inside = String(repeating: "<samlp:Status\(attributes)></samlp:Status>", count: elements)
        for start in stride(from: 0, to: declarations, by: 30) {
            let some = names[start..<min(start + 30, declarations)].joined()
            inside = "<samlp:StatusDetail\(some)>\(inside)</samlp:StatusDetail>"
        }
        let text = good.replacing(transform, with: transform + parameter)
            .replacing("</samlp:LogoutRequest>", with: "\(inside)</samlp:LogoutRequest>")
        #expect(text.utf8.count > good.utf8.count + parameter.utf8.count)
        return text
    }

    private func refusal(ofNotice text: String) async throws -> String? {
        let notice = ProviderNotice.browser(try Written.form("SAMLRequest", text))
        let error = await #expect(throws: ProviderError.self) {
            _ = try await self.provider.check(notice, now: Written.start)
        }
        return error?.detail
    }

    @Test("a notice whose digest would cost more than the notice: prefixes, namespaces and attributes have bounds")
    func canonicalForms() async throws {
        let two = " a1:x=\"\" a2:x=\"\""
        let worst = try self.bomb(declarations: 28, attributes: two)
        // Within all limits: the library says that it is not signed.
        let unsigned = "\(AssertionFault.unverified(code: 0))".prefix(20)
        #expect(try await self.refusal(ofNotice: worst)?.hasPrefix(unsigned) == true)
        // Each value with declarations of its own, as some providers write them.
        let own = try self.bomb(declarations: 2, attributes: " xmlns:xs=\"u:xs\" xmlns:xsi=\"u:xsi\"")
        #expect(try await self.refusal(ofNotice: own)?.hasPrefix(unsigned) == true)
        for (text, fault) in [
            (try self.bomb(prefixes: 10_000, declarations: 1), AssertionFault.signatureAlgorithm),
            (try self.bomb(prefixes: 9, declarations: 1), .signatureAlgorithm),
            (try self.bomb(declarations: 840), .tooComplex),
            (try self.bomb(declarations: 32), .tooComplex),
            (try self.bomb(declarations: 8, attributes: two + " a3:x=\"\""), .tooComplex),
            (try self.bomb(declarations: 1, attributes: (1...3).map { " xmlns:b\($0)=\"u:x\"" }.joined()), .tooComplex),
            (try self.bomb(declarations: 1, elements: 430), .tooComplex),
            (worst.replacing("PrefixList=", with: "Other=\"x\" PrefixList="), .signatureAlgorithm),
            (
                worst.replacing(
                    "<samlp:StatusDetail", with: String(repeating: " ", count: 32_768) + "<samlp:StatusDetail",
                    maxReplacements: 1), .tooLarge
            ),
        ] {
            #expect(try await self.refusal(ofNotice: text) == "\(fault)")
        }
        // What the library looks up at most, each among the declarations in scope: the names and prefixes of each element.
        let root = try SAMLDocument(logout: Array(worst.utf8)).root
        var lookups = 0
        root.visit { lookups += 1 + $0.attributes.count + 8 }
        #expect(lookups * SAMLDocument.maximumDeclarations <= 1 << 16)
    }

    @Test("a document that is too long for the number of its issuer's keys: the library digests it for each")
    func manyKeys() throws {
        let key = try RSAPrivateKey.generate().publicKey
        // What each key adds is a bit more than half of what a document costs with one.
        for (keys, length) in [(1, 106_496), (2, 79_872), (3, 63_897), (16, 17_749)] {
            let issuer = try TrustedIssuer(
                IssuerMetadata(entityID: "urn:i", keys: Array(repeating: key, count: keys)), audience: "urn:a",
                recipient: "urn:b", privateKeys: [])
            try issuer.requireAffordable(SAMLText(written: Array(repeating: 0x61, count: length)))
            #expect(throws: AssertionFault.tooLarge, "\(keys)") {
                try issuer.requireAffordable(SAMLText(written: Array(repeating: 0x61, count: length + 1)))
            }
        }
    }

    @Test("notices beyond so many, which hold up no viewer's sign-in")
    func noticeFloods() async throws {
        let client = self.written.client(self.network)
        let flooded = SAMLProvider(client, SAMLProvider.Rules(lineUp: .fixed([]), mapping: try MetadataMapping([])))
        _ = try await flooded.begin(Written.context, now: Written.start)
        let gate = Gate()
        try await concurrently(8) { _ in
            try await client.notices.perform { () throws(AssertionFault) in gate.wait() }
        } meanwhile: {
            // Held behind the gate, or refused as there is no room: it never ends well.
            while client.notices.hasRoom { await Task.yield() }
            let notice = ProviderNotice.browser(try Written.form("SAMLRequest", "<a/>"))
            let error = await #expect(throws: ProviderError.self) {
                _ = try await flooded.check(notice, now: Written.start)
            }
            #expect(error?.detail == "\(AssertionFault.busy)")
            _ = try await flooded.begin(Written.context, now: Written.start)
            for _ in 0..<8 { gate.open() }
        }
    }

    @Test("more than so many at once, and holds up no other provider meanwhile")
    func floods() async throws {
        let client = self.written.client(self.network)
        let flooded = SAMLProvider(client, SAMLProvider.Rules(lineUp: .fixed([]), mapping: try MetadataMapping([])))
        // From here on the metadata are known, which are read in the queue as well.
        _ = try await flooded.begin(Written.context, now: Written.start)
        let gate = Gate()
        try await withThrowingTaskGroup(of: AssertionFault?.self) { group in
            // One is held, and the others wait behind it.
            for _ in 0...64 {
                group.addTask {
                    await thrown { () async throws(AssertionFault) in
                        try await client.queue.perform { () throws(AssertionFault) in gate.wait() }
                    }
                }
            }
            // Only the one that found no room can end.
            #expect(try await group.next() == .some(.busy))
            let error = await #expect(throws: ProviderError.self) {
                try await flooded.begin(Written.context, now: Written.start)
            }
            #expect(error == ProviderError(.failed, detail: "\(AssertionFault.busy)"))
            _ = try await self.provider.begin(Written.context, now: Written.start)
            for _ in 0..<64 { gate.open() }
            for try await fault in group { #expect(fault == nil) }
        }
        _ = try await flooded.begin(Written.context, now: Written.start)
    }

    @Test("what a stranger encrypted, once it is in clear and before the library makes objects of it")
    func encryptedByStranger() async throws {
        let lasso = try IdentityProvider.shared.get()
        // Nobody has looked at the signature yet.
        for (name, fault) in [
            ("encryptedLong", AssertionFault.tooLarge), ("encryptedMany", .tooComplex),
            ("encryptedStrangeForeign", .unknownElement),
        ] {
            #expect(try await lasso.refusal(of: try lasso.response(name)) == fault.detail)
        }
        // The code is that of a signature in clear: it was verified by itself.
        let clear = try await lasso.refusal(of: try lasso.response("otherSigner"))
        #expect(try await lasso.refusal(of: try lasso.response("encryptedForeign")) == clear)
        #expect(clear?.hasPrefix(PlatformAssertionTests.unverified) == true)
    }

    @Test("no key that lies beside what is encrypted for it, in the second form of SAML 2.0 Core 2.2.4")
    func keyBeside() async throws {
        let lasso = try IdentityProvider.shared.get()
        let inside = try lasso.response("encrypted")
        let key = try inside.piece("<EncryptedKey", "</EncryptedKey>")
        let end = "</saml:EncryptedAssertion>"
        let beside = inside.replacing(key, with: "").replacing(end, with: key + end)
        #expect(try await lasso.verify(beside) == lasso.verify(inside))
        // Behind one for another receiver, which does not open.
        let value = try key.piece("<CipherValue>", "</CipherValue>")
        let foreign = Base64.encode([UInt8](repeating: 1, count: 256))
        let both = key.replacing(value, with: "<CipherValue>\(foreign)</CipherValue>") + key
        for several in [inside.replacing(key, with: both), beside.replacing(key, with: both)] {
            #expect(several.contains(foreign))
            #expect(try await lasso.verify(several) == lasso.verify(inside))
        }
    }

    @Test func `nothing that is encrypted for a key of this server, the newest or an older one`() throws {
        let lasso = try IdentityProvider.shared.get()
        let issuer = try IssuerMetadata(lasso.metadata)
        let document = try SAMLDocument(SAMLText(Array(try lasso.response("encrypted").utf8), maximumSize: 98_304))
        let hidden = try #require(document.root.onlyChild(.assertionElement("EncryptedAssertion")))
        for keys in [[lasso.privateKey, lasso.otherPrivateKey], [lasso.otherPrivateKey, lasso.privateKey]] {
            let trusted = try TrustedIssuer(
                issuer, audience: IdentityProvider.audience, recipient: IdentityProvider.recipient, privateKeys: keys)
            #expect(try trusted.unverified(encrypted: hidden).root.has(.assertionElement("Assertion")))
        }
        let stranger = try TrustedIssuer(
            issuer, audience: IdentityProvider.audience, recipient: IdentityProvider.recipient,
            privateKeys: [lasso.otherPrivateKey])
        #expect(throws: AssertionFault.self) { try stranger.unverified(encrypted: hidden) }
    }
}

extension String {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> String {
        var text = self[...]
        while let last = text.last, predicate(last) { text = text.dropLast() }
        return String(text)
    }
}
