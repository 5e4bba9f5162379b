import Clientless

/// Sign-ins that a provider ends (SAML 2.0 Core 3.7.1).
struct SAMLLogoutRequest {
    static let maximumSessions = 64
    /// How old a request may be: the clocks' difference, and what a browser takes.
    static let life: Duration = .seconds(300)

    let id: String
    let name: SAMLViewerName
    /// Empty for all of the viewer.
    let sessions: [String]
    /// From here on it would be refused.
    let acceptableUntil: Timestamp
}

/// The conditions for a logout message to count here and now.
struct SAMLLogoutRules {
    let issuer: String
    /// The destination that it must name.
    let destination: String
    /// Whether it may leave that out: what the provider sends itself went nowhere else (SAML 2.0 Core 3.2.1).
    var mayOmitDestination = false
    let now: Timestamp

    /// - Returns: `nil` for an answer to a request of ours.
    /// - Throws: the first thing that is missing or does not fit.
    func check(_ root: XMLElement) throws(AssertionFault) -> SAMLLogoutRequest? {
        guard root[attribute: "Version"] == "2.0", let id = root[attribute: "ID"],
            (1...AssertionFacts.maximumIDSize).contains(id.utf8.count)
        else { throw .missingID }
        guard root.onlyChild(.assertionElement("Issuer"))?.plainText == self.issuer else { throw .wrongIssuer }
        let destination = root[attribute: "Destination"]
        guard destination == self.destination || (destination == nil && self.mayOmitDestination)
        else { throw .wrongDestination }
        if root.has(.protocolElement("LogoutResponse")) { return nil }
        guard root.has(.protocolElement("LogoutRequest")) else { throw .notLogout }
        guard let issued = root[attribute: "IssueInstant"].flatMap(SAMLTime.read) else { throw .unreadableTime }
        guard issued - AssertionRules.leeway <= self.now else { throw .notYetValid }
        var end = issued + SAMLLogoutRequest.life
        if let last = try AssertionRules.time(root, "NotOnOrAfter") { end = min(end, last + AssertionRules.leeway) }
        guard self.now < end else { throw .expired }
        guard let name = SAMLViewerName(root.onlyChild(.assertionElement("NameID"))) else { throw .missingSubject }
        let sessions = root.children(.protocolElement("SessionIndex")).compactMap(\.plainText)
        guard sessions.count <= SAMLLogoutRequest.maximumSessions,
            sessions.allSatisfy({ (1...SAMLViewerName.maximumSize).contains($0.utf8.count) })
        else { throw .tooComplex }
        return SAMLLogoutRequest(id: id, name: name, sessions: sessions, acceptableUntil: end)
    }

    /// The message in an envelope: the one thing in its body (SOAP 1.1).
    static func content(of envelope: XMLElement) throws(AssertionFault) -> XMLElement {
        let soap = CanonicalElement.Namespace.soap.rawValue
        guard envelope.has(SAMLName(namespace: soap, name: "Envelope")),
            let body = envelope.onlyChild(SAMLName(namespace: soap, name: "Body")), body.children.count == 1
        else { throw .notLogout }
        return body.children[0]
    }
}
