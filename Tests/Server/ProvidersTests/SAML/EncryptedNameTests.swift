import ClaimsMapping
import Cryptography
import Entitlement
import Testing
import TextCoding

@testable import Providers

@Suite("An encrypted name of a viewer", .timeLimit(.minutes(5)))
struct EncryptedNameTests {
    private typealias Written = WrittenProvider

    private let identity: IdentityProvider
    private let written: WrittenProvider

    init() throws {
        self.identity = try IdentityProvider.shared.get()
        self.written = try WrittenProvider()
    }

    private func provider(_ keys: [SAMLKey]) throws -> SAMLProvider {
        let own = self.written.service
        let service = SAMLService(
            entityID: own.entityID, consumer: own.consumer, logout: own.logout, soapLogout: own.soapLogout, keys: keys)
        let metadata = Array(try self.written.metadata(logoutBindings: [.post, .soap]).utf8)
        let client = SAMLClient(
            SAMLClient.Settings(service: service, source: .document(metadata)), exchange: ScriptedNetwork(""),
            clocks: TestNow().clocks)
        return SAMLProvider(client, SAMLProvider.Rules(lineUp: .fixed([]), mapping: try MetadataMapping([])))
    }

    private func key(_ pem: Secret) throws -> SAMLKey { try SAMLKey(pem: pem, name: "Latchkey") }

    /// What lasso's provider encrypted for ``IdentityProvider/privateKey``.
    private func encrypted(_ name: String = "encryptedName") throws -> String {
        try self.identity.response(name).piece("<saml:EncryptedID>", "</saml:EncryptedID>")
    }

    /// A request for a logout with this in place of the name, in an address that the provider signed.
    private func logout(_ name: String, signedBy signature: SAMLKey? = nil) throws -> ProviderCallback {
        let message = self.written.logout(to: self.written.service.logout).written
        let prefix = "xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\""
        let text = message.replacing(try message.piece("<saml:NameID", "</saml:NameID>"), with: name)
        let bytes = Array(text.replacing("<saml:EncryptedID>", with: "<saml:EncryptedID \(prefix)>").utf8)
        let count = try #require(UInt16(exactly: bytes.count))
        let (low, high) = (UInt8(count & 0xFF), UInt8(count >> 8))
        // One block that is stored as it is (RFC 1951 3.2.4).
        let request = Base64.encode([1, low, high, ~low, ~high] + bytes)
        let method = PercentCoding.encoded(SAMLKey.method)
        let query = "SAMLRequest=\(PercentCoding.encoded(request))&SigAlg=\(method)"
        let value = Base64.encode(try (signature ?? self.written.signature).signature(for: query))
        return try Written.callback(from: "?\(query)&Signature=\(PercentCoding.encoded(value))")
    }

    @Test("finds the sign-ins that a provider ends, with whichever of this server's keys it was encrypted for")
    func logouts() async throws {
        let other = self.written.service.keys[0]
        let mine = try self.key(self.identity.privateKey)
        for keys in [[mine], [mine, other], [other, mine]] {
            let notice = try await self.provider(keys).check(
                .browser(try self.logout(try self.encrypted())), now: Written.start)
            // Lasso's provider gives it this format, with which no index is needed.
            let name = SAMLViewerName("viewer-17", format: SAMLViewerName.transient)
            #expect(notice?.endings == [.session(SAMLSession.sessionName(name, index: nil))])
        }
    }

    @Test("is not read where the message is not the provider's, nor where it is for another, twice, or no name")
    func refused() async throws {
        let mine = try self.key(self.identity.privateKey)
        let name = try self.encrypted()
        let clear = "<saml:NameID xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\">viewer-18</saml:NameID>"
        let elsewhere = "<RetrievalMethod URI=\"http://localhost/\"/><EncryptedKey"
        let cases: [(ProviderCallback, [SAMLKey], AssertionFault?)] = [
            (try self.logout(name.replacing("<EncryptedKey", with: elsewhere)), [mine], .externalReference),
            (try self.logout(name, signedBy: self.written.otherSignature), [mine], .querySignature),
            (try self.logout(name), self.written.service.keys, nil),
            (try self.logout(name + clear), [mine], .missingSubject),
            (try self.logout(name + name), [mine], .missingSubject),
            (try self.logout(try self.encrypted("encryptedOther")), [mine], .missingSubject),
            (try self.logout("<saml:EncryptedID></saml:EncryptedID>"), [mine], nil),
        ]
        for (callback, keys, fault) in cases {
            let error = await #expect(throws: ProviderError.self) {
                _ = try await self.provider(keys).check(.browser(callback), now: Written.start)
            }
            #expect(error?.kind == .unproven)
            guard let fault else {
                let detail = error?.detail ?? ""
                #expect(detail.hasPrefix("what is encrypted was not decrypted"), "\(detail)")
                continue
            }
            #expect(error?.detail == "\(fault)")
        }
    }

    @Test("in an assertion is refused without a key, when it is no name, and when it is not the one that was signed")
    func assertions() async throws {
        let keyless = try LassoPlatformAssertions()
        let name = try self.identity.response("encryptedName")
        #expect(try await self.identity.refusal(of: name, by: keyless) == AssertionFault.missingPrivateKey.detail)
        let other = try await self.identity.refusal(of: try self.identity.response("encryptedOther"))
        #expect(other == AssertionFault.missingSubject.detail)
        // Another ciphertext in place of the one that was signed.
        let altered = name.replacing(try self.encrypted(), with: try self.encrypted("encryptedNameWhole"))
        #expect(altered != name)
        #expect(try await self.identity.refusal(of: altered)?.hasPrefix(PlatformAssertionTests.unverified) == true)
    }
}
