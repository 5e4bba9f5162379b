import Clientless

// Logins for which nobody has to be asked: trials, and providers whose login a rule skips (rest-v1 13.1, 20, 25).
extension Pairing {
    /// What a viewer's choice of a provider leads to at once; none when the provider is to be asked.
    ///
    /// A trial stays one under a rule for all providers: its rules are its requestor's own.
    func acceptedAtOnce(
        _ view: LoginView, person: TrialIdentity?, now: Timestamp
    ) async throws(EntitlementError) -> AcceptedLogin? {
        let (context, requestor) = (view.record.context, view.requestor.id)
        if let rules = view.mvpd.trial {
            return try await self.trialLogin(context, requestor, view.mvpd.id, rules: rules, person: person, now: now)
                .accepted
        }
        return self.skippedLogin(context, requestor, view.mvpd.id, now: now)
    }

    /// The accepted login as it is when the viewer confirms, which may be minutes later.
    /// - Throws: `providerUnavailable` when the rule that skipped its login is over, `storeUnavailable`.
    func renewed(
        _ accepted: AcceptedLogin, for view: LoginView, now: Timestamp
    ) async throws(EntitlementError) -> AcceptedLogin {
        switch accepted.origin {
        case .regular, .platform:
            return accepted
        case .temporaryPass:
            let person = Self.person(inAccount: accepted.login.session.account)
            return try await self.acceptedAtOnce(view, person: person, now: now) ?? accepted
        case .degraded:
            guard let skipped = self.skippedLogin(view.record.context, view.requestor.id, view.mvpd.id, now: now)
            else { throw EntitlementError(.providerUnavailable, detail: "the rule that skipped the login is over") }
            return skipped
        }
    }
}
