package import Cryptography

// Whether the box was told, for the page of a finished login.
extension Logins {
    /// The key that wakes the page of a login when its box is told.
    package func handoverKey(of token: String) -> WaitingRoom.Key { .login(self.attemptID(token)) }

    /// Whether the box of a login that was confirmed in this browser was told, as far as memory knows.
    package func handover(of token: String, browser: Secret) -> Handover {
        self.codes.memory.handovers.handover(of: self.attemptID(token), browser: self.browserHash(browser))
    }
}
