import Clientless

/// An element of a SAML document as a value: names with their namespaces, and text.
///
/// Everything that decides works on this, so that rules are tested and read without a pointer.
struct XMLElement: Hashable, Sendable {
    struct Attribute: Hashable, Sendable {
        /// The URI of the namespace; empty without one.
        let namespace: String
        let name: String
        let value: String
    }

    let namespace: String
    let name: String
    let attributes: [Attribute]
    var children: [XMLElement]
    /// The character data directly inside, in one piece.
    var text: String

    /// The value of an attribute without a namespace.
    subscript(attribute name: String) -> String? {
        self.attributes.first { $0.namespace.isEmpty && $0.name == name }?.value
    }

    func has(_ name: SAMLName) -> Bool { self.name == name.name && self.namespace == name.namespace }

    func children(_ name: SAMLName) -> [XMLElement] { self.children.filter { $0.has(name) } }

    /// The child of that name, if there is exactly one.
    func onlyChild(_ name: SAMLName) -> XMLElement? {
        let children = self.children(name)
        return children.count == 1 ? children[0] : nil
    }

    /// The text without white space around it; `nil` when there are elements inside.
    var plainText: String? { self.children.isEmpty ? String(XMLText.trimmed(self.text[...])) : nil }

    /// The element and everything in it, outermost first. Depth is bounded where elements are made.
    func visit<Failure: Error>(_ body: (XMLElement) throws(Failure) -> Void) throws(Failure) {
        try body(self)
        // A span lends its elements; an array would copy each.
        let children = self.children.span
        for place in children.indices { try children[place].visit(body) }
    }
}

/// A qualified name of SAML 2.0 or of what it is signed and encrypted with.
struct SAMLName: Hashable, Sendable {
    let namespace: String
    let name: String

    static func protocolElement(_ name: String) -> SAMLName {
        SAMLName(namespace: "urn:oasis:names:tc:SAML:2.0:protocol", name: name)
    }

    static func assertionElement(_ name: String) -> SAMLName {
        SAMLName(namespace: "urn:oasis:names:tc:SAML:2.0:assertion", name: name)
    }

    static func metadataElement(_ name: String) -> SAMLName {
        SAMLName(namespace: "urn:oasis:names:tc:SAML:2.0:metadata", name: name)
    }

    static func signatureElement(_ name: String) -> SAMLName {
        SAMLName(namespace: "http://www.w3.org/2000/09/xmldsig#", name: name)
    }

    static func encryptionElement(_ name: String) -> SAMLName {
        SAMLName(namespace: "http://www.w3.org/2001/04/xmlenc#", name: name)
    }
}
