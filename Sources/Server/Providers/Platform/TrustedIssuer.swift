import Clientless
import Cryptography
import Entitlement
import Synchronization

/// An issuer with what is needed to verify its responses, read once: reading the keys takes the library some 15 ms,
/// verifying a response with them about one.
final class TrustedIssuer: Sendable {
    let entityID: String
    private let keyCount: Int
    /// One at a time: that the library only reads what it keeps here is not written in its manual.
    private let server: Mutex<LassoServerHandle>

    /// - Parameter privateKeys: unencrypted PEM, for what is encrypted; several while keys are exchanged.
    /// - Throws: `libraryMissing`, `libraryFailed`.
    init(_ issuer: IssuerMetadata, audience: String, recipient: String, privateKeys: [Secret]) throws(AssertionFault) {
        let server = try LassoServerHandle.make(
            metadata: Self.serviceMetadata(entityID: audience, assertionConsumer: recipient), privateKeys: privateKeys)
        try server.trust(issuer: issuer.text)
        self.entityID = issuer.entityID
        self.keyCount = issuer.keyCount
        self.server = Mutex(server)
    }

    /// - Parameter written: the element as our reader wrote it, which is what the library gets.
    /// - Throws: `unverified`; `substituted` if the library reads another element in it.
    func verify(_ element: XMLElement, written: SAMLText) throws(AssertionFault) {
        try self.verify(document: written.text)
        guard try XMLDocumentHandle.parse(written).root(comments: .refused) == element else { throw .substituted }
    }

    /// Verifies the signature of a document that is signed as a whole, or of the message in an envelope.
    /// - Throws: `unverified`.
    func verify(document: String, isEnvelope: Bool = false) throws(AssertionFault) {
        try self.server.withLock { (handle: inout LassoServerHandle) throws(AssertionFault) in
            try handle.verify(document: document, isEnvelope: isEnvelope, of: self.entityID)
        }
    }

    /// The library digests a stranger's document once for each key of the issuer: the more keys, the shorter it has to be.
    /// With one key 96 KiB take 4 ms, half of them before the library gets it.
    /// - Throws: `tooLarge`.
    func requireAffordable(_ document: SAMLText) throws(AssertionFault) {
        guard document.text.utf8.count * (2 + self.keyCount) <= PlatformBoarding.maximumLength * 13 / 4
        else { throw .tooLarge }
    }

    /// The element with the viewer's name in clear where that is encrypted (SAML 2.0 Core 2.2.4), else the element itself.
    /// - Parameter element: what has the name directly inside, in a message of the issuer that was verified: what a stranger
    ///   encrypted is not worth the private key.
    /// - Throws: `missingSubject` for more than one name, and for what holds none; `missingPrivateKey`, `undecipherable`.
    func withClearName(_ element: XMLElement) throws(AssertionFault) -> XMLElement {
        let encrypted = SAMLName.assertionElement("EncryptedID")
        guard !element.children(encrypted).isEmpty else { return element }
        guard let hidden = element.onlyChild(encrypted), element.children(.assertionElement("NameID")).isEmpty
        else { throw .missingSubject }
        let name = try self.unverified(encrypted: hidden).root
        guard name.has(.assertionElement("NameID")) else { throw .missingSubject }
        return element.with(children: element.children.map { $0.has(encrypted) ? name : $0 })
    }

    /// The content of an encrypted element, read within the bounds of messages. A stranger may have encrypted it.
    /// - Throws: `missingPrivateKey`, `undecipherable`; `tooLarge`, and what ``SAMLText`` and ``SAMLDocument`` have
    ///   against it.
    func unverified(encrypted element: XMLElement) throws(AssertionFault) -> SAMLDocument {
        let limit = PlatformBoarding.maximumLength
        let bytes = try self.server.withLock { (handle: inout LassoServerHandle) throws(AssertionFault) in
            try handle.decrypted(element, limit: limit)
        }
        let content = try SAMLDocument(SAMLText(bytes, maximumSize: limit))
        try self.requireAffordable(content.written)
        return content
    }

    /// This server's own SAML metadata, as far as lasso wants it (SAML 2.0 Metadata 2.4.4).
    private static func serviceMetadata(entityID: String, assertionConsumer: String) -> String {
        """
        <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="\(XMLText.escaped(entityID))">\
        <SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">\
        <AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" \
        Location="\(XMLText.escaped(assertionConsumer))" index="0" isDefault="true"/>\
        </SPSSODescriptor></EntityDescriptor>
        """
    }
}
