package import Clientless

/// Server-side proof that the viewer of a device signed in at a TV provider (rest-v1 9).
package struct AuthNRecord: Hashable, Sendable {
    package let id: AuthNID
    package let context: DeviceContext
    /// The requestor that obtained it.
    package let requestor: RequestorID
    /// It counts for that requestor alone (rest-v1 6.3).
    package let isExclusive: Bool
    package let mvpd: MVPDID
    /// Pseudonymous, equal on every device of the same viewer (rest-v1 14.3).
    package let userID: String
    /// The code it was obtained through.
    package let code: RegistrationCodeText?
    package let origin: AuthNOrigin
    package let created: Timestamp
    package let expires: Timestamp
    /// ``KeptSession`` under the server's key.
    package let sealedSession: [UInt8]

    package init(
        id: AuthNID, context: DeviceContext, requestor: RequestorID, isExclusive: Bool, mvpd: MVPDID, userID: String,
        code: RegistrationCodeText?, origin: AuthNOrigin = .regular, created: Timestamp, expires: Timestamp,
        sealedSession: [UInt8]
    ) {
        self.id = id
        self.context = context
        self.requestor = requestor
        self.isExclusive = isExclusive
        self.mvpd = mvpd
        self.userID = userID
        self.code = code
        self.origin = origin
        self.created = created
        self.expires = expires
        self.sealedSession = sealedSession
    }

    /// Unexpired at `now`.
    package func isCurrent(at now: Timestamp) -> Bool { now < self.expires }

    /// The same sign-in with another end, and another session if one is given.
    package func ending(at end: Timestamp, sealedSession: [UInt8]? = nil) -> AuthNRecord {
        AuthNRecord(
            id: self.id, context: self.context, requestor: self.requestor, isExclusive: self.isExclusive,
            mvpd: self.mvpd, userID: self.userID, code: self.code, origin: self.origin, created: self.created,
            expires: end, sealedSession: sealedSession ?? self.sealedSession)
    }
}
