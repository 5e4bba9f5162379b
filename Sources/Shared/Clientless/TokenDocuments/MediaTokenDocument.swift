/// The content of a short media token (rest-v1 22.4): a viewer may play one resource now, once.
package struct MediaTokenDocument: Hashable, Sendable {
    /// The anonymised user or session, not empty.
    package let sessionGUID: String
    package let requestor: RequestorID
    /// As it was authorized.
    package let resource: Resource
    /// In milliseconds on the wire, 0 to 10¹² of them.
    package let timeToLive: Duration
    /// To the second; a writer adds the rest of its clock to `timeToLive`, so that both ends agree on the end.
    package let issueTime: Timestamp
    package let mvpd: MVPDID
    package let proxyMVPD: MVPDID?

    package init(
        sessionGUID: String, requestor: RequestorID, resource: Resource, timeToLive: Duration, issueTime: Timestamp,
        mvpd: MVPDID, proxyMVPD: MVPDID? = nil
    ) {
        self.sessionGUID = sessionGUID
        self.requestor = requestor
        self.resource = resource
        self.timeToLive = timeToLive
        self.issueTime = issueTime
        self.mvpd = mvpd
        self.proxyMVPD = proxyMVPD
    }

    /// - Throws: `malformed`, `invalidElement`.
    package init(element: String) throws(TokenDocumentError) {
        let token = try TokenElement(reading: element, root: Self.root)
        self.init(
            sessionGUID: try token.value("sessionGUID") { $0.isEmpty ? nil : $0 },
            requestor: try token.value("requestorID", RequestorID.init),
            resource: try token.value("resourceID", Resource.init),
            timeToLive: try token.value("ttl", Self.timeToLive),
            issueTime: try token.value("issueTime", TokenDate.parse),
            mvpd: try token.value("mvpdId", MVPDID.init),
            proxyMVPD: try token.value("proxyMvpdId") { $0.isEmpty ? .some(nil) : MVPDID($0).map(Optional.some) })
    }

    /// - Throws: `forbiddenCharacter`.
    package func element() throws(TokenDocumentError) -> String {
        try Self.form.element(
            self.sessionGUID, self.requestor.text, self.resource.received, String(self.timeToLive.wholeMilliseconds),
            TokenDate.text(for: self.issueTime), self.mvpd.text, self.proxyMVPD?.text ?? "")
    }

    /// Whether the token has ended, or begins more than five minutes from now. There is no leeway at the end: the TTL
    /// itself is meant to absorb what clocks differ by (rest-v1 22.5).
    package func isExpired(at now: Timestamp) -> Bool {
        now >= self.issueTime + self.timeToLive || self.issueTime > now + .seconds(300)
    }

    private static let root = "shortAuthorizationToken"
    private static let form = TokenElementForm(
        root: root, "sessionGUID", "requestorID", "resourceID", "ttl", "issueTime", "mvpdId", "proxyMvpdId")

    private static func timeToLive(_ text: String) -> Duration? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let milliseconds = Int64(text), milliseconds <= 1_000_000_000_000
        else { return nil }
        return .milliseconds(milliseconds)
    }
}
