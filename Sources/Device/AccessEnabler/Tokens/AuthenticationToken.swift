import Clientless

/// An authentication token: opaque but for what the library reads of it (access-enabler 11.4).
struct AuthenticationToken: Sendable {
    /// As the server sent it.
    let xml: String
    let guid: String
    let mvpdID: String
    let expires: Timestamp
    /// `simpleTokenExpires`, letter by letter.
    let expiryText: String

    /// - Throws: ``EntitlementError`` `malformedAnswer`.
    init(xml: String) throws(EntitlementError) {
        guard let element = (try? SignedTokenDocument(parsing: xml))?.element,
            let document = try? AuthenticationTokenDocument(element: element)
        else { throw EntitlementError(.malformedAnswer, detail: "an authentication token cannot be read") }
        self.xml = xml
        self.guid = document.guid
        self.mvpdID = document.mvpd.text
        self.expires = document.expiresAt
        self.expiryText = elementText("simpleTokenExpires", in: element)
    }
}

/// An authorization token (access-enabler 11.4).
struct AuthorizationToken: Sendable {
    let xml: String
    let resource: String
    let expires: Timestamp
    /// `simpleTokenTTL`, letter by letter.
    let expiryText: String

    /// - Throws: ``EntitlementError`` `malformedAnswer`.
    init(xml: String) throws(EntitlementError) {
        guard let element = (try? SignedTokenDocument(parsing: xml))?.element,
            let document = try? AuthorizationTokenDocument(element: element)
        else { throw EntitlementError(.malformedAnswer, detail: "an authorization token cannot be read") }
        self.xml = xml
        self.resource = document.resource.text
        self.expires = document.expiresAt
        self.expiryText = elementText("simpleTokenTTL", in: element)
    }
}

/// The text of an element of a document that was read before, as it stands: dates hold nothing that is escaped.
private func elementText(_ name: String, in xml: String) -> String {
    guard let start = xml.firstRange(of: "<\(name)>"), let end = xml[start.upperBound...].firstRange(of: "</\(name)>")
    else { return "" }
    return String(xml[start.upperBound..<end.lowerBound])
}
