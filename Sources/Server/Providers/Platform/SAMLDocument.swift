import Clientless

/// A SAML message as our own reader understands it, written anew from that alone.
///
/// The library gets what is written here, never the bytes that came: no comment, no instruction, no declaration, no
/// entity, and after ``requireKnownElements(in:of:isDecrypted:)`` no element that responses are not made of. Prefixes,
/// attributes and text stay as they are, so the canonical form stays too, and with it every signature.
struct SAMLDocument {
    /// How many elements a message may have. Responses have about fifty; the library's work on a signature grows faster
    /// than their number.
    static let maximumCount = 512
    /// Logouts name at most ``SAMLLogoutRequest/maximumSessions``. Strangers may send them without an attempt to sign in.
    static let maximumLogoutCount = 128
    /// How many declarations of namespaces may be in scope at an element: the library compares each prefix that it looks up
    /// with them. In all, a message may have twice as many as elements, and as many attributes: some providers declare
    /// two at each value.
    static let maximumDeclarations = 32
    /// The longest message of a logout in bytes: one with all sessions that it may name, and a certificate.
    static let maximumLogoutSize = 32_768

    /// The longest response with an encrypted assertion in bytes: it is read, decrypted, and read once more, which takes
    /// 4 ms. Those of providers have 6 to 20 KiB.
    static let maximumEncryptedSize = 32_768

    let root: XMLElement
    /// The message in UTF-8.
    let written: String
    /// The assertion directly inside the outermost element, as a document of its own: it declares what was in scope there,
    /// so its canonical forms stay. `nil` if there is none.
    let writtenAssertion: String?

    /// - Parameter maximumCount: how many elements it may have.
    /// - Throws: `notXML`, `tooComplex`, `foreignContent`.
    init(_ text: SAMLText, maximumCount: Int = Self.maximumCount) throws(AssertionFault) {
        var builder = SAMLDocumentBuilder(maximumCount: maximumCount)
        do throws(XMLError) {
            var reader = try XMLReader(
                String(decoding: text.bytes, as: UTF8.self), size: text.bytes.count,
                depth: XMLElement.maximumDepth + 1)
            while let event = try reader.next() {
                switch event {
                case .start(let name): builder.start(name, reader.attributes)
                case .text(let text): builder.append(text)
                case .end(let name): builder.end(name)
                }
                if builder.fault != nil { break }
            }
            if reader.skippedForeignContent { builder.refuse(.foreignContent) }
        } catch {
            throw .notXML
        }
        if let fault = builder.fault { throw fault }
        guard let root = builder.root else { throw .notXML }
        self.root = root
        self.written = builder.written
        self.writtenAssertion = builder.writtenAssertion
    }

    /// A message about a logout.
    /// - Throws: as above; `tooLarge`.
    init(logout bytes: [UInt8]) throws(AssertionFault) {
        try self.init(
            SAMLText(bytes, maximumSize: Self.maximumLogoutSize), maximumCount: Self.maximumLogoutCount)
        try Self.requireKnownElements(in: self.root, of: Self.knownInLogouts)
        try ResponseShape.requireDistinctIDs(in: self.root)
        try ResponseShape.requireNothingOutside(of: self.root)
    }

    /// - Parameter isDecrypted: whether `root` came out of an encryption; nothing inside may be encrypted once more.
    /// - Throws: `unknownElement`.
    static func requireKnownElements(
        in root: XMLElement, of known: [String: Set<String>] = Self.known, isDecrypted: Bool = false
    ) throws(AssertionFault) {
        try root.visit { (element) throws(AssertionFault) in
            // Swift takes the sign of the kelvin for a K.
            guard element.name.utf8.allSatisfy({ $0 < 0x80 }),
                known[element.namespace]?.contains(element.name) == true,
                !isDecrypted || element.namespace != SAMLName.encryptionElement("").namespace
            else { throw .unknownElement }
        }
    }

