/// What a device is to a requestor: the answer to "signed in?" (rest-v1 14).
package enum DeviceStanding: Hashable, Sendable {
    /// No record that this requestor may use.
    case never
    /// The newest record that this requestor could have used is over.
    case expired(AuthNRecord)
    case signedIn(AuthNRecord)
}
