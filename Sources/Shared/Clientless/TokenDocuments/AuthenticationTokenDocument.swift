/// The content of an AuthN document (rest-v1 22.2): a device is signed in at a provider, until a moment.
package struct AuthenticationTokenDocument: Hashable, Sendable {
    /// The identifier of the server's record; the document is honoured while that record lives.
    package let guid: String
    package let requestor: RequestorID
    package let domainName: String
    /// To the second.
    package let expiresAt: Timestamp
    package let mvpd: MVPDID
    /// The hash of the device ID the document is bound to.
    package let deviceFingerprint: String
    // Both are written by this server and read by old clients; empty in documents that have none.
    package let nameID: String
    package let sessionIndex: String

    package init(
        guid: String, requestor: RequestorID, domainName: String, expiresAt: Timestamp, mvpd: MVPDID,
        deviceFingerprint: String, nameID: String, sessionIndex: String
    ) {
        self.guid = guid
        self.requestor = requestor
        self.domainName = domainName
        self.expiresAt = expiresAt
        self.mvpd = mvpd
        self.deviceFingerprint = deviceFingerprint
        self.nameID = nameID
        self.sessionIndex = sessionIndex
    }

    /// - Throws: `malformed`, `invalidElement`.
    package init(element: String) throws(TokenDocumentError) {
        let token = try TokenElement(reading: element, root: Self.root)
        self.init(
            guid: try token.value("simpleTokenAuthenticationGuid") { $0.isEmpty ? nil : $0 },
            requestor: try token.value("simpleTokenRequestorID", RequestorID.init),
            domainName: try token.text("simpleTokenDomainName"),
            expiresAt: try token.value("simpleTokenExpires", TokenDate.parse),
            mvpd: try token.value("simpleTokenMsoID", MVPDID.init),
            deviceFingerprint: try token.text("simpleTokenDeviceID/simpleTokenFingerprint"),
            nameID: token.optionalText("simpleSamlNameID") ?? "",
            sessionIndex: token.optionalText("simpleSamlSessionIndex") ?? "")
    }

    /// - Throws: `forbiddenCharacter`; `invalidElement` when ``guid``, ``nameID`` or ``sessionIndex`` is empty.
    package func element() throws(TokenDocumentError) -> String {
        for (name, value) in [
            ("simpleTokenAuthenticationGuid", self.guid), ("simpleSamlNameID", self.nameID),
            ("simpleSamlSessionIndex", self.sessionIndex),
        ] where value.isEmpty {
            throw TokenDocumentError(code: .invalidElement, element: name)
        }
        return try Self.form.element(
            self.guid, self.requestor.text, self.domainName, TokenDate.text(for: self.expiresAt), self.mvpd.text,
            self.deviceFingerprint, self.nameID, self.sessionIndex)
    }

    private static let root = "simpleAuthenticationToken"
    private static let form = TokenElementForm(
        root: root, "simpleTokenAuthenticationGuid", "simpleTokenRequestorID", "simpleTokenDomainName",
        "simpleTokenExpires", "simpleTokenMsoID", "simpleTokenDeviceID/simpleTokenFingerprint", "simpleSamlNameID",
        "simpleSamlSessionIndex")
}
