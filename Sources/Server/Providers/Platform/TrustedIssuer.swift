import Clientless
import Cryptography
import Entitlement
import Synchronization

/// An issuer with what is needed to verify its responses, read once: reading the keys takes the library some 15 ms,
/// verifying a response with them about one.
final class TrustedIssuer: Sendable {
    /// The issuer's SAML entity ID.
    let entityID: String
    /// Whether encrypted assertions can be read.
    let decrypts: Bool
    private let keyCount: Int
    /// With one private key each, for the time in which keys are exchanged.
    private let servers: [Server]

    /// One at a time: that the library only reads what it keeps here is not written in its manual.
    private final class Server: Sendable {
        let handle: Mutex<LassoServerHandle>

        init(_ handle: consuming sending LassoServerHandle) {
            self.handle = Mutex(handle)
        }
    }

    /// - Parameters:
    ///   - issuer: the issuer's metadata.
    ///   - audience: this server's SAML entity ID.
    ///   - recipient: where assertions are delivered to.
    ///   - privateKeys: unencrypted PEM, for encrypted assertions.
    /// - Throws: `libraryMissing`, `libraryFailed`.
    init(
        _ issuer: IssuerMetadata, audience: String, recipient: String, privateKeys: [Secret]
    ) throws(AssertionFault) {
        let keys: [Secret?] = privateKeys.isEmpty ? [nil] : privateKeys
        let metadata = Self.serviceMetadata(entityID: audience, assertionConsumer: recipient)
        var servers: [Server] = []
        for key in keys {
            let server = try LassoServerHandle.make(metadata: metadata, privateKey: key)
            try server.trust(issuer: issuer.text)
            servers.append(Server(server))
        }
        self.entityID = issuer.entityID
        self.keyCount = issuer.keyCount
        self.decrypts = !privateKeys.isEmpty
        self.servers = servers
    }

    /// Verifies the signature of an element.
    /// - Parameter written: the element as our reader wrote it, which is what the library gets.
    /// - Throws: `unverified`; `substituted` if the library reads another element in it.
    func verify(_ element: XMLElement, written: String) throws(AssertionFault) {
        try self.verify(document: written)
        let text = try SAMLText(Array(written.utf8), maximumSize: .max)
        guard try XMLDocumentHandle.parse(text).root(comments: .refused) == element else { throw .substituted }
    }

    /// Verifies the signature of a document that is signed as a whole, or of the message in an envelope.
    /// - Throws: `unverified`.
    func verify(document: String, isEnvelope: Bool = false) throws(AssertionFault) {
        try self.servers[0].handle.withLock { (handle: inout LassoServerHandle) throws(AssertionFault) in
            try handle.verify(document: document, isEnvelope: isEnvelope, of: self.entityID)
        }
    }

    /// The library digests a stranger's document once for each key of the issuer: the more keys, the shorter it has to be.
    /// With one key 96 KiB take 4 ms, half of them before the library gets it.
    /// - Throws: `tooLarge`.
    func requireAffordable(_ document: String) throws(AssertionFault) {
        guard document.utf8.count * (2 + self.keyCount) <= PlatformExchange.maximumLength * 13 / 4
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
        let name = try self.decryptedName(hidden)
        return element.with(children: element.children.map { $0.has(encrypted) ? name : $0 })
    }

    private func decryptedName(_ element: XMLElement) throws(AssertionFault) -> XMLElement {
        let text = try self.decrypting { (handle: borrowing LassoServerHandle) throws(AssertionFault) in
            try handle.decrypt(element)
        }
        let name = try SAMLDocument(SAMLText(Array(text.utf8), maximumSize: PlatformExchange.maximumLength)).root
        guard name.has(.assertionElement("NameID")) else { throw .missingSubject }
        return name
    }

    /// The content of an encrypted assertion, read within the bounds of messages. A stranger may have encrypted it.
    /// - Throws: `missingPrivateKey`, `undecipherable`; `tooLarge`, and what ``SAMLText`` and ``SAMLDocument`` have
    ///   against it.
    func unverified(encrypted element: XMLElement) throws(AssertionFault) -> SAMLDocument {
        let limit = PlatformExchange.maximumLength
        let bytes = try self.decrypting { (handle: borrowing LassoServerHandle) throws(AssertionFault) in
            try handle.bytes(of: element, limit: limit)
        }
        let assertion = try SAMLDocument(SAMLText(bytes, maximumSize: limit))
        try self.requireAffordable(assertion.written)
        return assertion
    }

    private func decrypting<Value: Sendable>(
        _ body: (borrowing LassoServerHandle) throws(AssertionFault) -> Value
    ) throws(AssertionFault) -> Value {
        var last = AssertionFault.missingPrivateKey
        guard self.decrypts else { throw last }
        for server in self.servers {
            do throws(AssertionFault) {
                return try server.handle.withLock { (handle: inout LassoServerHandle) throws(AssertionFault) in
                    try body(handle)
                }
            } catch {
                // It may be encrypted for another key of ours.
                guard case .undecipherable = error else { throw error }
                last = error
            }
        }
        throw last
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
