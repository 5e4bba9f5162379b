import Clientless

/// This server's own SAML metadata, as far as lasso wants it (SAML 2.0 Metadata 2.4.4).
enum ServiceProviderMetadata {
    static func text(entityID: String, assertionConsumer: String) -> String {
        """
        <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="\(XMLText.escaped(entityID))">\
        <SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">\
        <AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" \
        Location="\(XMLText.escaped(assertionConsumer))" index="0" isDefault="true"/>\
        </SPSSODescriptor></EntityDescriptor>
        """
    }
}
