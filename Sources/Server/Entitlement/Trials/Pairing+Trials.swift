package import Clientless
import Cryptography

extension Pairing {
    /// What a person of a promotional trial is recognised by; the raw text is not kept (rest-v1 20.3).
    package func person(_ text: String) -> TrialIdentity { .person(self.keys.tokens.hash(of: "trial/\(text)")) }

    /// Signs a device in at a TempPass, also when the time of its trial is over: the refusal comes with the
    /// authorization (rest-v1 20.2), unless the caller wants it now (sdk-services 6).
    /// - Throws: `unknownProvider` when it is no TempPass of the requestor, `trialExhausted` where asked for,
    ///   `storeUnavailable`.
    package func startTrial(
        _ context: DeviceContext, requestor: RequestorID, mvpd: MVPDID, person: TrialIdentity?,
        refusingExhausted: Bool = false, now: Timestamp
    ) async throws(EntitlementError) -> AuthNRecord {
        guard let rules = self.catalogue.mvpd(mvpd)?.trial, self.catalogue.integration(requestor, mvpd) != nil
        else { throw EntitlementError(.unknownProvider) }
        let (accepted, isLive) = try await self.trialLogin(
            context, requestor, mvpd, rules: rules, person: person, now: now)
        guard isLive || !refusingExhausted else { throw EntitlementError(.trialExhausted) }
        return try await self.signIn(
            context, requestor: requestor, mvpd: mvpd, login: accepted.login, origin: accepted.origin,
            until: accepted.end, now: now)
    }

    /// The login of a device at a TempPass: it ends with the trial, or, as long as that has not begun or when it is
    /// over, after its whole time (rest-v1 20.1).
    func trialLogin(
        _ context: DeviceContext, _ requestor: RequestorID, _ mvpd: MVPDID, rules: TrialRules, person: TrialIdentity?,
        now: Timestamp
    ) async throws(EntitlementError) -> (accepted: AcceptedLogin, isLive: Bool) {
        let trial = try await self.trial(Self.identities(context, person), requestor, mvpd)?.trial ?? Trial()
        let end = trial.expires(at: now, rules: rules)
        let login = ProviderLogin(
            upstreamUserID: Hex.encode(context.device.bytes),
            session: ProviderSession(account: Self.account(of: person)))
        let isLive = now < end
        return (AcceptedLogin(login, origin: .temporaryPass, until: isLive ? end : now + rules.lifetime), isLive)
    }

    /// Counts an authorization against the trial; the sign-in and its decisions end with it (rest-v1 20.1).
    /// - Throws: `notAuthorized` when its time or its resources are used up, `storeUnavailable`.
    func authorizeTrial(
        _ resource: Resource, _ authentication: AuthNRecord, _ requestor: RequestorID, rules: TrialRules,
        person: TrialIdentity?, now: Timestamp
    ) async throws(EntitlementError) -> AuthZRecord {
        let signedIn = try self.person(of: authentication)
        let identities = Self.identities(authentication.context, person ?? signedIn)
        // Whoever loses a swap does so because the same trial was used elsewhere at the same moment.
        for _ in 0..<16 {
            let kept = try await self.trial(identities, requestor, authentication.mvpd)
            var record =
                kept
                ?? TrialRecord(
                    id: randomUUID(), requestor: requestor, mvpd: authentication.mvpd, identities: identities,
                    trial: Trial())
            guard case .permit(let end) = record.trial.use(resource, at: now, rules: rules)
            else { throw EntitlementError(.notAuthorized, denial: .trial) }
            let hasNews = record.trial != kept?.trial
            record.identities += identities.filter { !record.identities.contains($0) }
            if record != kept {
                do {
                    guard try await self.store.replace(record) else { continue }
                } catch {
                    throw EntitlementError(error)
                }
            }
            // The permit first: it is not kept for a device that was signed out meanwhile, and then nothing is.
            let permit = try await self.keepPermit(
                resource, authentication.ending(at: end), requestor, origin: .temporaryPass, until: end, now: now)
            try await self.align(authentication, to: end, hasNews: hasNews, rules: rules, now: now)
            return permit
        }
        throw EntitlementError(.storeUnavailable, detail: "sixteen swaps of one trial were all too late")
    }

    /// Forgets trials, so that they may begin anew (rest-v1 20.5).
    /// - Returns: how many.
    package func resetTrials(
        of identity: TrialIdentity?, requestor: RequestorID, mvpd: MVPDID, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Int {
        let entry = AuditEntry(time: now, actor: actor, action: "trials.reset", subject: "\(requestor) \(mvpd)")
        do {
            return try await self.store.resetTrials(of: identity, requestor: requestor, mvpd: mvpd, audit: entry)
        } catch {
            throw EntitlementError(error)
        }
    }

    func trial(
        _ identities: [TrialIdentity], _ requestor: RequestorID, _ mvpd: MVPDID
    ) async throws(EntitlementError) -> TrialRecord? {
        do {
            return try await self.store.trial(of: identities, requestor: requestor, mvpd: mvpd)
        } catch {
            throw EntitlementError(error)
        }
    }

    /// Gives the sign-in the end of its trial, and stores it anew when that differs or its metadata say something new.
    private func align(
        _ authentication: AuthNRecord, to end: Timestamp, hasNews: Bool, rules: TrialRules, now: Timestamp
    ) async throws(EntitlementError) {
        let changesMetadata = hasNews && rules.isPromotional
        guard authentication.expires != end || changesMetadata else { return }
        let session =
            changesMetadata
            ? try self.seal(KeptSession(try self.keptSession(of: authentication), updated: now), for: .session) : nil
        let aligned = authentication.ending(at: end, sealedSession: session)
        do {
            try await self.store.save(aligned)
        } catch {
            throw EntitlementError(error)
        }
        self.announce(device: aligned.context.device)
    }

    /// A person's identity comes first: it finds the trial also on another device (rest-v1 20.3).
    static func identities(_ context: DeviceContext, _ person: TrialIdentity?) -> [TrialIdentity] {
        [person, .device(context.device)].compactMap { $0 }
    }

    /// Who signed in at a trial, if the sign-in said so.
    func person(of authentication: AuthNRecord) throws(EntitlementError) -> TrialIdentity? {
        Self.person(inAccount: try self.keptSession(of: authentication).session.account)
    }

    private static func account(of person: TrialIdentity?) -> String {
        guard case .person(let hash) = person else { return "" }
        return Hex.encode(hash)
    }

    static func person(inAccount account: String) -> TrialIdentity? {
        account.isEmpty ? nil : Hex.decode(account).map { .person($0) }
    }
}
