package import Clientless

/// Makes short media tokens (rest-v1 16, 22.4). They are never stored.
package struct MediaTokenIssuer: Sendable {
    /// Signs the document and returns the whole, signature element first.
    package typealias Sign = @Sendable (MediaTokenDocument) throws -> String

    private let sign: Sign

    package init(sign: @escaping Sign) {
        self.sign = sign
    }

    /// - Throws: `internal` when the key does not sign.
    func issue(
        _ resource: Resource, requestor: RequestorID, authentication: AuthNRecord, lifetime: Duration, now: Timestamp
    ) throws(EntitlementError) -> IssuedMediaToken {
        let document = MediaTokenDocument(
            sessionGUID: authentication.userID, requestor: requestor, resource: resource, timeToLive: lifetime,
            issueTime: now, mvpd: authentication.mvpd)
        do {
            return IssuedMediaToken(
                document: try self.sign(document), resource: resource, requestor: requestor,
                mvpd: authentication.mvpd, userID: authentication.userID, expires: now + lifetime)
        } catch {
            throw EntitlementError(.internal, detail: "a media token could not be signed")
        }
    }
}
