package import Clientless

/// Says why a box may play something or may not: the questions of ``Decisions/authorize(_:by:requestor:person:now:)`` in
/// their order, each with its answer. They keep no decision and ask no provider.
package struct Explanations: DomainPart {
    let parts: DomainParts
    let signIns: SignIns
    let degradations: DegradationRules
    let trials: Trials
    let credentials: Credentials

    /// The answers up to the one that decides.
    /// - Parameter box: with all its sign-ins.
    /// - Throws: `storeUnavailable`.
    package func steps(
        on resource: Resource, by box: SignedInBox, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> [ExplanationStep] {
        // Rules count as they are in the store.
        try await stored(await self.degradations.reload(now: now))
        let standing = self.signIns.standing(among: box.signIns, requestor: requestor, now: now)
        let credential = try await self.credentialStep(box, requestor, standing, now: now)
        var steps = self.ended(box, standing).map { [.ended($0), credential] } ?? [credential]
        if credential.mayPlay == false, case .foreignCredential = credential { return steps }
        let record: AuthNRecord
        switch standing {
        case .never:
            let off = self.catalogue.requestor(requestor)?.integrations.filter { !$0.isEnabled }.map(\.mvpd) ?? []
            let signIn = box.signIns.first { off.contains($0.mvpd) && $0.isCurrent(at: now) }
            return steps + [signIn.map { .switchedOff($0.mvpd) } ?? .noSignIn]
        case .expired(let expired): return steps + [.signInOver(expired)]
        case .signedIn(let current): record = current
        }
        steps.append(.signIn(record))
        let effect = self.degradations.inForce(at: record.mvpd).effect(on: resource, requestor, record.mvpd, at: now)
        steps.append(.degradation(effect))
        if case .refuse = effect { return steps }
        guard let kept = try? self.signIns.keptSession(of: record) else { return steps + [.sealed] }
        let isAllowed = ParentalControls(maxRating: try await self.signIns.maxRating(of: record)).allow(resource)
        steps.append(.rating(isAllowed: isAllowed))
        guard isAllowed else { return steps }
        if case .grant(let end) = effect { return steps + [.granted(until: end)] }
        if let rules = self.catalogue.mvpd(record.mvpd)?.trial {
            let identities = Trials.identities(record.context, try self.trials.person(of: record))
            let trial = try await self.trials.trial(identities, requestor, record.mvpd)?.trial ?? Trial()
            return steps + [.trial(trial.verdict(on: resource, at: now, rules: rules))]
        }
        let permit = try await stored(
            await self.store.authorizations(of: record.id, requestor: requestor, resources: [resource])
        ).first
        let viewer = kept.upstreamUserID
        if let permit, self.signIns.isCurrent(permit, now: now) { return steps + [.permit(permit, viewer: viewer)] }
        return steps + [.provider(record.mvpd, viewer: viewer)]
    }

    /// The account name of a sign-in; `nil` when the provider keeps its accounts elsewhere, when the account is
    /// gone, or when the session cannot be opened.
    package func accountName(of record: AuthNRecord) async throws(EntitlementError) -> String? {
        guard let kept = try? self.signIns.keptSession(of: record) else { return nil }
        return try await stored(await self.store.account(id: kept.upstreamUserID, of: record.mvpd))?.name
    }

    /// The end of the last sign-in: an operator asks for it first when a box plays no more.
    private func ended(_ box: SignedInBox, _ standing: DeviceStanding) -> EndedSignIn? {
        if case .signedIn = standing { return nil }
        guard let ended = box.ended.first else { return nil }
        return box.signIns.allSatisfy { $0.created <= ended.end.time } ? ended : nil
    }

    private func credentialStep(
        _ box: SignedInBox, _ requestor: RequestorID, _ standing: DeviceStanding, now: Timestamp
    ) async throws(EntitlementError) -> ExplanationStep {
        let pairs = try await self.credentials.keyPairs()
        let applications = try await self.credentials.applications()
        let numbers = (
            keyPairs: pairs.count { $0.isActive(at: now) && $0.requestors.contains(requestor) },
            applications: applications.count { $0.isActive(at: now) && $0.requestors.contains(requestor) }
        )
        let used = try await self.credentials.used(by: box, now: now)
        let own = used.first { $0.requestors.contains(requestor) }
        // In place of one that was revoked, the box may have got one that did not sign in yet.
        if numbers != (0, 0), own == nil, let last = used.first, last.isInUse {
            // An application that shares the sign-in of another requestor has a credential that made no sign-in.
            guard case .signedIn(let record) = standing else { return .foreignCredential(last, isShared: false) }
            return .foreignCredential(last, isShared: record.requestor != requestor)
        }
        return .credentials(keyPairs: numbers.keyPairs, applications: numbers.applications, used: own ?? used.first)
    }
}

/// One question of an authorization, with its answer.
package enum ExplanationStep: Hashable, Sendable {
    /// The newest sign-in of the box was ended, and no other counts for the requestor.
    case ended(EndedSignIn)
    /// How many credentials in force the requestor's boxes may call with, and the one that the box used last, if known:
    /// if it used several, of those that may speak for the requestor.
    case credentials(keyPairs: Int, applications: Int, used: UsedCredential?)
    /// The box used this one last, and none that may speak for the requestor; if it shares a sign-in of another
    /// requestor, it may have one that is not known.
    case foreignCredential(UsedCredential, isShared: Bool)
    /// No sign-in of the box counts for the requestor.
    case noSignIn
    /// The provider of one is switched off for the requestor.
    case switchedOff(MVPDID)
    case signInOver(AuthNRecord)
    case signIn(AuthNRecord)
    /// The effect of the operator's rules; `nil` without one.
    case degradation(Degradations.Effect?)
    /// No key of the server opens the sign-in's session.
    case sealed
    /// Whether the household's limit allows the resource.
    case rating(isAllowed: Bool)
    /// By a rule of the operator, in place of the provider.
    case granted(until: Timestamp)
    case trial(Trial.Verdict)
    /// The provider said yes a while ago, and that still counts.
    case permit(AuthZRecord, viewer: String)
    /// The provider is asked next.
    case provider(MVPDID, viewer: String)

    /// Whether it settles the matter; `nil` when the next question is asked.
    package var mayPlay: Bool? {
        switch self {
        case .credentials(let keyPairs, let applications, _): keyPairs + applications == 0 ? false : nil
        case .foreignCredential(_, let isShared): isShared ? nil : false
        case .noSignIn, .switchedOff, .signInOver, .sealed: false
        case .ended, .signIn, .provider: nil
        case .degradation(.refuse?): false
        case .degradation(.grant?), .degradation(nil): nil
        case .rating(let isAllowed): isAllowed ? nil : false
        case .trial(.permit), .permit, .granted: true
        case .trial(.exhausted): false
        }
    }
}
