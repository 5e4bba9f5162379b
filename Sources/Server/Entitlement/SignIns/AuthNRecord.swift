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
        providerSession: [UInt8]? = nil, version: Int = 0
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
package struct AuthNID: Hashable, Sendable, Codable {
    package let text: String

    package init(text: String) { self.text = text }
}

extension AuthNID: CustomStringConvertible {
    package var description: String { "<authentication>" }
}

/// How a sign-in came about (rest-v1 20, 21, 25).
package enum AuthNOrigin: String, Hashable, Sendable, Codable {
    case regular
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

/// The keyed hash of a device ID; what is kept where the raw value is not needed (rest-v1 6.1).
package struct DeviceHash: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// 32 bytes.
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    package var description: String { "<device>" }

    /// Byte by byte, as stores compare them.
    package static func < (one: Self, other: Self) -> Bool { one.bytes.lexicographicallyPrecedes(other.bytes) }

    package func hash(into hasher: inout Hasher) {
        // Keyed hashes are evenly spread: a quarter of one tells them apart as well as the whole.
        hasher.combine(self.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}

/// The owner of a sign-in: one AuthN record lives per context at a time (rest-v1 6.2, 6.3). Its texts are compared byte
/// for byte.
package struct DeviceContext: Hashable, Sendable {
    package let device: DeviceHash
    private let application: ExactText?
    private let user: ExactText?

    /// Non-empty `appId` of the code; the sign-in then belongs to that application alone.
    package var appID: String? { self.application?.text }
    /// Non-empty `deviceUser` of the code.
    package var deviceUser: String? { self.user?.text }

    package init(device: DeviceHash, appID: String?, deviceUser: String?) {
        self.device = device
        self.application = appID.flatMap { $0.isEmpty ? nil : ExactText($0) }
        self.user = deviceUser.flatMap { $0.isEmpty ? nil : ExactText($0) }
    }

    /// Whether a request that says `self` may see a record stored under `stored`: what it names must be equal,
    /// what it leaves out matches anything (rest-v1 6.3, context key).
    package func admits(_ stored: DeviceContext) -> Bool {
        self.device == stored.device && (self.application == nil || self.application == stored.application)
            && (self.user == nil || self.user == stored.user)
    }
}
