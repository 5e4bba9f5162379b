/// Which XML signatures are taken: over the element they are in, as a whole, made with methods that are not broken.
///
/// The library verifies what the signature says it covers. These rules see to it that this is all one could mean, so
/// that no signed piece lends its signature to another one (SAML 2.0 Core 5.4; "signature wrapping").
struct SignatureRules: Hashable, Sendable {
    let acceptsSHA1: Bool

    private static let signed = "http://www.w3.org/2000/09/xmldsig#"
    private static let more = "http://www.w3.org/2001/04/xmldsig-more#"
    private static let encrypted = "http://www.w3.org/2001/04/xmlenc#"

    private static let methods: Set = ["\(more)rsa-sha256", "\(more)rsa-sha384", "\(more)rsa-sha512"]
    private static let digests: Set = ["\(encrypted)sha256", "\(more)sha384", "\(encrypted)sha512"]
    private static let canonicalForms: Set = [
        "http://www.w3.org/2001/10/xml-exc-c14n#", "http://www.w3.org/2001/10/xml-exc-c14n#WithComments",
        "http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
        "http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments",
    ]
    private static let enveloped = "\(signed)enveloped-signature"
    /// The library looks up each of them at every element, before it knows who signed. Providers name one or two.
    private static let maximumPrefixes = 8

    /// Looks at the signature directly inside `element`.
    /// - Returns: whether there is one. It is not verified.
    /// - Throws: `misplacedSignature`, `missingID`, `signatureReference`, `signatureAlgorithm`.
    func isSigned(_ element: XMLElement) throws(AssertionFault) -> Bool {
        let signatures = element.children(.signatureElement("Signature"))
        guard let signature = signatures.first else { return false }
        guard signatures.count == 1 else { throw .misplacedSignature }
        guard let id = element[attribute: "ID"], !id.isEmpty else { throw .missingID }
        guard signature.children(.signatureElement("Object")).isEmpty,
            let information = signature.onlyChild(.signatureElement("SignedInfo")),
            let reference = information.onlyChild(.signatureElement("Reference")),
            reference[attribute: "URI"] == "#\(id)"
        else { throw .signatureReference }
        guard let canonicalForm = Self.algorithm(information.onlyChild(.signatureElement("CanonicalizationMethod"))),
            Self.canonicalForms.contains(canonicalForm),
            let method = Self.algorithm(information.onlyChild(.signatureElement("SignatureMethod"))),
            Self.methods.contains(method) || (self.acceptsSHA1 && method == "\(Self.signed)rsa-sha1"),
            let digest = Self.algorithm(reference.onlyChild(.signatureElement("DigestMethod"))),
            Self.digests.contains(digest) || (self.acceptsSHA1 && digest == "\(Self.signed)sha1"),
            Self.areTransformsAllowed(reference)
        else { throw .signatureAlgorithm }
        return true
    }

    /// Those SAML admits: without the signature itself, and in a canonical form (SAML 2.0 Core 5.4.4).
    private static func areTransformsAllowed(_ reference: XMLElement) -> Bool {
        guard let list = reference.onlyChild(.signatureElement("Transforms")),
            list.children.allSatisfy({ $0.has(.signatureElement("Transform")) }), list.children.count <= 2
        else { return false }
        let transforms = list.children.compactMap { $0[attribute: "Algorithm"] }
        guard transforms.count == list.children.count else { return false }
        // The signature would have to cover itself without the first.
        return transforms.filter { $0 == Self.enveloped }.count == 1
            && transforms.allSatisfy { $0 == Self.enveloped || Self.canonicalForms.contains($0) }
            && list.children.allSatisfy(Self.hasOnlyPrefixes)
    }

    /// The algorithm of a method without parameters: one could shorten what is compared.
    private static func algorithm(_ method: XMLElement?) -> String? {
        guard let method, Self.hasOnlyPrefixes(method) else { return nil }
        return method[attribute: "Algorithm"]
    }

    /// Whether a method has no parameter but one short list of prefixes (Exclusive XML Canonicalization 1.0, 3).
    private static func hasOnlyPrefixes(_ method: XMLElement) -> Bool {
        guard let parameter = method.children.first else { return true }
        guard method.children.count == 1, parameter.name == "InclusiveNamespaces", parameter.children.isEmpty,
            parameter.attributes.count == 1, let prefixes = parameter[attribute: "PrefixList"]
        else { return false }
        return prefixes.utf8.count <= 256 && prefixes.split(whereSeparator: \.isWhitespace).count <= maximumPrefixes
    }
}
