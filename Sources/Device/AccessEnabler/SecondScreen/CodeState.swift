extension AccessEnabler {
    /// The progress of a code, as our server tells the box that asked for it (header `Latchkey-Code-State`).
    ///
    /// REST v1 itself answers 404 to all of these but one; servers without the header leave the box to the clock.
    public enum CodeState: String, Sendable, Hashable {
        /// The code was not entered.
        case waiting
        /// The viewer is at the provider's login page.
        case loggingIn
        /// The viewer has signed in, and is asked whether this is the box.
        case confirming
        /// The box is signed in.
        case completed
        /// The viewer declined.
        case declined
        /// The code was withdrawn.
        case cancelled
        /// The code's time is over.
        case expired
    }
}
