package import Clientless

extension Decisions {
    /// The resources that a device may play, to show locks; nothing is stored and a later authorization may differ
    /// (rest-v1 17).
    /// - Returns: one verdict for each of `resources`, in their order; all denied when the provider does not answer.
    /// - Throws: `notAuthenticated`, `authenticationExpired`, `tooManyResources`, `storeUnavailable`.
    package func preauthorize(
        _ resources: [Resource], context: DeviceContext, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> [Verdict] {
        try self.check(resources.count, requestor)
        let authentication = try await self.signIns.signedIn(context, requestor, now: now)
        return try await self.openPreauthorization(resources, authentication, requestor, now: now)
    }

    /// The viewer's channels that memory knows, if they alone decide on `count` resources that are no documents.
    /// - Returns: `nil` if ``preauthorize(_:context:requestor:now:)`` has to decide.
    /// - Throws: `tooManyResources`.
    package func rememberedLineUp(
        of context: DeviceContext, for count: Int, requestor: RequestorID, now: Timestamp
    ) throws(EntitlementError) -> LineUp? {
        try self.check(count, requestor)
        guard self.degradations.inForce.rules.isEmpty,
            let authentication = self.signIns.rememberedSignIn(of: context, requestor: requestor, now: now)
        else { return nil }
        return self.memory.lineUp(of: authentication)
    }

    /// The same for the page that completed a code; a code that is not there counts as a guess (rest-v1 24.4).
    /// - Throws: `notAuthenticated` also for a code without a sign-in, `authenticationExpired`, `tooManyResources`,
    ///   `tooManyAttempts`, `storeUnavailable`.
    package func preauthorize(
        _ resources: [Resource], code: RegistrationCodeText, requestor: RequestorID, by guesser: Guesser, now: Timestamp
    ) async throws(EntitlementError) -> [Verdict] {
        let standing = try await self.codes.codeStanding(of: code, requestor: requestor, by: guesser, now: now)
        try self.check(resources.count, requestor)
        switch standing {
        case .signedIn(let authentication):
            return try await self.openPreauthorization(resources, authentication, requestor, now: now)
        case .signInExpired: throw EntitlementError(.authenticationExpired)
        case .unknown, .open, .signInGone, .declined, .cancelled, .expired: throw EntitlementError(.notAuthenticated)
        }
    }

    /// The same for a sign-in that is already at hand.
    package func preauthorize(
        _ resources: [Resource], by record: AuthNRecord, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> [Verdict] {
        try self.check(resources.count, requestor)
        let authentication = try self.signIns.usable(record, requestor, now: now)
        return try await self.openPreauthorization(resources, authentication, requestor, now: now)
    }

    private func check(_ count: Int, _ requestor: RequestorID) throws(EntitlementError) {
        guard let settings = self.catalogue.requestor(requestor) else { throw EntitlementError(.unknownRequestor) }
        guard count <= settings.preauthorizationLimit else { throw EntitlementError(.tooManyResources) }
    }

    private func openPreauthorization(
        _ resources: [Resource], _ authentication: AuthNRecord, _ requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> [Verdict] {
        let rules = self.degradations.inForce(at: authentication.mvpd)
        let household = try await self.household(of: authentication, isRated: resources.contains(where: \.isMediaRSS))
        var settled: [(place: Int, verdict: Verdict)] = []
        for (place, resource) in resources.enumerated() where !rules.rules.isEmpty || resource.isMediaRSS {
            guard
                let verdict = self.verdictWithoutProvider(
                    on: resource, rules, household, authentication, requestor, now: now)
            else { continue }
            settled.append((place, verdict))
        }
        var open = resources
        for (place, _) in settled.reversed() { open.remove(at: place) }
        var verdicts = open.isEmpty ? [] : try await self.openVerdicts(on: open, authentication, requestor, now: now)
        for (place, verdict) in settled { verdicts.insert(verdict, at: place) }
        return verdicts
    }

    /// The verdict by operators' rules and ratings; `nil` when the provider has to be asked.
    private func verdictWithoutProvider(
        on resource: Resource, _ rules: Degradations, _ household: ParentalControls, _ authentication: AuthNRecord,
        _ requestor: RequestorID, now: Timestamp
    ) -> Verdict? {
        let effect = rules.effect(on: resource, requestor, authentication.mvpd, at: now)
        if case .refuse(let message) = effect { return .deny(byRule: message) }
        guard household.allow(resource) else { return .deny(.parentalControls) }
        return effect == nil ? nil : .permit
    }

    /// The same verdicts, but a permit that is kept counts if the provider did not answer: an authorization would go by
    /// it as well.
    private func withKeptPermits(
        _ verdicts: [Verdict], on resources: [Resource], _ authentication: AuthNRecord, _ requestor: RequestorID,
        now: Timestamp
    ) async throws(EntitlementError) -> [Verdict] {
        guard verdicts.contains(where: \.isUnanswered) else { return verdicts }
        let unanswered = zip(resources, verdicts).filter { $0.1.isUnanswered }.map(\.0)
        let stored = try await self.storedDecisions(unanswered, of: authentication.id, requestor)
        let kept = Set(stored.filter { self.signIns.isCurrent($0, now: now) }.map(\.resource))
        return zip(resources, verdicts).map { resource, verdict in
            verdict.isUnanswered && kept.contains(resource) ? .permit : verdict
        }
    }

    private func openVerdicts(
        on resources: [Resource], _ authentication: AuthNRecord, _ requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> [Verdict] {
        guard let rules = self.catalogue.mvpd(authentication.mvpd)?.trial else {
            let verdicts = try await self.verdicts(on: resources, by: authentication, requestor, now: now)
            return try await self.withKeptPermits(verdicts, on: resources, authentication, requestor, now: now)
        }
        // While a trial is live every resource may be tried (rest-v1 20.1). A device may be signed in at one that is
        // over, too: only its authorizations are refused.
        let trial =
            try await self.trials.trial(
                Trials.identities(authentication.context, try self.trials.person(of: authentication)), requestor,
                authentication.mvpd)?.trial ?? Trial()
        let verdict = now < trial.expires(at: now, rules: rules) ? Verdict.permit : .deny(.trial)
        return resources.map { _ in verdict }
    }
}
