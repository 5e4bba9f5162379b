import Clientless

/// The conditions for a verified assertion to count here and now (rest-v1 13.4; SAML 2.0 Profiles 4.1.4.3).
struct AssertionRules: Sendable {
    /// Clocks may differ by so much (rest-v1 13.4).
    static let leeway: Duration = .seconds(120)

    let issuer: String
    let audience: String
    let recipient: String
    /// The ID of the request that is answered; `nil` for an assertion that came unasked.
    var request: String?
    let now: Timestamp

    /// The assertion's word on the viewer.
    /// - Throws: the first thing that is missing or does not fit.
    func facts(of assertion: XMLElement) throws(AssertionFault) -> AssertionFacts {
        guard assertion[attribute: "Version"] == "2.0", let id = assertion[attribute: "ID"] else { throw .missingID }
        guard (1...AssertionFacts.maximumIDSize).contains(id.utf8.count) else { throw .missingID }
        guard assertion.onlyChild(.assertionElement("Issuer"))?.plainText == self.issuer else { throw .wrongIssuer }
        guard let subject = assertion.onlyChild(.assertionElement("Subject")),
            let name = SAMLViewerName(subject.onlyChild(.assertionElement("NameID")))
        else { throw .missingSubject }
        let confirmedUntil = try self.requireConfirmation(subject)
        let validUntil = try self.requireConditions(assertion)
        let signIns = assertion.children(.assertionElement("AuthnStatement"))
        guard !signIns.isEmpty else { throw .missingSignIn }
        let sessionEnd = try self.sessionEnd(signIns)
        let ends = [confirmedUntil + Self.leeway, validUntil.map { $0 + Self.leeway }, sessionEnd].compactMap { $0 }
        return AssertionFacts(
            id: id, name: name, sessionIndex: signIns.lazy.compactMap { $0[attribute: "SessionIndex"] }.first,
            sessionEnd: sessionEnd, acceptableUntil: ends.reduce(ends[0], min),
            attributes: assertion.children(.assertionElement("AttributeStatement"))
                .flatMap { $0.children(.assertionElement("Attribute")) })
    }

    /// The first end of a sign-in that the assertion tells of. Without leeway: what is over would be over again as soon
    /// as it is kept.
    private func sessionEnd(_ signIns: [XMLElement]) throws(AssertionFault) -> Timestamp? {
        var first: Timestamp?
        for signIn in signIns {
            guard let end = try Self.time(signIn, "SessionNotOnOrAfter") else { continue }
            guard self.now < end else { throw .expired }
            first = min(first ?? end, end)
        }
        return first
    }

    /// The address that the response says it was sent to. No signature need cover that, so this is the lesser half of
    /// the check.
    /// - Throws: `wrongDestination`, `wrongIssuer`, `wrongRequest`.
    func requireAddress(of response: XMLElement) throws(AssertionFault) {
        guard response[attribute: "Destination"] ?? self.recipient == self.recipient else { throw .wrongDestination }
        let issuers = response.children(.assertionElement("Issuer"))
        guard issuers.count <= 1, issuers.allSatisfy({ $0.plainText == self.issuer }) else { throw .wrongIssuer }
        if let request = self.request {
            guard response[attribute: "InResponseTo"] == request else { throw .wrongRequest }
        }
    }

    /// At least one bearer confirmation names this recipient and is in time.
    /// - Returns: the latest end of those.
    private func requireConfirmation(_ subject: XMLElement) throws(AssertionFault) -> Timestamp {
        var fault: AssertionFault?
        var ends: [Timestamp] = []
        for confirmation in subject.children(.assertionElement("SubjectConfirmation"))
        where confirmation[attribute: "Method"] == "urn:oasis:names:tc:SAML:2.0:cm:bearer" {
            do throws(AssertionFault) {
                guard let data = confirmation.onlyChild(.assertionElement("SubjectConfirmationData"))
                else { throw .missingConfirmation }
                guard data[attribute: "Recipient"] == self.recipient else { throw .wrongRecipient }
                if let request = self.request {
                    guard data[attribute: "InResponseTo"] == request else { throw .wrongRequest }
                }
                guard let end = try Self.requireTime(data, now: self.now) else { throw .missingConfirmation }
                ends.append(end)
            } catch {
                fault = fault ?? error
            }
        }
        guard let end = ends.max() else { throw fault ?? .missingConfirmation }
        return end
    }

    /// - Returns: their end, if they have one.
    private func requireConditions(_ assertion: XMLElement) throws(AssertionFault) -> Timestamp? {
        guard let conditions = assertion.onlyChild(.assertionElement("Conditions")) else { throw .missingAudience }
        let end = try Self.requireTime(conditions, now: self.now)
        var isRestricted = false
        for condition in conditions.children {
            if condition.has(.assertionElement("AudienceRestriction")) {
                isRestricted = true
                let audiences = condition.children(.assertionElement("Audience"))
                guard audiences.contains(where: { $0.plainText == self.audience }) else { throw .wrongAudience }
            } else if !condition.has(.assertionElement("OneTimeUse")),
                !condition.has(.assertionElement("ProxyRestriction"))
            {
                // "If any of the conditions could not be evaluated, the validity is not known" is what Core 2.5.1.1
                // comes to. The two above hold anyway: every assertion is used once, and none is passed on.
                throw .unknownCondition
            }
        }
        guard isRestricted else { throw .missingAudience }
        return end
    }

    /// - Returns: the end, if the element has one.
    static func requireTime(_ element: XMLElement, now: Timestamp) throws(AssertionFault) -> Timestamp? {
        if let start = try self.time(element, "NotBefore"), now < start - self.leeway { throw .notYetValid }
        let end = try self.time(element, "NotOnOrAfter")
        if let end, now >= end + self.leeway { throw .expired }
        return end
    }

    static func time(_ element: XMLElement, _ name: String) throws(AssertionFault) -> Timestamp? {
        guard let text = element[attribute: name] else { return nil }
        guard let time = SAMLTime.read(text) else { throw .unreadableTime }
        return time
    }
}

/// The content of an assertion, once it is believed.
struct AssertionFacts: Hashable, Sendable {
    /// The longest assertion ID taken, in bytes; it is kept to refuse a second use.
    static let maximumIDSize = 256

    let id: String
    let name: SAMLViewerName
    let sessionIndex: String?
    /// When the sign-in is over at the issuer, where the assertion says so.
    let sessionEnd: Timestamp?
    /// The time from which on it would be refused, whatever else it says.
    let acceptableUntil: Timestamp
    let attributes: [XMLElement]
}

/// A viewer as an issuer names them: `NameID` (SAML 2.0 Core 2.2.3). Two names that are equal in all their parts are
/// the same viewer.
struct SAMLViewerName: Hashable, Sendable {
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

    /// - Returns: `nil` for anything but ``json``.
    init?(_ json: JSONValue) {
        guard let text = json["text"]?.string else { return nil }
        self.text = text
        self.format = json["format"]?.string
        self.qualifier = json["qualifier"]?.string
        self.serviceQualifier = json["serviceQualifier"]?.string
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
