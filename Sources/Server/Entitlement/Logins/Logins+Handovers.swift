package import Clientless
package import Cryptography

// Whether the box was told, for the page of a finished login.
extension Logins {
    /// What wakes the page of a login when its box is told.
    package func handoverKey(of token: String) -> WaitingRoom.Key { .login(self.attemptID(token)) }

    /// Whether the box of a login that was confirmed in this browser was told, from memory.
    /// - Returns: `nil` when memory does not know; ``handover(of:browser:now:)`` then does.
    package func handoverInMemory(of token: String, browser: Secret) -> Handover? {
        let standing = self.codes.memory.handovers.handover(
            of: self.attemptID(token), browser: self.browserHash(browser))
        // Where there is one node, what it does not remember is nowhere.
        return standing ?? (self.store.isShared ? nil : .unknown)
    }

    /// Whether the box of a login that was confirmed in this browser was told. What another node confirmed is read from
    /// the store, and remembered here.
    /// - Throws: `storeUnavailable`.
    package func handover(
        of token: String, browser: Secret, now: Timestamp
    ) async throws(EntitlementError) -> Handover {
        if let known = self.handoverInMemory(of: token, browser: browser) { return known }
        let view: LoginView
        do throws(EntitlementError) {
            view = try await self.login(token, browser: browser, now: now)
        } catch {
            guard error.code == .loginUnknown else { throw error }
            return .unknown
        }
        guard case .completed(let version) = view.attempt.progress,
            case .completed(let signIn) = view.record.life.storedState
        else { return .unknown }
        let handovers = self.codes.memory.handovers
        handovers.expect(
            Handovers.Login(
                attempt: view.attempt.id, browser: view.attempt.browser, code: view.record.code, version: version),
            signIn)
        // From now on the feed tells of it. What was before, the code says.
        if let record = try await self.codes.storedCode(view.record.code), record.version > version {
            handovers.noteToldElsewhere(signIn)
        }
        return self.handoverInMemory(of: token, browser: browser) ?? .unknown
    }
}
