/// The places of a SAML response's parts, before anything of it is believed.
struct ResponseShape {
    /// The assertion, when it is readable as it stands.
    let assertion: XMLElement?
    let isResponseSigned: Bool

    /// - Throws: the response differs from SAML 2.0 Core 3.3.3, or is ambiguous.
    init(_ response: XMLElement, rules: SignatureRules) throws(AssertionFault) {
        guard response.has(.protocolElement("Response")), response[attribute: "Version"] == "2.0",
            response[attribute: "ID"]?.isEmpty == false
        else { throw .notResponse }
        try Self.requireOneAssertion(in: response)
        guard response.children.contains(where: Self.isAssertion) else { throw .assertionCount }
        try Self.requireOneMeaning(of: response)
        let assertions = response.children(.assertionElement("Assertion"))
        self.assertion = assertions.first
        try Self.requireSignatures(in: [response] + assertions, of: response)
        self.isResponseSigned = try rules.isSigned(response)
    }

    /// The shape of a response whose issuer says that the sign-in went well.
    /// - Throws: as above; `statusNotSuccess`.
    init(successful response: XMLElement, rules: SignatureRules) throws(AssertionFault) {
        try Self.requireSuccess(response)
        try self.init(response, rules: rules)
    }

    /// The assertion that a signature of the issuer covers, with the viewer's name in clear. Every signature is verified.
    /// - Parameter isOwnSignatureNeeded: whether it has to be signed itself; else a signed response will do.
    /// - Throws: `tooLarge`, `unsigned`, `missingPrivateKey`, `unknownElement`, `substituted`, `undecipherable`,
    ///   `missingSubject`; what the library has against it.
    func verifiedAssertion(
        of document: SAMLDocument, from issuer: TrustedIssuer, by rules: SignatureRules,
        isOwnSignatureNeeded: Bool = false
    ) throws(AssertionFault) -> XMLElement {
        func isSignedItself(_ assertion: XMLElement) throws(AssertionFault) -> Bool {
            let isSigned = try rules.isSigned(assertion)
            guard isSigned || (self.isResponseSigned && !isOwnSignatureNeeded) else {
                throw self.isResponseSigned ? .assertionUnsigned : .unsigned
            }
            return isSigned
        }
        // Before the library verifies anything.
        var isSigned = try self.assertion.map(isSignedItself) ?? false
        let hidden = document.root.onlyChild(.assertionElement("EncryptedAssertion"))
        guard hidden == nil || document.written.text.utf8.count <= SAMLDocument.maximumEncryptedSize
        else { throw .tooLarge }
        try SAMLDocument.requireKnownElements(in: document.root)
        try issuer.requireAffordable(document.written)
        if self.isResponseSigned { try issuer.verify(document.root, written: document.written) }
        var (assertion, written) = (self.assertion, document.writtenAssertion)
        if let hidden {
            let opened = try issuer.unverified(encrypted: hidden)
            try Self.check(decrypted: opened.root)
            try SAMLDocument.requireKnownElements(in: opened.root, isDecrypted: true)
            (assertion, written) = (opened.root, opened.written)
            isSigned = try isSignedItself(opened.root)
        }
        guard let assertion, let written else { throw .assertionCount }
        if isSigned { try issuer.verify(assertion, written: written) }
        let subject = SAMLName.assertionElement("Subject")
        guard let named = try assertion.onlyChild(subject).map(issuer.withClearName) else { return assertion }
        return assertion.with(children: assertion.children.map { $0.has(subject) ? named : $0 })
    }

    /// Whether the issuer says that the sign-in went well. Anything else has no assertion to speak of.
    /// - Throws: `statusNotSuccess`.
    static func requireSuccess(_ response: XMLElement) throws(AssertionFault) {
        guard SAMLStatus(of: response) == nil else { throw .statusNotSuccess }
    }

    /// The shape of an assertion that came out of its encryption, where it could not be looked at before.
    static func check(decrypted assertion: XMLElement) throws(AssertionFault) {
        guard assertion.has(.assertionElement("Assertion")) else { throw .assertionCount }
        try Self.requireOneAssertion(in: assertion)
        try Self.requireOneMeaning(of: assertion)
        try Self.requireSignatures(in: [assertion], of: assertion)
    }

    private static func isAssertion(_ element: XMLElement) -> Bool {
        element.has(.assertionElement("Assertion")) || element.has(.assertionElement("EncryptedAssertion"))
    }

    /// One in all: a second one is there to be taken for the first.
    private static func requireOneAssertion(in element: XMLElement) throws(AssertionFault) {
        var count = 0
        element.visit { if Self.isAssertion($0) { count += 1 } }
        guard count == 1 else { throw .assertionCount }
    }

    /// No ID is there twice, and no reference leads out of the document: encrypted data may name its key by one, and
    /// nothing may be fetched.
    static func requireOneMeaning(of root: XMLElement) throws(AssertionFault) {
        var seen: Set<String> = []
        try root.visit { (element) throws(AssertionFault) in
            if element.has(.encryptionElement("CipherReference")) { throw .externalReference }
            let isReference = element.has(.signatureElement("RetrievalMethod"))
            if isReference, element[attribute: "URI"]?.hasPrefix("#") != true { throw .externalReference }
            for attribute in element.attributes
            where attribute.name.utf8.elementsEqual("ID".utf8)
                || attribute.name.utf8.elementsEqual("Id".utf8) || attribute.name.utf8.elementsEqual("id".utf8)
            {
                // `xml:id` is an ID to every parser, and none to SAML.
                guard attribute.namespace.isEmpty, seen.insert(attribute.value).inserted else { throw .repeatedID }
            }
        }
    }

    /// Every signature lies directly in one of `places`.
    static func requireSignatures(in places: [XMLElement], of root: XMLElement) throws(AssertionFault) {
        var count = 0
        root.visit { if $0.has(.signatureElement("Signature")) { count += 1 } }
        let inPlace = places.reduce(0) { $0 + $1.children(.signatureElement("Signature")).count }
        guard count == inPlace else { throw .misplacedSignature }
    }
}
