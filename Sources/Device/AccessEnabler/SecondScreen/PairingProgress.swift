import Clientless

/// What happens while somebody signs in on the second screen, for a program that shows it.
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
    /// The code is over.
    case ended(CodeEnd)
}

/// How a code ended without a sign-in.
package enum CodeEnd: Sendable, Hashable {
    case declined, cancelled, expired
}
