import Clientless
import Cryptography
import Entitlement
import Testing

@testable import Providers

@Suite("A provider with SAML that takes requests for logouts as forms alone", .timeLimit(.minutes(5)))
struct SAMLLogoutFormTests {
    private typealias Written = WrittenProvider

    private let written: WrittenProvider
    private let network: ScriptedNetwork
    private let provider: SAMLProvider

    init() throws {
        self.written = try WrittenProvider()
        self.network = ScriptedNetwork(try self.written.metadata(logoutBindings: [.post]))
        self.provider = try self.written.provider(self.network)
    }

    private func address() async throws -> String {
        guard case .accepted(let login) = try await Written.complete(self.provider, try self.written.answer())
        else { throw GaveUp(description: "the sign-in was refused") }
        guard let url = try await self.provider.logoutAddress(of: login.session)
        else { throw GaveUp(description: "no address ends the session at the provider") }
        return url
    }

    private func form(of notice: CheckedNotice?) throws -> ProviderForm {
        guard case .form(let form) = try #require(notice).reply
        else { throw GaveUp(description: "there is no form for the provider") }
        return form
    }

    @Test func `gets one from a page of this server, signed, about the viewer who signed out`() async throws {
        let url = try await self.address()
        #expect(url.hasPrefix("\(self.written.service.logout)?SAMLRequest="))
        // Opened twice, it is the same request, and ends nothing more here.
        for _ in 0..<2 {
            let notice = try await self.provider.check(.browser(try Written.callback(from: url)), now: Written.start)
            #expect(notice?.endings == [] && notice?.once == nil)
            let form = try self.form(of: notice)
            #expect(form.address == "https://idp.example/slo" && form.fields.map(\.name) == ["SAMLRequest"])
            let document = try #require(Base64.decode(form.fields[0].value))
            let issuer = try IssuerMetadata(entityID: "urn:signer", keys: [self.written.service.keys[0].key.publicKey])
            try TrustedIssuer(issuer, audience: "urn:a", recipient: "urn:b", privateKeys: [])
                .verify(document: String(decoding: document, as: UTF8.self))
            let root = try SAMLDocument(SAMLText(document, maximumSize: 65_536)).root
            #expect(root.has(.protocolElement("LogoutRequest")))
            #expect(root[attribute: "Destination"] == "https://idp.example/slo")
            #expect(root.onlyChild(.assertionElement("Issuer"))?.plainText == self.written.service.entityID)
            let name = SAMLViewerName(root.onlyChild(.assertionElement("NameID")))
            #expect(name?.text == "viewer-17" && name?.format == Written.persistent)
            #expect(root.onlyChild(.protocolElement("SessionIndex"))?.plainText == "s1")
            let asked = try SAMLRedirect.message(try #require(Written.callback(from: url)["SAMLRequest"]))
            let first = try SAMLDocument(SAMLText(asked, maximumSize: 65_536)).root
            #expect(root[attribute: "ID"] == first[attribute: "ID"])
            #expect(root[attribute: "NotOnOrAfter"] == first[attribute: "NotOnOrAfter"])
        }
    }

    @Test("gets none that this server did not sign, or that is over, for another address, or no logout")
    func refused() async throws {
        let url = try await self.address()
        let good = try Written.callback(from: url)
        let late = ProviderError(.unproven, detail: "\(AssertionFault.expired)")
        await #expect(throws: late) {
            try await self.provider.check(.browser(good), now: Written.start + .seconds(300))
        }
        let service = self.written.service
        let requests = SAMLRequests(issuer: service.entityID, now: Written.start)
        func query(_ message: CanonicalElement, by signature: SAMLKey) throws -> ProviderCallback {
            let query = try SAMLRedirect.query("SAMLRequest", message, relayState: nil, signedBy: signature)
            return try Written.callback(from: "\(service.logout)?\(query)")
        }
        func logout(to destination: String) -> CanonicalElement {
            requests.logout(
                id: "_own", to: destination, of: SAMLViewerName("viewer-18"), session: nil,
                until: Written.start + .seconds(300))
        }
        let own = logout(to: "https://idp.example/slo")
        let signIn = requests.signIn(id: "_own", to: "https://idp.example/slo", consumer: service.consumer)
        let cases: [(ProviderCallback, AssertionFault)] = [
            (try query(own, by: self.written.otherSignature), .querySignature),
            // The provider's own word is about its own requests.
            (try query(own, by: self.written.signature), .wrongIssuer),
            (try query(logout(to: "https://idp.example/other"), by: service.signature), .wrongDestination),
            (try query(signIn, by: service.signature), .unknownElement),
            (try Written.callback(from: url.replacing("&SigAlg=", with: "&RelayState=r&SigAlg=")), .querySignature),
        ]
        for (callback, fault) in cases {
            let error = await #expect(throws: ProviderError.self) {
                _ = try await self.provider.check(.browser(callback), now: Written.start)
            }
            #expect(error?.kind == .unproven && error?.detail == "\(fault)", "\(error?.detail ?? "") \(fault)")
        }
    }

    @Test func `is no more asked by form once its metadata name another way`() async throws {
        let callback = try Written.callback(from: try await self.address())
        let provider = try self.written.provider(
            ScriptedNetwork(try self.written.metadata(logoutBindings: [.redirect])))
        let gone = ProviderError(.unproven, detail: "\(AssertionFault.wrongDestination)")
        await #expect(throws: gone) { try await provider.check(.browser(callback), now: Written.start) }
    }
}