    /// The elements of messages of logouts, and of their envelopes (SAML 2.0 Core 3.7; SOAP 1.1).
    static let knownInLogouts: [String: Set<String>] = [
        SAMLName.protocolElement("").namespace: [
            "LogoutRequest", "LogoutResponse", "SessionIndex", "Status", "StatusCode", "StatusDetail", "StatusMessage",
        ],
        SAMLName.assertionElement("").namespace: ["EncryptedID", "Issuer", "NameID"],
        SAMLName.signatureElement("").namespace: known[SAMLName.signatureElement("").namespace] ?? [],
        SAMLName.encryptionElement("").namespace: known[SAMLName.encryptionElement("").namespace] ?? [],
        "http://www.w3.org/2009/xmlenc11#": ["MGF"],
        "http://www.w3.org/2001/10/xml-exc-c14n#": ["InclusiveNamespaces"],
        CanonicalElement.Namespace.soap.rawValue: ["Body", "Envelope", "Header"],
    ]

    /// The elements of responses with one assertion, by namespace (SAML 2.0 Core; XML Signature with RSA keys; XML
    /// Encryption).
    static let known: [String: Set<String>] = [
        SAMLName.protocolElement("").namespace: [
            "Extensions", "Response", "Status", "StatusCode", "StatusDetail", "StatusMessage",
        ],
        SAMLName.assertionElement("").namespace: [
            "Advice", "Assertion", "AssertionIDRef", "AssertionURIRef", "Attribute", "AttributeStatement",
            "AttributeValue", "Audience", "AudienceRestriction", "AuthenticatingAuthority", "AuthnContext",
            "AuthnContextClassRef", "AuthnContextDeclRef", "AuthnStatement", "Condition", "Conditions",
            "EncryptedAssertion", "EncryptedAttribute", "EncryptedID", "Issuer", "NameID", "OneTimeUse",
            "ProxyRestriction", "Subject", "SubjectConfirmation", "SubjectConfirmationData", "SubjectLocality",
        ],
        SAMLName.signatureElement("").namespace: [
            "CanonicalizationMethod", "DigestMethod", "DigestValue", "Exponent", "KeyInfo", "KeyName", "KeyValue",
            "Modulus", "RSAKeyValue", "Reference", "RetrievalMethod", "Signature", "SignatureMethod", "SignatureValue",
            "SignedInfo", "Transform", "Transforms", "X509CRL", "X509Certificate", "X509Data", "X509IssuerName",
            "X509IssuerSerial", "X509SKI", "X509SerialNumber", "X509SubjectName",
        ],
        SAMLName.encryptionElement("").namespace: [
            "CarriedKeyName", "CipherData", "CipherValue", "DataReference", "EncryptedData", "EncryptedKey",
            "EncryptionMethod", "KeyReference", "KeySize", "OAEPparams", "ReferenceList",
        ],
        "http://www.w3.org/2009/xmlenc11#": ["MGF"],
        "http://www.w3.org/2001/10/xml-exc-c14n#": ["InclusiveNamespaces"],
    ]
}

/// Puts a document together from what a reader finds, as elements and as text.
private struct SAMLDocumentBuilder {
    /// An element whose end has not come yet.
    private struct Open {
        let namespace: String
        let name: String
        let attributes: [XMLElement.Attribute]
        var children: [XMLElement] = []
        var text = ""
        /// The namespaces that prefixes stand for inside; the empty one is the default.
        let namespaces: [String: String]
        /// The declarations in scope inside, also those that a later one hides.
        let declarations: Int

        var element: XMLElement {
            XMLElement(
                namespace: self.namespace, name: self.name, attributes: self.attributes, children: self.children,
                text: self.text)
        }
    }

    let maximumCount: Int
    private(set) var written = ""
    private(set) var writtenAssertion: String?
    private(set) var root: XMLElement?
    private(set) var fault: AssertionFault?
    private var open: [Open] = []
    private var count = 0
    private var declarations = 0
    private var attributes = 0
    /// The assertion's name with the declarations from outside, and where its own attributes begin.
    private var assertion: (start: String, place: Int)?

    init(maximumCount: Int) { self.maximumCount = maximumCount }

    mutating func refuse(_ fault: AssertionFault) {
        if self.fault == nil { self.fault = fault }
    }

