import Clientless
import Cryptography
import HTTPClient
import OpenIDConnect
import TestSupport
import Testing
import TextCoding

@testable import Entitlement
@testable import Providers

@Suite("A provider with SAML", .timeLimit(.minutes(5)))
struct SAMLProviderTests {
    private typealias Written = WrittenProvider

    private let written: WrittenProvider
    private let network: ScriptedNetwork

    init() throws {
        self.written = try WrittenProvider()
        self.network = ScriptedNetwork(try self.written.metadata())
    }

    @Test func `is asked with a signed redirect, whose ID the answer has to name`() async throws {
        let context = ProviderLoginContext(
            mvpd: Written.context.mvpd, requestor: Written.context.requestor, callback: Written.consumer,
            reference: "r2", isPassive: true, asksAnew: true)
        for (context, isForced) in [(Written.context, false), (Written.context, true), (context, false)] {
            let provider = try self.written.provider(self.network, settings: { $0.forcesSignIn = isForced })
            let start = try await provider.begin(context, now: Written.start)
            guard case .redirect(let address) = start.handover else { return #expect(Bool(false)) }
            #expect(address.hasPrefix("https://idp.example/sso?SAMLRequest="))
            let callback = try Written.callback(from: address)
            #expect(callback["RelayState"] == context.reference)
            let keys = [self.written.service.keys[0].key.publicKey]
            try SAMLRedirect.verify(callback.query, "SAMLRequest", by: keys)
            let bytes = try SAMLRedirect.message(try #require(callback["SAMLRequest"]))
            let root = try SAMLDocument(SAMLText(bytes, maximumSize: 65_536)).root
            #expect(root.has(.protocolElement("AuthnRequest")))
            #expect(root[attribute: "ID"].map { Array($0.utf8) } == start.state.bytes)
            #expect(root[attribute: "Destination"] == "https://idp.example/sso")
            #expect(root[attribute: "AssertionConsumerServiceURL"] == Written.consumer)
            #expect(root[attribute: "ForceAuthn"] == (isForced || context.asksAnew == true ? "true" : nil))
            #expect(root[attribute: "IsPassive"] == (context.isPassive ? "true" : nil))
            #expect(root.onlyChild(.assertionElement("Issuer"))?.plainText == self.written.service.entityID)
            // Any change breaks the signature.
            for altered in [
                callback.query.replacing("RelayState=r", with: "RelayState=s"), "a=b&" + callback.query + "&SigAlg=x",
                callback.query.replacing("rsa-sha256", with: "rsa-sha1"),
            ] {
                #expect(throws: AssertionFault.querySignature) {
                    try SAMLRedirect.verify(altered, "SAMLRequest", by: keys)
                }
            }
        }
    }

    @Test func `is asked with a signed form, where the operator wants it so`() async throws {
        let provider = try self.written.provider(self.network, settings: { $0.requestBinding = .post })
        let start = try await provider.begin(Written.context, now: Written.start)
        guard case .form(let form) = start.handover else { return #expect(Bool(false)) }
        #expect(form.address == "https://idp.example/sso-post")
        let message = try #require(form.fields.first { $0.name == "SAMLRequest" })
        let text = String(decoding: try #require(Base64.decode(message.value)), as: UTF8.self)
        let root = try SAMLDocument(SAMLText(Array(text.utf8), maximumSize: 65_536)).root
        #expect(try SignatureRules(acceptsSHA1: false).isSigned(root))
        try self.trusted(self.written.service.keys[0].key.publicKey).verify(document: text)
        #expect(throws: AssertionFault.self) {
            try self.trusted(self.written.signature.key.publicKey).verify(document: text)
        }
    }

    private func trusted(_ key: RSAPublicKey) throws -> TrustedIssuer {
        try TrustedIssuer(
            IssuerMetadata(entityID: "urn:signer", keys: [key]), audience: "urn:a", recipient: "urn:b", privateKeys: [])
    }

    @Test func `is told of this server, its addresses and keys, in a signed document`() async throws {
        let provider = try self.written.provider(self.network)
        let document = try #require(try await provider.publication(now: Written.start))
        try self.trusted(self.written.service.keys[0].key.publicKey).verify(document: document.text)
        let root = try XMLDocumentHandle.parse(
            SAMLText(Array(document.text.utf8), maximumSize: 65_536)
        ).root(comments: .refused)
        #expect(root[attribute: "entityID"] == self.written.service.entityID)
        let role = try #require(root.onlyChild(.metadataElement("SPSSODescriptor")))
        #expect(role.children(.metadataElement("KeyDescriptor")).count == 2)
        #expect(role.children(.metadataElement("SingleLogoutService")).count == 3)
        let consumer = role.onlyChild(.metadataElement("AssertionConsumerService"))
        #expect(consumer?[attribute: "Location"] == Written.consumer)
        #expect(self.network.requests.isEmpty)
    }

    @Test func `signs a viewer in with a package, attributes and an end`() async throws {
        let provider = try self.written.provider(self.network)
        var answer = Written.Answer()
        answer.sessionEnd = "2026-01-01T02:00:00Z"
        let verdict = try await Written.complete(provider, try self.written.answer(answer))
        guard case .accepted(let login) = verdict else { return #expect(Bool(false), "\(verdict)") }
        #expect(login.upstreamUserID == "viewer-17" && login.until == Written.start + .seconds(7200))
        #expect(login.metadata == ["zip": .list(["10115"])])
        #expect(login.once != nil && login.sessionName != nil)
        let decisions = try await provider.decide(
            [Resource("NS-KIDS")!, Resource("NS-MOVIES")!], requestor: Written.context.requestor,
            session: login.session, now: Written.start)
        #expect(decisions.value.first == .permit && decisions.value.count == 2 && decisions.value.last != .permit)
        // The same assertion has the same name for the store; another one has another.
        let again = try await Written.complete(provider, try self.written.answer(answer))
        guard case .accepted(let same) = again else { return #expect(Bool(false)) }
        #expect(same.once == login.once)
        answer.id = "_assertion-2"
        guard case .accepted(let next) = try await Written.complete(provider, try self.written.answer(answer))
        else { return #expect(Bool(false)) }
        #expect(next.once != login.once && next.sessionName == login.sessionName)
    }

    @Test("takes no answer to another request, for another service, or of another signer")
    func foreign() async throws {
        let provider = try self.written.provider(self.network)
        var cases: [(Written.Answer, AssertionFault)] = []
        var answer = Written.Answer()
        answer.request = "_request-2"
        cases.append((answer, .wrongRequest))
        answer.request = nil
        cases.append((answer, .wrongRequest))
        answer = Written.Answer()
        answer.audience = "https://other.example/saml"
        cases.append((answer, .wrongAudience))
        answer = Written.Answer()
        answer.signsAssertion = false
        cases.append((answer, .unsigned))
        for (answer, fault) in cases {
            let refusal = try await Written.refusal(of: try self.written.answer(answer), by: provider)
            #expect(refusal == ProviderError(.unproven, detail: "\(fault)"))
        }
        let forged = try self.written.answer(signedBy: self.written.otherSignature)
        #expect(try await Written.refusal(of: forged, by: provider).kind == .unproven)
        // An answer in the address, or of another login, is none.
        let message = try self.written.answer()
        for callback in [
            try Written.form("SAMLResponse", message, relayState: "r2"),
            try #require(ProviderCallback(.get, [.init("SAMLResponse", Base64.encode(Array(message.utf8)))])),
        ] {
            await #expect(throws: ProviderError(.unproven, detail: "\(AssertionFault.notResponse)")) {
                try await provider.complete(
                    Written.context, with: .callback(callback),
                    state: try ProviderState(Array(Written.request.utf8)), now: Written.start)
            }
        }
    }

    @Test("has to sign the assertion itself, unless a signed response is agreed to do")
    func signedResponse() async throws {
        var answer = Written.Answer()
        (answer.signsAssertion, answer.signsResponse) = (false, true)
        let text = try self.written.answer(answer)
        let strict = try self.written.provider(self.network)
        let refusal = try await Written.refusal(of: text, by: strict)
        #expect(refusal == ProviderError(.unproven, detail: "\(AssertionFault.assertionUnsigned)"))
        let agreed = try self.written.provider(self.network, settings: { $0.takesSignedResponses = true })
        guard case .accepted = try await Written.complete(agreed, text) else { return #expect(Bool(false)) }
        answer.signsAssertion = true
        guard case .accepted = try await Written.complete(strict, try self.written.answer(answer))
        else { return #expect(Bool(false)) }
    }

    @Test func `is told apart when it says no`() async throws {
        let provider = try self.written.provider(self.network)
        for (codes, kind) in [
            (["Responder", "NoPassive"], ProviderRefusal.Kind.needsViewer), (["Responder", "AuthnFailed"], .declined),
            (["Responder", "RequestDenied"], .denied), (["Responder", "UnknownPrincipal"], .denied),
        ] {
            var answer = Written.Answer()
            answer.status = codes
            let verdict = try await Written.complete(provider, try self.written.answer(answer))
            #expect(verdict == .refused(ProviderRefusal(kind)))
            answer.request = "_request-2"
            #expect(try await Written.refusal(of: try self.written.answer(answer), by: provider).kind == .unproven)
        }
        var answer = Written.Answer()
        answer.status = ["Requester"]
        #expect(try await Written.refusal(of: try self.written.answer(answer), by: provider).kind == .unproven)
    }

    @Test func `that calls viewers by another name at every sign-in has to say who they are`() async throws {
        var answer = Written.Answer()
        answer.format = SAMLViewerName.transient
        answer.attributes.append(("uid", ["anna"]))
        let text = try self.written.answer(answer)
        #expect(try await Written.refusal(of: text, by: self.written.provider(self.network)).kind == .misconfigured)
        let provider = try self.written.provider(self.network, rules: { $0.viewerAttribute = "uid" })
        guard case .accepted(let login) = try await Written.complete(provider, text) else {
            return #expect(Bool(false))
        }
        #expect(login.upstreamUserID == "anna")
        // The name alone finds the sign-in.
        let request = self.written.logout(
            to: self.written.service.logout, format: SAMLViewerName.transient, sessions: ["s1"])
        let notice = try await provider.check(.browser(try self.redirected(request)), now: Written.start)
        #expect(notice?.endings == [.session(try #require(login.sessionName))])
    }

    private func redirected(
        _ message: CanonicalElement, as name: String = "SAMLRequest", signedBy signature: SAMLKey? = nil
    ) throws -> ProviderCallback {
        let endpoint = try #require(EndpointAddress(self.written.service.logout, policy: .secure))
        return try Written.callback(
            from: SAMLRedirect.address(
                endpoint, name, message, relayState: "r9", signedBy: signature ?? self.written.signature))
    }

    @Test("ends sign-ins by the viewer's name and the session's index, by every way, and is answered")
    func logout() async throws {
        let provider = try self.written.provider(self.network)
        guard case .accepted(let login) = try await Written.complete(provider, try self.written.answer())
        else { return #expect(Bool(false)) }
        let session = try #require(login.sessionName)
        let service = self.written.service

        let redirected = try self.redirected(self.written.logout(to: service.logout))
        let first = try #require(try await provider.check(.browser(redirected), now: Written.start))
        #expect(first.endings.contains(.session(session)) && first.once != nil)
        guard case .redirect(let url) = first.reply else { return #expect(Bool(false)) }
        let answer = try Written.callback(from: url)
        #expect(answer["RelayState"] == "r9")
        try SAMLRedirect.verify(answer.query, "SAMLResponse", by: [service.keys[0].key.publicKey])

        let signed = try self.written.signature.signed(self.written.logout(to: service.logout)).written
        let posted = try #require(
            try await provider.check(.browser(try Written.form("SAMLRequest", signed)), now: Written.start))
        #expect(posted.endings == first.endings && posted.once == first.once)

        let envelope = try self.written.signature.signed(
            self.written.logout(id: "_logout-2", to: service.soapLogout, sessions: [])
        ).inEnvelope.written
        let soap = try #require(try await provider.check(.envelope(Array(envelope.utf8)), now: Written.start))
        #expect(soap.endings.first == .viewer("viewer-17") && soap.once != first.once)
        let bare = try self.written.signature.signed(self.written.logout(id: "_logout-4", to: nil)).inEnvelope.written
        #expect(try await provider.check(.envelope(Array(bare.utf8)), now: Written.start) != nil)
        guard case .document(let document) = soap.reply else { return #expect(Bool(false)) }
        #expect(document.contains("status:Success"))
        // A name that is not the viewer's does not find sign-ins that have an index.
        let other = try self.written.provider(self.network, rules: { $0.viewerAttribute = "uid" })
        let partial = try await other.check(.envelope(Array(envelope.utf8)), now: Written.start)
        guard case .document(let refusal)? = partial?.reply else { return #expect(Bool(false)) }
        #expect(refusal.contains("status:Responder"))
        try self.trusted(service.keys[0].key.publicKey).verify(document: document, isEnvelope: true)

        // The answer to a logout of ours ends nothing more.
        let requests = SAMLRequests(issuer: Written.entityID, now: Written.start)
        let response = requests.logoutDone(true, answering: "_x", to: service.logout)
        let done = try await provider.check(
            .browser(try self.redirected(response, as: "SAMLResponse")), now: Written.start)
        #expect(done == CheckedNotice([]))
    }

    @Test func `is left to the browser once it took no request of this server's own`() async throws {
        let network = ScriptedNetwork(try self.written.metadata(logoutBindings: [.soap, .redirect]))
        let provider = try self.written.provider(network)
        guard case .accepted(let login) = try await Written.complete(provider, try self.written.answer())
        else { return #expect(Bool(false)) }
        network.fail(HTTPClientError(.unreachable))
        #expect(try await provider.logoutAddress(of: login.session) == nil)
        await #expect(throws: ProviderError.self) { try await provider.endSession(login.session) }
        let url = try #require(try await provider.logoutAddress(of: login.session))
        #expect(url.hasPrefix("https://idp.example/slo?SAMLRequest="))
        let (one, other) = (
            try await provider.publication(now: Written.start), try await provider.publication(now: Written.start)
        )
        #expect(one?.text == other?.text)
    }

    @Test func `is answered with a form where it takes no redirect, or asked with one`() async throws {
        let service = self.written.service
        let redirected = try self.redirected(self.written.logout(to: service.logout))
        let signed = try self.written.signature.signed(self.written.logout(to: service.logout)).written
        let posted = try Written.form("SAMLRequest", signed)
        let both: [SAMLBinding] = [.redirect, .post]
        let cases: [([SAMLBinding], ProviderCallback, isForm: Bool)] = [
            ([.post], redirected, true), ([.post], posted, true), (both, redirected, false), (both, posted, true),
            ([.redirect], posted, false),
        ]
        for (bindings, callback, isForm) in cases {
            let provider = try self.written.provider(
                ScriptedNetwork(try self.written.metadata(logoutBindings: bindings)))
            let notice = try await provider.check(.browser(callback), now: Written.start)
            switch notice?.reply {
            case .form(let form):
                #expect(isForm && form.address == "https://idp.example/slo")
                let answer = try #require(form.fields.first { $0.name == "SAMLResponse" }?.value)
                let document = try #require(Base64.decode(answer))
                try self.trusted(service.keys[0].key.publicKey).verify(
                    document: String(decoding: document, as: UTF8.self))
                let root = try SAMLDocument(SAMLText(document, maximumSize: 65_536)).root
                #expect(root.has(.protocolElement("LogoutResponse")) && root[attribute: "InResponseTo"] == "_logout-1")
                let state = form.fields.first { $0.name == "RelayState" }?.value
                #expect(state == callback["RelayState"])
            case .redirect(let url): #expect(!isForm && url.hasPrefix("https://idp.example/slo?SAMLResponse="))
            case .done, .document, nil: Issue.record("no answer for the browser")
            }
        }
    }

    @Test(
        "may sign addresses over each digest of the SHA-2 family, and over no other",
        arguments: SignatureDigest.allCases)
    func queryDigests(_ digest: SignatureDigest) async throws {
        let key = try Written.keys.get()[0]
        let other = try Written.keys.get()[1]
        let method = "http://www.w3.org/2001/04/xmldsig-more#rsa-\(digest.rawValue.lowercased())"
        let given = try self.redirected(self.written.logout(to: self.written.service.logout)).query
        let request = try #require(given.split(separator: "&").first { $0.hasPrefix("SAMLRequest=") })
        func query(_ key: RSAPrivateKey, over digest: SignatureDigest, named method: String) throws -> String {
            let signed = "\(request)&SigAlg=\(PercentCoding.encoded(method))"
            let value = Base64.encode(try key.signature(ofHashed: Self.information(digest, of: signed), pss: nil))
            return "\(signed)&Signature=\(PercentCoding.encoded(value))"
        }
        try SAMLRedirect.verify(try query(key, over: digest, named: method), "SAMLRequest", by: [key.publicKey])
        let different = digest == .sha256 ? SignatureDigest.sha384 : .sha256
        for wrong in [
            try query(other, over: digest, named: method), try query(key, over: different, named: method),
            try query(key, over: digest, named: "http://www.w3.org/2000/09/xmldsig#rsa-sha1"),
        ] {
            #expect(throws: AssertionFault.querySignature) {
                try SAMLRedirect.verify(wrong, "SAMLRequest", by: [key.publicKey])
            }
        }
    }

    /// A `DigestInfo` (RFC 8017 section 9.2, note 1).
    private static func information(_ digest: SignatureDigest, of text: String) -> [UInt8] {
        let (number, hash): (UInt8, [UInt8]) =
            switch digest {
            case .sha256: (1, Digest.sha256(text.utf8))
            case .sha384: (2, Digest.sha384(text.utf8))
            case .sha512: (3, Digest.sha512(text.utf8))
            }
        let size = UInt8(hash.count)
        let algorithm: [UInt8] = [0x06, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, number, 0x05, 0]
        return [0x30, size + 17, 0x30, 13] + algorithm + [0x04, size] + hash
    }

    @Test("is not believed about logouts without its own signature, in time, for this address")
    func forgedLogout() async throws {
        let provider = try self.written.provider(self.network)
        let service = self.written.service
        let good = self.written.logout(to: service.logout)
        // `nil` is what the library says of a signature.
        let wrong: [(ProviderCallback, AssertionFault?)] = [
            (try self.redirected(good, signedBy: self.written.otherSignature), .querySignature),
            (try self.redirected(self.written.logout(to: service.soapLogout)), .wrongDestination),
            (try self.redirected(self.written.logout(to: nil)), .wrongDestination),
            (try self.redirected(self.written.logout(to: service.logout, shift: .seconds(-301))), .expired),
            (try self.redirected(self.written.logout(to: service.logout, shift: .seconds(121))), .notYetValid),
            (try Written.form("SAMLRequest", good.written), .unsigned),
            (try Written.form("SAMLRequest", try self.written.otherSignature.signed(good).written), nil),
            (try Written.form("SAMLResponse", try self.written.answer()), .unknownElement),
            (try #require(ProviderCallback(.get, [.init("SAMLRequest", "AAAA")])), .notDeflated),
        ]
        for (callback, fault) in wrong {
            let error = await #expect(throws: ProviderError.self) {
                _ = try await provider.check(.browser(callback), now: Written.start)
            }
            #expect(error?.kind == .unproven)
            if let fault { #expect(error?.detail == "\(fault)") }
        }
        // A signed request that was put around or beside another one.
        let signed = try self.written.signature.signed(self.written.logout(to: service.soapLogout))
        let victim = self.written.logout(id: "_logout-3", to: service.soapLogout, of: "viewer-18")
        let envelopes = [
            CanonicalElement(.soap, "Envelope", [CanonicalElement(.soap, "Body", [victim, signed])]),
            CanonicalElement(
                .soap, "Envelope",
                [CanonicalElement(.soap, "Header", [signed]), CanonicalElement(.soap, "Body", [victim])]),
            signed, victim.inEnvelope,
        ]
        let faults: [AssertionFault] = [.notLogout, .misplacedSignature, .notLogout, .unsigned]
        for (envelope, fault) in zip(envelopes, faults) {
            await #expect(throws: ProviderError(.unproven, detail: "\(fault)")) {
                try await provider.check(.envelope(Array(envelope.written.utf8)), now: Written.start)
            }
        }
    }

    @Test func `is told of a logout here, by the browser or at once`() async throws {
        let provider = try self.written.provider(self.network)
        guard case .accepted(let login) = try await Written.complete(provider, try self.written.answer())
        else { return #expect(Bool(false)) }
        let asked = self.network.requests.count
        try await provider.endSession(login.session)
        let url = try #require(try await provider.logoutAddress(of: login.session))
        #expect(self.network.requests.count == asked)
        #expect(url.hasPrefix("https://idp.example/slo?SAMLRequest="))
        let callback = try Written.callback(from: url)
        let bytes = try SAMLRedirect.message(try #require(callback["SAMLRequest"]))
        let root = try SAMLDocument(SAMLText(bytes, maximumSize: 65_536)).root
        let name = SAMLViewerName(root.onlyChild(.assertionElement("NameID")))
        #expect(name?.text == "viewer-17" && name?.format == Written.persistent)
        #expect(root.onlyChild(.protocolElement("SessionIndex"))?.plainText == "s1")

        let other = ScriptedNetwork(try self.written.metadata(logoutBindings: [.soap, .redirect]))
        let direct = try self.written.provider(other)
        try await direct.endSession(login.session)
        #expect(try await direct.logoutAddress(of: login.session) == nil)
        let sent = try #require(other.requests.last)
        #expect(sent.method == .post && sent.url == "https://idp.example/slo")
        let text = String(decoding: try #require(sent.body), as: UTF8.self)
        try self.trusted(self.written.service.keys[0].key.publicKey).verify(document: text, isEnvelope: true)
    }

    @Test func `is one of many: sign-ins at each go on side by side`() async throws {
        let answer = try self.written.answer()
        let providers = try (0..<8).map { _ in try self.written.provider(self.network) }
        let verdicts = try await concurrently(160) { try await Written.complete(providers[$0 % 8], answer) }
        for verdict in verdicts { guard case .accepted = verdict else { return #expect(Bool(false), "\(verdict)") } }
        #expect(self.network.requests.count == providers.count)
    }

    @Test func `that never answers holds up no other, and no caller that gives up`() async throws {
        let (begun, continuation) = AsyncStream<Void>.makeStream()
        let silent = try self.written.provider(SilentNetwork(begun: continuation))
        let waiting = Task { try await silent.begin(Written.context, now: Written.start) }
        for await _ in begun { break }
        let other = try self.written.provider(self.network)
        _ = try await other.begin(Written.context, now: Written.start)
        waiting.cancel()
        await #expect(throws: ProviderError.self) { try await waiting.value }
    }
}

private struct SilentNetwork: ProviderTransport {
    let begun: AsyncStream<Void>.Continuation

    func send(_ request: HTTPClient.Request) async throws(HTTPClientError) -> HTTPClient.Response {
        self.begun.yield()
        for await _ in AsyncStream<Never>.makeStream().stream {}
        throw HTTPClientError(.cancelled)
    }
}
