import Clientless
import Cryptography
import Synchronization

/// An issuer with what is needed to verify its responses, read once: reading the keys takes the library some 15 ms,
/// verifying a response with them about one.
final class TrustedIssuer: Sendable {
    /// The issuer's SAML entity ID.
    let entityID: String
    /// One at a time: that the library only reads what it keeps here is not written in its manual.
    private let server: Mutex<LassoServerHandle>

    /// - Parameters:
    ///   - metadata: the issuer's.
    ///   - audience: this server's SAML entity ID.
    ///   - recipient: where assertions are delivered to.
    ///   - privateKey: unencrypted PEM, for encrypted assertions.
    /// - Throws: what is wrong with the metadata; `libraryFailed`.
    init(metadata: String, audience: String, recipient: String, privateKey: Secret?) throws(AssertionFault) {
        let issuer = try IssuerMetadata(metadata)
        let server = try LassoServerHandle.make(
            metadata: Self.serviceMetadata(entityID: audience, assertionConsumer: recipient),
            privateKey: privateKey)
        try server.trust(issuer: issuer.text)
        self.entityID = issuer.entityID
        self.server = Mutex(server)
    }

    /// Verifies a response, and decrypts its assertion where it is encrypted.
    /// - Returns: the assertion the library verified.
    /// - Throws: `unverified`, `libraryFailed`; `tooComplex`, `foreignContent`.
    func verifiedAssertion(of document: SAMLDocument) throws(AssertionFault) -> XMLElement {
        try self.server.withLock { (server: inout LassoServerHandle) throws(AssertionFault) in
            let login = try LassoLoginHandle.make(server: server)
            try login.process(Base64.encode(Array(document.written.utf8)))
            return try login.assertion()
        }
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
