package import Clientless

/// When a sign-in ended, by whom and why.
package struct SignInEnd: Hashable, Sendable {
    package let time: Timestamp
    /// As the audit log names callers, or the box itself, or a newer sign-in.
    package let actor: String
    package let reason: SignInEnding

    package init(at time: Timestamp, by actor: String, _ reason: SignInEnding) {
        self.time = time
        self.actor = actor
        self.reason = reason
    }

    /// The end of a sign-in that `new` takes the place of.
    package init(replacedBy new: AuthNRecord) { self.init(at: new.created, by: Self.newSignIn, .replaced) }

    /// The end that a box asked for itself.
    init(byBoxAt time: Timestamp) { self.init(at: time, by: Self.box, .signedOut) }

    private static let box = "box"
    private static let newSignIn = "sign-in"

    /// The actor and the reason of the end, for operators.
    package var sentence: String {
        switch self.reason {
        case .signedOut: "signed out on the box"
        case .replaced: "replaced by a newer sign-in"
        case .signedOutElsewhere: "signed out by \(self.actor)"
        case .endedByOperator: "ended by \(self.actor)"
        case .refusedByProvider: "ended by \(self.actor), as the provider no longer vouches for the viewer"
        }
    }
}

/// The trace of an ended sign-in of an account, for operators and for the box that asks why. It opens nothing: it has
/// neither a session nor a name.
package struct EndedSignIn: Hashable, Sendable {
    package let id: AuthNID
    package let device: DeviceHash
    package let requestor: RequestorID
    package let mvpd: MVPDID
    package let userID: String
    package let credential: BoxCredential?
    package let created: Timestamp
    package let end: SignInEnd

    package init(
        id: AuthNID, device: DeviceHash, requestor: RequestorID, mvpd: MVPDID, userID: String,
        credential: BoxCredential? = nil, created: Timestamp, end: SignInEnd
    ) {
        self.id = id
        self.device = device
        self.requestor = requestor
        self.mvpd = mvpd
        self.userID = userID
        self.credential = credential
        self.created = created
        self.end = end
    }

    /// - Returns: `nil` for trials and skipped logins, which callers without an account could make in any number.
    package init?(_ record: AuthNRecord, _ end: SignInEnd) {
        guard record.origin.isOfAccount else { return nil }
        self.init(
            id: record.id, device: record.context.device, requestor: record.requestor, mvpd: record.mvpd,
            userID: record.userID, credential: record.credential, created: record.created, end: end)
    }
}

/// Which ended sign-ins are looked for: all that is given must hold.
package struct EndedSelection: Hashable, Sendable {
    package var id: AuthNID?
    package var device: DeviceHash?
    package var devices: ClosedRange<DeviceHash>?
    package var mvpd: MVPDID?
    package var userID: String?
    package var requestor: RequestorID?
    /// Sign-ins that ended at this moment or later, and before the other.
    package var since: Timestamp?
    package var before: Timestamp?

    /// Every ended sign-in, until a field is set.
    package static let all = EndedSelection()
}
