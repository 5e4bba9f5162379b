import Cryptography

/// This server as a service provider of one identity provider.
package struct SAMLService: Sendable {
    /// The provider's name for this server.
    package let entityID: String
    /// The address for answers to sign-ins.
    package let consumer: String
    /// The address for messages of logouts that browsers bring.
    package let logout: String
    /// The address for logout requests of the provider itself.
    package let soapLogout: String
    /// The first one signs. All are published, and open what was encrypted for them, so that the provider may learn of a
    /// new key before it is used.
    let keys: [SAMLKey]

    /// - Precondition: there is a key.
    package init(entityID: String, consumer: String, logout: String, soapLogout: String, keys: [SAMLKey]) {
        precondition(!keys.isEmpty, "a service provider signs what it asks for")
        self.entityID = entityID
        self.consumer = consumer
        self.logout = logout
        self.soapLogout = soapLogout
        self.keys = keys
    }

    var signature: SAMLKey { self.keys[0] }

    /// The metadata of this server for the provider, signed (SAML 2.0 Metadata 2.4.4).
    /// - Parameter wantsSignedAssertions: whether a signed response does not do.
    /// - Throws: `libraryFailed`.
    package func metadata(wantsSignedAssertions: Bool, nameFormat: String?) throws(AssertionFault) -> String {
        func descriptor(_ key: SAMLKey, use: String) -> CanonicalElement {
            let certificate = CanonicalElement(.ds, "X509Certificate", text: key.certificate)
            return CanonicalElement(
                .md, "KeyDescriptor", ["use": use],
                [CanonicalElement(.ds, "KeyInfo", [CanonicalElement(.ds, "X509Data", [certificate])])])
        }
        func endpoint(_ name: String, _ binding: SAMLBinding, _ address: String, index: String? = nil)
            -> CanonicalElement
        {
            CanonicalElement(
                .md, name,
                [
                    "Binding": binding.rawValue, "Location": address, "index": index,
                    "isDefault": index.map { _ in "true" },
                ])
        }
        var parts = self.keys.map { descriptor($0, use: "signing") }
        parts.append(descriptor(self.keys[0], use: "encryption"))
        parts.append(endpoint("SingleLogoutService", .redirect, self.logout))
        parts.append(endpoint("SingleLogoutService", .post, self.logout))
        parts.append(endpoint("SingleLogoutService", .soap, self.soapLogout))
        if let nameFormat { parts.append(CanonicalElement(.md, "NameIDFormat", text: nameFormat)) }
        parts.append(endpoint("AssertionConsumerService", .post, self.consumer, index: "0"))
        let role = CanonicalElement(
            .md, "SPSSODescriptor",
            [
                "AuthnRequestsSigned": "true", "WantAssertionsSigned": wantsSignedAssertions ? "true" : "false",
                "protocolSupportEnumeration": CanonicalElement.Namespace.samlp.rawValue,
            ], parts)
        let id = Hex.encode(Digest.sha256("\(self.entityID)\n\(role.written)".utf8).prefix(16))
        let entity = CanonicalElement(
            .md, "EntityDescriptor", ["ID": "_\(id)", "cacheDuration": "P1D", "entityID": self.entityID], [role])
        return try self.signature.signed(entity, at: 0).written
    }
}
