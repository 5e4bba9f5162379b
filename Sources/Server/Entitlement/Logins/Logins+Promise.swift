package import Clientless

/// The promise that a viewer makes by confirming a box.
package enum LoginPromise: Hashable, Sendable {
    /// To play with the viewer's account until then.
    case account(until: Timestamp)
    /// To play as a trial until then, if it begins now.
    case trial(until: Timestamp)
    /// To play nothing: the trial is over on this device.
    case trialIsOver
}

extension Logins {
    /// The box's rights once the login of `view` is confirmed at `now`.
    /// - Returns: `nil` when there is nothing to confirm.
    /// - Throws: `unknownProvider`, `storeUnavailable`.
    package func promise(of view: LoginView, now: Timestamp) async throws(EntitlementError) -> LoginPromise? {
        guard let accepted = try self.accepted(view) else { return nil }
        if let rules = view.mvpd.trial {
            let person = Trials.person(inAccount: accepted.login.session.account)
            let (trial, isLive) = try await self.trials.login(
                view.record.context, view.requestor.id, view.mvpd.id, rules: rules, person: person, now: now)
            return isLive ? .trial(until: trial.end ?? now + rules.lifetime) : .trialIsOver
        }
        let end = try self.signIns.end(
            at: view.mvpd.id, of: view.requestor.id, origin: accepted.origin, until: accepted.end, now: now)
        return .account(until: end)
    }
}

// Whether the box was told, for the page of a finished login.
extension Logins {
    /// The key that wakes the page of a login when its box is told.
    package func handoverKey(of token: String) -> WaitingRoom.Key { .login(self.attemptID(token)) }

    /// Whether the box of a login that was confirmed in this browser was told, as far as memory knows.
    package func handover(of token: String, browser: Browser) -> Handover {
        self.codes.memory.handovers.handover(of: self.attemptID(token), browser: self.browserHash(browser))
    }
}
