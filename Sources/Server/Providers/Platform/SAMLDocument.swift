import Clientless
import TextCoding

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
    let written: SAMLText
    /// The assertion directly inside the outermost element, as a document of its own: it declares what was in scope there,
    /// so its canonical forms stay. `nil` if there is none.
    let writtenAssertion: SAMLText?

    /// - Parameter maximumCount: how many elements it may have.
    /// - Throws: `notXML`, `tooComplex`, `foreignContent`.
    init(_ text: SAMLText, maximumCount: Int = Self.maximumCount) throws(AssertionFault) {
        var builder = SAMLDocumentBuilder(maximumCount: maximumCount)
        do throws(XMLError) {
            var reader = try XMLReader(text.text, size: .max, depth: XMLElement.maximumDepth + 1)
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
        self.written = SAMLText(written: builder.written)
        self.writtenAssertion = builder.writtenAssertion.map(SAMLText.init(written:))
    }

    /// A message about a logout.
    /// - Throws: as above; `tooLarge`.
    init(logout bytes: [UInt8]) throws(AssertionFault) {
        try self.init(
            SAMLText(bytes, maximumSize: Self.maximumLogoutSize), maximumCount: Self.maximumLogoutCount)
        try Self.requireKnownElements(in: self.root, of: Self.knownInLogouts)
        try ResponseShape.requireOneMeaning(of: self.root)
    }

    /// - Parameter isDecrypted: whether `root` came out of an encryption; nothing inside may be encrypted once more.
    /// - Throws: `unknownElement`.
    static func requireKnownElements(
        in root: XMLElement, of known: [String: Set<String>] = Self.known, isDecrypted: Bool = false
    ) throws(AssertionFault) {
        try root.visit { (element) throws(AssertionFault) in
            // Swift takes the sign of the kelvin for a K.
            guard element.name.utf8.span.isPrintable,
                known[element.namespace]?.contains(element.name) == true,
                !isDecrypted || element.namespace != SAMLName.encryptionElement("").namespace
            else { throw .unknownElement }
        }
    }

    /// The elements of messages of logouts, and of their envelopes (SAML 2.0 Core 3.7; SOAP 1.1).
    static let knownInLogouts = known.merging([
        SAMLName.protocolElement("").namespace: [
            "LogoutRequest", "LogoutResponse", "SessionIndex", "Status", "StatusCode", "StatusDetail", "StatusMessage",
        ],
        SAMLName.assertionElement("").namespace: ["EncryptedID", "Issuer", "NameID"],
        CanonicalElement.Namespace.soap.rawValue: ["Body", "Envelope", "Header"],
    ]) { $1 }

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
        var element: XMLElement
        /// How many declarations were in scope around it.
        let outer: Int
    }

    let maximumCount: Int
    private(set) var written: [UInt8] = []
    private(set) var writtenAssertion: [UInt8]?
    private(set) var root: XMLElement?
    private(set) var fault: AssertionFault?
    private var open: [Open] = []
    /// The declarations in scope, the last of a prefix counts; the empty one is the default.
    private var namespaces = [(prefix: "xml", uri: "http://www.w3.org/XML/1998/namespace")]
    private var count = 0
    private var declarations = 0
    private var attributes = 0
    /// The assertion's name with the declarations from outside, and where its own attributes begin.
    private var assertion: (start: [UInt8], place: Int)?

    init(maximumCount: Int) { self.maximumCount = maximumCount }

    mutating func refuse(_ fault: AssertionFault) { if self.fault == nil { self.fault = fault } }

    mutating func start(_ name: String, _ attributes: [XMLReader.Attribute]) {
        self.count += 1
        guard self.open.count < XMLElement.maximumDepth, self.count <= self.maximumCount else {
            return self.refuse(.tooComplex)
        }
        let outer = self.namespaces.count
        self.written.append(UInt8(ascii: "<"))
        self.written += name.utf8
        let place = self.written.count
        for attribute in attributes {
            guard self.write(attribute) else { return self.refuse(.notXML) }
        }
        self.written.append(UInt8(ascii: ">"))
        // The first one is everywhere.
        guard self.namespaces.count - 1 <= SAMLDocument.maximumDeclarations,
            max(self.declarations, self.attributes) <= 2 * self.maximumCount
        else { return self.refuse(.tooComplex) }
        guard let (namespace, local) = self.expanded(name, hasDefault: true) else { return self.refuse(.notXML) }
        if self.open.count == 1, SAMLName(namespace: namespace, name: local) == .assertionElement("Assertion") {
            self.assertion = (self.start(of: name, inside: outer), place)
        }
        var kept: [XMLElement.Attribute] = []
        for (name, value) in attributes where Self.prefix(declaredBy: name) == nil {
            guard let expanded = self.expanded(name, hasDefault: false) else { return self.refuse(.notXML) }
            kept.append(XMLElement.Attribute(namespace: expanded.namespace, name: expanded.name, value: value))
        }
        let element = XMLElement(namespace: namespace, name: local, attributes: kept, children: [], text: "")
        self.open.append(Open(element: element, outer: outer))
    }

    /// Writes an attribute, and takes the namespace that it declares.
    /// - Returns: false for a declaration that there cannot be.
    private mutating func write(_ attribute: XMLReader.Attribute) -> Bool {
        Self.append(attribute.name, attribute.value, to: &self.written)
        guard let prefix = Self.prefix(declaredBy: attribute.name) else {
            self.attributes += 1
            return true
        }
        self.declarations += 1
        self.namespaces.append((prefix, attribute.value))
        // Reserved prefixes stay as they are, and no prefix stands for nothing (Namespaces in XML 1.0).
        return prefix.isEmpty || prefix != "xml" && prefix != "xmlns" && !attribute.value.isEmpty
    }

    private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: " "))
        bytes += name.utf8
        bytes.append(UInt8(ascii: "="))
        bytes.append(UInt8(ascii: "\""))
        XMLText.append(value, in: .anywhere, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// The start of an assertion as a document of its own, without its own attributes.
    /// - Parameter outer: how many declarations are in scope around it.
    private func start(of name: String, inside outer: Int) -> [UInt8] {
        var start = Array("<\(name)".utf8)
        for (place, declaration) in self.namespaces.enumerated().dropFirst().prefix(outer - 1) {
            // Not one that a later one hides, or its own.
            let isHidden = self.namespaces[(place + 1)...].contains { $0.prefix == declaration.prefix }
            guard !isHidden, !declaration.uri.isEmpty else { continue }
            let name = declaration.prefix.isEmpty ? "xmlns" : "xmlns:\(declaration.prefix)"
            Self.append(name, declaration.uri, to: &start)
        }
        return start
    }

    mutating func append(_ text: String) {
        guard !self.open.isEmpty else { return }
        XMLText.append(text, in: .anywhere, to: &self.written)
        self.open[self.open.count - 1].element.text += text
    }

    mutating func end(_ name: String) {
        self.written.append(UInt8(ascii: "<"))
        self.written.append(UInt8(ascii: "/"))
        self.written += name.utf8
        self.written.append(UInt8(ascii: ">"))
        guard let ended = self.open.popLast() else { return }
        self.namespaces.removeLast(self.namespaces.count - ended.outer)
        if self.open.count == 1, let (start, place) = self.assertion {
            self.writtenAssertion = start + self.written[place...]
            self.assertion = nil
        }
        if self.open.isEmpty {
            self.root = ended.element
        } else {
            self.open[self.open.count - 1].element.children.append(ended.element)
        }
    }

    /// The prefix that an attribute declares, empty for the default; `nil` for an attribute that is no declaration.
    private static func prefix(declaredBy name: String) -> String? {
        name == "xmlns" ? "" : name.hasPrefix("xmlns:") ? String(name.dropFirst(6)) : nil
    }

    /// - Parameter hasDefault: whether a name without a prefix is in the default namespace.
    /// - Returns: `nil` for a name with two colons, with nothing or no name on a side of one, or with a prefix that was not
    ///   declared.
    private func expanded(_ name: String, hasDefault: Bool) -> (namespace: String, name: String)? {
        let bytes = name.utf8.span
        guard let colon = bytes.indices.first(where: { bytes[$0] == UInt8(ascii: ":") }) else {
            return (hasDefault ? self.namespaces.last { $0.prefix.isEmpty }?.uri ?? "" : "", name)
        }
        let (prefix, local) = (bytes.extracting(..<colon), bytes.extracting((colon + 1)...))
        // The library takes a local name that could not begin a name for a part of a name without a prefix.
        guard !prefix.isEmpty, !local.isEmpty, local[0] >= UInt8(ascii: "A"),
            !local.indices.contains(where: { local[$0] == UInt8(ascii: ":") }),
            let namespace = self.namespaces.last(where: { $0.prefix.utf8.span.elementsEqual(prefix) })
        else { return nil }
        return (namespace.uri, String(name.utf8.dropFirst(colon + 1)) ?? "")
    }
}
