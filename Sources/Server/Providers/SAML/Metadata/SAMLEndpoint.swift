import OpenIDConnect

/// How messages travel (SAML 2.0 Bindings).
package enum SAMLBinding: String, Hashable, Sendable, CaseIterable {
    case redirect = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
    case post = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
    case soap = "urn:oasis:names:tc:SAML:2.0:bindings:SOAP"
}

/// An address of a provider, as its metadata have it.
struct SAMLEndpoint: Hashable, Sendable {
    let binding: SAMLBinding
    let address: EndpointAddress
    /// The address for answers.
    let answerAddress: EndpointAddress

    /// - Returns: `nil` for a binding that is not spoken here, and for an address that is none.
    init?(_ element: XMLElement, policy: EndpointAddress.Policy) {
        guard let binding = element[attribute: "Binding"].flatMap(SAMLBinding.init(rawValue:)),
            let address = element[attribute: "Location"].flatMap({ EndpointAddress($0, policy: policy) })
        else { return nil }
        self.binding = binding
        self.address = address
        let answer = element[attribute: "ResponseLocation"]
        guard let answerAddress = answer.map({ EndpointAddress($0, policy: policy) }) ?? address else { return nil }
        self.answerAddress = answerAddress
    }
}