    mutating func start(_ name: String, _ attributes: [String: String]) {
        self.count += 1
        guard self.open.count < XMLElement.maximumDepth, self.count <= self.maximumCount else {
            return self.refuse(.tooComplex)
        }
        var namespaces = self.open.last?.namespaces ?? ["": "", "xml": "http://www.w3.org/XML/1998/namespace"]
        let before = self.declarations - (self.open.last?.declarations ?? 0)
        let sorted = attributes.sorted { $0.key < $1.key }
        self.written += "<"
        self.written += name
        let (outer, place) = (namespaces, self.written.utf8.count)
        guard self.write(sorted, declaringIn: &namespaces) else { return self.refuse(.notXML) }
        self.written += ">"
        let inScope = self.declarations - before
        guard inScope <= SAMLDocument.maximumDeclarations,
            max(self.declarations, self.attributes) <= 2 * self.maximumCount
        else { return self.refuse(.tooComplex) }
        guard let element = Self.expanded(name, namespaces, default: namespaces[""] ?? "") else {
            return self.refuse(.notXML)
        }
        if self.open.count == 1,
            SAMLName(namespace: element.namespace, name: element.name) == .assertionElement("Assertion")
        {
            let declarations = outer.map { (prefix, uri) in (prefix.isEmpty ? "xmlns" : "xmlns:\(prefix)", uri) }
                .filter { $0.0 != "xmlns:xml" && !$0.1.isEmpty && attributes[$0.0] == nil }
            let texts = declarations.map { " \($0.0)=\"\(XMLText.escaped($0.1))\"" }
            self.assertion = ("<\(name)\(texts.joined())", place)
        }
        var kept: [XMLElement.Attribute] = []
        for (name, value) in sorted where name != "xmlns" && !name.hasPrefix("xmlns:") {
            guard let expanded = Self.expanded(name, namespaces, default: "") else { return self.refuse(.notXML) }
            kept.append(XMLElement.Attribute(namespace: expanded.namespace, name: expanded.name, value: value))
        }
        self.open.append(
            Open(
                namespace: element.namespace, name: element.name, attributes: kept, namespaces: namespaces,
                declarations: inScope))
    }

    /// Writes the attributes of an element, and adds the namespaces that they declare.
    /// - Returns: false for a declaration that there cannot be.
    private mutating func write(
        _ attributes: [(key: String, value: String)], declaringIn namespaces: inout [String: String]
    ) -> Bool {
        for (name, value) in attributes {
            self.written += " "
            self.written += name
            self.written += "=\""
            self.written += XMLText.escaped(value)
            self.written += "\""
            guard name == "xmlns" || name.hasPrefix("xmlns:") else {
                self.attributes += 1
                continue
            }
            self.declarations += 1
            guard name != "xmlns" else {
                namespaces[""] = value
                continue
            }
            let prefix = String(name.dropFirst(6))
            // Reserved prefixes stay as they are, and no prefix stands for nothing (Namespaces in XML 1.0).
            guard prefix != "xml", prefix != "xmlns", !value.isEmpty else { return false }
            namespaces[prefix] = value
        }
        return true
    }

    mutating func append(_ text: String) {
        guard !self.open.isEmpty else { return }
        self.written += XMLText.escaped(text)
        self.open[self.open.count - 1].text += text
    }

    mutating func end(_ name: String) {
        self.written += "</"
        self.written += name
        self.written += ">"
        guard let element = self.open.popLast()?.element else { return }
        if self.open.count == 1, let (start, place) = self.assertion {
            self.writtenAssertion = start + String(decoding: self.written.utf8.dropFirst(place), as: UTF8.self)
            self.assertion = nil
        }
        if self.open.isEmpty {
            self.root = element
        } else {
            self.open[self.open.count - 1].children.append(element)
        }
    }

    /// - Returns: `nil` for a name with two colons, with nothing or no name on a side of one, or with a prefix that was not
    ///   declared.
    private static func expanded(
        _ name: String, _ namespaces: [String: String], default namespace: String
    ) -> (namespace: String, name: String)? {
        guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return (namespace, name) }
        let local = name[name.utf8.index(after: colon)...]
        // The library takes a local name that could not begin a name for a part of a name without a prefix.
        guard colon > name.startIndex, let first = local.utf8.first, !"-.0123456789".utf8.contains(first),
            !local.utf8.contains(UInt8(ascii: ":")), let namespace = namespaces[String(name[..<colon])]
        else { return nil }
        return (namespace, String(local))
    }
}
