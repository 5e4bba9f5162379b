package import Clientless

/// What a media token says (rest-v1 22.4).
package struct MediaTokenClaims: Hashable, Sendable {
    /// The pseudonymous user ID.
    package let sessionGUID: String
    package let requestor: RequestorID
    package let resource: Resource
    package let lifetime: Duration
    package let issueTime: Timestamp
    package let mvpd: MVPDID
}
