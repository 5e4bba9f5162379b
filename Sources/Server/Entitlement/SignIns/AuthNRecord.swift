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
    /// The registered client that it is bound to; `nil` if sign-ins are of the device alone (rest-v1).
    package let client: String?
    /// Pseudonymous, equal on every device of the same viewer (rest-v1 14.3).
    package let userID: String
    /// The code it was obtained through.
    package let code: RegistrationCodeText?
    package let origin: AuthNOrigin
    /// The credential of the box that made it; `nil` if no box did, and for records of older programs.
    package let credential: BoxCredential?
    package let created: Timestamp
    package var expires: Timestamp
    /// ``KeptSession`` under the server's key.
    package var sealedSession: [UInt8]
    /// The keyed hash of the provider's name for this session, by which the provider ends it; `nil` when it told no
    /// name.
    package var providerSession: [UInt8]?
    /// Counts the changes of a stored record; a change names the version it read.
    package var version: Int

    package init(
        id: AuthNID, context: DeviceContext, requestor: RequestorID, isExclusive: Bool, mvpd: MVPDID,
        client: String? = nil, userID: String, code: RegistrationCodeText?, origin: AuthNOrigin = .regular,
        credential: BoxCredential? = nil, created: Timestamp, expires: Timestamp, sealedSession: [UInt8],
        providerSession: [UInt8]? = nil,
        version: Int = 0
    ) {
        self.id = id
        self.context = context
        self.requestor = requestor
        self.isExclusive = isExclusive
        self.mvpd = mvpd
        self.client = client
        self.userID = userID
        self.code = code
        self.origin = origin
        self.credential = credential
        self.created = created
        self.expires = expires
        self.sealedSession = sealedSession
        self.providerSession = providerSession
        self.version = version
    }

    /// Unexpired at `now`.
    package func isCurrent(at now: Timestamp) -> Bool { now < self.expires }

    /// The key that no two stored records have in common.
    package var key: AuthNKey {
        AuthNKey(
            context: self.context, owner: self.isExclusive ? self.requestor : nil, mvpd: self.mvpd, client: self.client)
    }
}

/// The identity of a sign-in beside its ID: a store holds at most one record of each key.
package struct AuthNKey: Hashable, Sendable {
    package let context: DeviceContext
    /// The requestor a record counts for alone; `nil` for one that requestors share (rest-v1 6.3).
    package let owner: RequestorID?
    package let mvpd: MVPDID
    package let client: String?
}

/// The GUID of an AuthN record: 32 lower-case hex digits, unguessable.
package struct AuthNID: Hashable, Sendable {
    package let text: String

    package init(text: String) {
        self.text = text
    }
}

extension AuthNID: CustomStringConvertible {
    package var description: String { "<authentication>" }
}

/// How a sign-in came about (rest-v1 20, 21, 25).
package enum AuthNOrigin: String, Hashable, Sendable, Codable {
    case regular
    /// A trial.
    case temporaryPass
    /// A degradation rule that skipped the provider's login.
    case degraded
    /// The provider account of the device's operating system.
    case platform

    /// Whether a viewer signed in with an account. The viewers of trials and of skipped logins may be anyone.
    var isOfAccount: Bool {
        switch self {
        case .regular, .platform: true
        case .temporaryPass, .degraded: false
        }
    }
}
