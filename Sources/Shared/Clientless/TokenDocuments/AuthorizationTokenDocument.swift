/// The content of an AuthZ document (rest-v1 22.3): the provider permits one resource on a device, until a moment.
package struct AuthorizationTokenDocument: Hashable, Sendable {
    package let requestor: RequestorID
    package let resource: Resource
    /// To the second; an absolute date, in spite of its element's name `simpleTokenTTL`.
    package let expiresAt: Timestamp
    package let mvpd: MVPDID
    /// The hash of the device ID the document is bound to.
    package let deviceFingerprint: String

    package init(
        requestor: RequestorID, resource: Resource, expiresAt: Timestamp, mvpd: MVPDID, deviceFingerprint: String
    ) {
        self.requestor = requestor
        self.resource = resource
        self.expiresAt = expiresAt
        self.mvpd = mvpd
        self.deviceFingerprint = deviceFingerprint
    }

    /// - Throws: `malformed`, `invalidElement`.
    package init(element: String) throws(TokenDocumentError) {
        let token = try TokenElement(reading: element, root: Self.root)
        self.init(
            requestor: try token.value("simpleTokenRequestorID", RequestorID.init),
            resource: try token.value("simpleTokenResourceID", Resource.init),
            expiresAt: try token.value("simpleTokenTTL", TokenDate.parse),
            mvpd: try token.value("simpleTokenMsoID", MVPDID.init),
            deviceFingerprint: try token.text("simpleTokenDeviceID/simpleTokenFingerprint"))
    }

    /// - Throws: `forbiddenCharacter`.
    package func element() throws(TokenDocumentError) -> String {
        try Self.form.element(
            self.requestor.text, self.resource.received, TokenDate.text(for: self.expiresAt), self.mvpd.text,
            self.deviceFingerprint)
    }

    private static let root = "simpleAuthorizationToken"
    private static let form = TokenElementForm(
        root: root, "simpleTokenRequestorID", "simpleTokenResourceID", "simpleTokenTTL", "simpleTokenMsoID",
        "simpleTokenDeviceID/simpleTokenFingerprint")
}
