import Clientless
import Cryptography

// Logins that need no provider: trials, and providers whose login a rule skips (rest-v1 13.1, 20, 25).
extension Logins {
    /// The login that a viewer's choice of a provider leads to at once; `nil` when the provider has to be asked.
    ///
    /// A rule for all providers does not change a trial (``DegradationRules/inForce(at:)``).
    func acceptedAtOnce(
        _ view: LoginView, person: TrialIdentity?, now: Timestamp
    ) async throws(EntitlementError) -> AcceptedLogin? {
        let (context, requestor) = (view.record.context, view.requestor.id)
        if let rules = view.mvpd.trial {
            return try await self.trials.login(context, requestor, view.mvpd.id, rules: rules, person: person, now: now)
                .accepted
        }
        return self.signIns.skippedLogin(context, requestor, view.mvpd.id, now: now)
    }

    /// The accepted login as it is when the viewer confirms, which may be minutes later.
    /// - Throws: `providerUnavailable` when the degradation rule that skipped its login is over, `loginUnknown` when the
    ///   account is gone, `storeUnavailable`.
    func renewed(
        _ accepted: AcceptedLogin, for view: LoginView, now: Timestamp
    ) async throws(EntitlementError) -> AcceptedLogin {
        switch accepted.origin {
        case .regular, .platform:
            // The account may have gone since the provider said yes. One that cannot be asked has said yes.
            let session = accepted.login.session
            let isThere = await self.providers.look(view.mvpd.id) { provider throws(ProviderError) in
                try await provider.hasAccount(of: session)
            }
            guard isThere != false else { throw EntitlementError(.loginUnknown) }
            return accepted
        case .temporaryPass:
            let person = Trials.person(inAccount: accepted.login.session.account)
            return try await self.acceptedAtOnce(view, person: person, now: now) ?? accepted
        case .degraded:
            let (context, requestor) = (view.record.context, view.requestor.id)
            guard let skipped = self.signIns.skippedLogin(context, requestor, view.mvpd.id, now: now)
            else { throw EntitlementError(.providerUnavailable, detail: "the rule that skipped the login is over") }
            return skipped
        }
    }
}

extension SignIns {
    /// The login that a rule in force makes of a viewer's choice; `nil` when the provider has to be asked.
    func skippedLogin(
        _ context: DeviceContext, _ requestor: RequestorID, _ mvpd: MVPDID, now: Timestamp
    ) -> AcceptedLogin? {
        guard let rule = self.degradations.inForce.skippedLogin(requestor, mvpd, at: now) else { return nil }
        // The viewer is unknown: the device stands for them (rest-v1 25).
        let login = ProviderLogin(
            upstreamUserID: Hex.encode(context.device.bytes), session: ProviderSession(account: ""))
        return AcceptedLogin(login: login, origin: .degraded, end: rule.ends)
    }
}

/// A login that a provider, a trial or a degradation rule said yes to, and what the sign-in will be. Kept sealed with
/// the attempt until the viewer has confirmed the box.
struct AcceptedLogin: Hashable, Sealable {
    let login: ProviderLogin
    var origin = AuthNOrigin.regular
    /// When the sign-in ends at the latest; `nil` leaves that to the integration.
    var end: Timestamp?
    /// When the viewer proved at a page of this server who they are. An answer from elsewhere may be older: `nil`.
    var proved: Timestamp?

    var json: JSONValue {
        .members([
            "login": self.login.json, "origin": .string(self.origin.rawValue), "end": self.end?.json,
            "proved": self.proved?.json,
        ])
    }
}
