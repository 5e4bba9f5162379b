/// The standing of a code with the box that polls it.
package enum CodeStanding: Hashable, Sendable {
    /// There is no such code, or it is another requestor's.
    case unknown
    case open(CodePhase, refusal: String?)
    /// Completed, and the sign-in it led to holds.
    case signedIn(AuthNRecord)
    /// Completed, and the sign-in it led to is over.
    case signInExpired(AuthNRecord)
    /// Completed, and the sign-in was replaced or logged out.
    case signInGone
    case declined
    case cancelled
    case expired
}

/// How far an open code is.
package enum CodePhase: String, Hashable, Sendable {
    case waiting
    /// A viewer entered it, and picks a provider.
    case opened
    case loggingIn, confirming
}
