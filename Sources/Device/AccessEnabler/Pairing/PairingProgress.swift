/// What happens while a sign-in is under way, for whoever shows it.
package enum PairingProgress: Sendable {
    /// Show this. `left` is how long it lives, by the server's clock; `isResumed` when an earlier run showed it too.
    case code(RegistrationCode, left: Duration, isResumed: Bool)
    /// Somebody got further, or back to the start.
    case state(CodeState)
    /// The provider refused a login; the code can be tried again. Its own words, untrusted, where it sent some.
    case providerRefused(String?)
    /// Three questions in a row got no useful answer; asking goes on.
    case connectionProblem(EntitlementError)
    case connectionRestored
}

/// How a sign-in ended.
package enum PairingEnd: Sendable, Hashable {
    case signedIn(Authentication)
    /// Somebody was signed in before; no code was made.
    case alreadySignedIn(Authentication)
    case declined
    case cancelled
    case expired
}
