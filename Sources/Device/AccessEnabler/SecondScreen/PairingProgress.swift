extension AccessEnabler {
    /// The news while a viewer signs in on the second screen, for an application that shows them; see
    /// ``AccessEnabler/Configuration/pairingProgress``.
    public enum PairingProgress: Sendable {
        /// Show this code. `left` is how long it lives; `isResumed` when an earlier run of the application showed it
        /// too.
        case code(RegistrationCode, left: Duration, isResumed: Bool)
        /// A viewer entered the code on its page, and is choosing a provider. Told once for a code, also of one that an
        /// earlier run showed; never by servers that do not say so.
        case pageOpened
        /// The viewer got further, or back to the start.
        case state(CodeState)
        /// The provider refused a login; the code can be tried again. Its own words, untrusted, where it sent some;
        /// ``wrongCredentials`` where the viewer mistyped the name or the password.
        case providerRefused(String?)
        /// Two questions in a row got no useful answer; asking goes on.
        case connectionProblem(EntitlementError)
        /// The server answers again.
        case connectionRestored
        /// The code is over, and no viewer signed in with it.
        case ended(CodeEnd)

        /// The word of servers for a wrong name or password, in place of a sentence.
        public static let wrongCredentials = "wrong_credentials"
    }

    /// How a code ended without a sign-in.
    public enum CodeEnd: Sendable, Hashable {
        /// The viewer declined on the other screen.
        case declined
        /// It was withdrawn, by a newer code or the operator.
        case cancelled
        /// Its time is over.
        case expired
        /// The server does not know it any more, as after a failover to a database that lacks the newest changes or a restore
        /// from a backup. A new one helps.
        case lost
    }
}
