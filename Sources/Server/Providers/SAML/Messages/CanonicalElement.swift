import Clientless

/// An element of a message of ours, which is written in its exclusive canonical form (Exclusive XML Canonicalization 1.0):
/// what is signed is what is sent, so a signature needs neither a parser nor a library.
struct CanonicalElement: Hashable, Sendable {
    enum Namespace: String, Hashable, Sendable {
        case saml = "urn:oasis:names:tc:SAML:2.0:assertion"
        case samlp = "urn:oasis:names:tc:SAML:2.0:protocol"
        case md = "urn:oasis:names:tc:SAML:2.0:metadata"
        case ds = "http://www.w3.org/2000/09/xmldsig#"
        case soap = "http://schemas.xmlsoap.org/soap/envelope/"
        case authorization = "urn:oasis:names:tc:xacml:2.0:profile:saml2.0:v2:schema:protocol"
        case context = "urn:oasis:names:tc:xacml:2.0:context:schema:os"

        var prefix: String {
            switch self {
            case .saml: "saml"
            case .samlp: "samlp"
            case .md: "md"
            case .ds: "ds"
            case .soap: "soap"
            case .authorization: "xacml-samlp"
            case .context: "xacml-context"
            }
        }
    }

    let namespace: Namespace
    let name: String
    /// Without a namespace.
    let attributes: [String: String]
    var children: [CanonicalElement]
    let text: String

    /// - Parameter attributes: one whose value is `nil` is left out.
    init(
        _ namespace: Namespace, _ name: String, _ attributes: [String: String?] = [:], text: String = "",
        _ children: [CanonicalElement] = []
    ) {
        self.namespace = namespace
        self.name = name
        self.attributes = attributes.compactMapValues { $0 }
        self.children = children
        self.text = text
    }

    /// The element as a document of its own.
    var written: String {
        var bytes: [UInt8] = []
        self.write(to: &bytes, declared: [])
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(to bytes: inout [UInt8], declared: Set<Namespace>) {
        let name = "\(self.namespace.prefix):\(self.name)"
        bytes += "<\(name)".utf8
        if !declared.contains(self.namespace) {
            bytes += " xmlns:\(self.namespace.prefix)=\"\(self.namespace.rawValue)\"".utf8
        }
        for (name, value) in self.attributes.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            bytes += " \(name)=\"".utf8
            XMLText.append(value, in: .canonicalAttribute, to: &bytes)
            bytes += "\"".utf8
        }
        bytes += ">".utf8
        XMLText.append(self.text, in: .canonicalContent, to: &bytes)
        for child in self.children { child.write(to: &bytes, declared: declared.union([self.namespace])) }
        bytes += "</\(name)>".utf8
    }
}
