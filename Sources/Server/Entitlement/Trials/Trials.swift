package import Clientless
import Cryptography

/// Trials of TempPass providers: signing in at one, and what is left of it (rest-v1 20).
package struct Trials: DomainPart {
    let signIns: SignIns
    /// `nil` is no limit.
    let issuance: IssuanceLimiter?
    private static let bite = 500

    var parts: DomainParts { self.signIns.parts }

    /// The identity of a person in a promotional trial; the raw text is not kept (rest-v1 20.3).
    package func person(_ text: String) -> TrialIdentity { .person(self.keys.tokens.hash(of: "trial/\(text)")) }

    /// Signs a device in at a TempPass, also when the time of its trial is over: the refusal comes with the
    /// authorization (rest-v1 20.2), unless the caller wants it now (sdk-services 6). At another provider, while a rule
    /// skips its login and until that ends (rest-v1 25).
    /// - Parameter caller: who asks; its networks have so many trials an hour.
    /// - Throws: `unknownProvider` when it is no TempPass of the requestor and no rule skips its login,
    ///   `trialExhausted` where asked for, `tooManyAttempts`, `storeUnavailable`.
    package func start(
        _ context: DeviceContext, requestor: RequestorID, mvpd: MVPDID, person: TrialIdentity?,
        by caller: Guesser, refusingExhausted: Bool = false, credential: BoxCredential? = nil, now: Timestamp
    ) async throws(EntitlementError) -> AuthNRecord {
        guard self.catalogue.integration(requestor, mvpd) != nil else { throw EntitlementError(.unknownProvider) }
        let accepted: AcceptedLogin
        if let rules = self.catalogue.mvpd(mvpd)?.trial {
            let trial = try await self.login(context, requestor, mvpd, rules: rules, person: person, now: now)
            guard trial.isLive || !refusingExhausted else { throw EntitlementError(.trialExhausted) }
            accepted = trial.accepted
        } else if let skipped = self.signIns.skippedLogin(context, requestor, mvpd, now: now) {
            accepted = skipped
        } else {
            throw EntitlementError(.unknownProvider)
        }
        return try await self.issue(within: self.issuance, to: caller) { () throws(EntitlementError) in
            try await self.signIns.signIn(
                context, requestor: requestor, mvpd: mvpd, login: accepted.login, origin: accepted.origin,
                credential: credential, until: accepted.end, now: now)
        }
    }

    /// The login of a device at a TempPass: it ends with the trial, or, as long as that has not begun or when it is
    /// over, after its whole time (rest-v1 20.1).
    func login(
        _ context: DeviceContext, _ requestor: RequestorID, _ mvpd: MVPDID, rules: TrialRules, person: TrialIdentity?,
        now: Timestamp
    ) async throws(EntitlementError) -> (accepted: AcceptedLogin, isLive: Bool) {
        let trial = try await self.trial(Self.identities(context, person), requestor, mvpd)?.trial ?? Trial()
        let end = trial.expires(at: now, rules: rules)
        let account = if case .person(let hash) = person { Hex.encode(hash) } else { "" }
        let login = ProviderLogin(
            upstreamUserID: Hex.encode(context.device.bytes), session: ProviderSession(account: account))
        let isLive = now < end
        return (AcceptedLogin(login: login, origin: .temporaryPass, end: isLive ? end : now + rules.lifetime), isLive)
    }

    /// Forgets trials, so that they may begin anew (rest-v1 20.5).
    /// - Returns: how many.
    package func reset(
        of identity: TrialIdentity?, requestor: RequestorID, mvpd: MVPDID, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Int {
        let entry = AuditEntry(time: now, actor: actor, action: "trials.reset", subject: "\(requestor) \(mvpd)")
        var (number, audit): (Int, AuditEntry?) = (0, entry)
        while true {
            // In small bites, so that no caller waits long behind one.
            let forgotten = try await stored(
                await self.store.resetTrials(
                    of: identity, requestor: requestor, mvpd: mvpd, limit: Self.bite, audit: audit))
            (number, audit) = (number + forgotten, nil)
            if identity != nil || forgotten < Self.bite { return number }
        }
    }

    func trial(
        _ identities: [TrialIdentity], _ requestor: RequestorID, _ mvpd: MVPDID
    ) async throws(EntitlementError) -> TrialRecord? {
        return try await stored(await self.store.trial(of: identities, requestor: requestor, mvpd: mvpd))
    }

    /// A person's identity comes first: it finds the trial also on another device (rest-v1 20.3).
    static func identities(_ context: DeviceContext, _ person: TrialIdentity?) -> [TrialIdentity] {
        [person, .device(context.device)].compactMap { $0 }
    }

    /// The person who signed in at a trial, if the sign-in named one.
    func person(of authentication: AuthNRecord) throws(EntitlementError) -> TrialIdentity? {
        Self.person(inAccount: try self.signIns.keptSession(of: authentication).session.account)
    }

    static func person(inAccount account: String) -> TrialIdentity? {
        account.isEmpty ? nil : Hex.decode(account).map { .person($0) }
    }
}
