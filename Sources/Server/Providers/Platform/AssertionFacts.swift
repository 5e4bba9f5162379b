import Clientless

/// The content of an assertion, once it is believed.
struct AssertionFacts: Hashable, Sendable {
    /// The longest assertion ID taken, in bytes; it is kept to refuse a second use.
    static let maximumIDSize = 256

    let id: String
    /// The issuer's name for the viewer.
    let name: SAMLViewerName
    /// The issuer's name for the sign-in.
    let sessionIndex: String?
    /// When the sign-in is over at the issuer, where the assertion says so.
    let sessionEnd: Timestamp?
    /// The time from which on it would be refused, whatever else it says.
    let acceptableUntil: Timestamp
    /// As they came.
    let attributes: [XMLElement]
}

/// A viewer as an issuer names them: `NameID` (SAML 2.0 Core 2.2.3). Two names that are equal in all their parts are
/// the same viewer.
struct SAMLViewerName: Hashable, Sendable, Decodable {
    /// The longest name taken, in bytes. SAML 2.0 Core 8.3.7 admits 256 characters.
    static let maximumSize = 1024
    /// The format of names that are another one for every sign-in.
    static let transient = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"

    let text: String
    let format: String?
    let qualifier: String?
    let serviceQualifier: String?

    init(_ text: String, format: String? = nil) {
        self.text = text
        self.format = format
        self.qualifier = nil
        self.serviceQualifier = nil
    }

    /// - Returns: `nil` if it has no text, or too much in it.
    init?(_ element: XMLElement?) {
        guard let element, let text = element.plainText, (1...Self.maximumSize).contains(text.utf8.count),
            element.attributes.allSatisfy({ $0.value.utf8.count <= Self.maximumSize })
        else { return nil }
        self.text = text
        self.format = element[attribute: "Format"]
        self.qualifier = element[attribute: "NameQualifier"]
        self.serviceQualifier = element[attribute: "SPNameQualifier"]
    }

    var json: JSONValue {
        .members([
            "text": .string(self.text), "format": self.format.map { .string($0) },
            "qualifier": self.qualifier.map { .string($0) },
            "serviceQualifier": self.serviceQualifier.map { .string($0) },
        ])
    }

    /// Whether it says who the viewer is, and not only which sign-in this is.
    var isLasting: Bool { self.format != Self.transient }
}
