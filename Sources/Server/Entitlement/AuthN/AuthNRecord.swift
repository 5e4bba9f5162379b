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
    package let created: Timestamp
    package let expires: Timestamp
    /// ``ProviderSession`` under the server's key.
    package let sealedSession: [UInt8]

    package init(
        id: AuthNID, context: DeviceContext, requestor: RequestorID, isExclusive: Bool, mvpd: MVPDID, userID: String,
        code: RegistrationCodeText?, created: Timestamp, expires: Timestamp, sealedSession: [UInt8]
    ) {
        self.id = id
        self.context = context
        self.requestor = requestor
        self.isExclusive = isExclusive
        self.mvpd = mvpd
        self.userID = userID
        self.code = code
        self.created = created
        self.expires = expires
        self.sealedSession = sealedSession
    }

    /// Unexpired at `now`.
    package func isCurrent(at now: Timestamp) -> Bool { now < self.expires }
}
