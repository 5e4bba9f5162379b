import Clientless

extension Decisions {
    /// The provider's verdict on each of `resources`, in their order, in one question. If it does not answer, all are
    /// denied (rest-v1 15.1, 17). If it denies all, it may be the viewer that is gone: the sign-in ends then.
    /// - Throws: `authenticationRevoked` when the provider no longer has the viewer; `authenticationExpired`,
    ///   `notAuthenticated` when it ended the session; `internal` when the kept session cannot be opened;
    ///   `storeUnavailable`.
    func verdicts(
        on resources: [Resource], by authentication: AuthNRecord, _ requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> [Verdict] {
        // A rule skipped the login: the provider has no viewer to decide about (rest-v1 25).
        if authentication.origin == .degraded { return resources.map { _ in .deny(.programmer) } }
        let ticket = self.memory.lineUps.ticket(for: authentication.context.device)
        let (decisions, lineUp): ([Decision], LineUp?)
        do throws(EntitlementError) {
            (decisions, lineUp) = try await self.decisions(on: resources, by: authentication, requestor, now: now)
        } catch {
            guard error.code == .providerUnavailable else { throw error }
            let denial = error.denial ?? .network(timeout: false)
            return resources.map { _ in .deny(denial, reason: Self.sentence(on: denial)) }
        }
        let isRated = resources.contains(where: \.isMediaRSS)
        let known = try? await self.household(of: authentication, isRated: isRated)
        let household = known ?? ParentalControls(maxRating: nil)
        var verdicts = zip(decisions, resources).map {
            Verdict(ofProvider: $0, on: $1, household: household, at: now)
        }
        if let lineUp {
            if self.signIns.trustsMemory { self.memory.remember(lineUp, of: authentication, since: ticket) }
        } else if !verdicts.contains(where: \.isPermit), try await self.signIns.isRefused(authentication) {
            throw try await self.signIns.endRefused(authentication, now: now)
        }
        let rated = verdicts.indices.filter { verdicts[$0].isPermit && resources[$0].isMediaRSS }
        // The answer may have brought other limits of the household.
        guard !rated.isEmpty, let latest = try await self.signIns.storedAuthentication(authentication.id)
        else { return verdicts }
        let limits = try await self.household(of: latest, isRated: true)
        for place in rated where !limits.allow(resources[place]) { verdicts[place] = .deny(.parentalControls) }
        return verdicts
    }

    /// Asks the provider, or the service that decides for it.
    /// - Returns: a decision on each, with ``ProviderAnswer/lineUp``.
    private func decisions(
        on resources: [Resource], by authentication: AuthNRecord, _ requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> ([Decision], lineUp: LineUp?) {
        let answer: ([Decision], lineUp: LineUp?)
        if let point = self.catalogue.decisionPoint(authentication.mvpd) {
            let viewer = try self.signIns.keptSession(of: authentication).upstreamUserID
            let question = DecisionQuestion(requestor: requestor, viewer: viewer, resources: resources)
            let decisions = try await self.parts.decisionPoints.ask(authentication.mvpd) { _ throws(ProviderError) in
                try await point.decide(question, now: now)
            }
            answer = (decisions, nil)
        } else {
            answer = try await self.signIns.ask(about: authentication, now: now) {
                (provider, session) throws(ProviderError) in
                let answer = try await provider.decide(resources, requestor: requestor, session: session, now: now)
                return ProviderAnswer((answer.value, answer.lineUp), session: answer.session, metadata: answer.metadata)
            }
        }
        guard answer.0.count == resources.count else {
            throw EntitlementError(
                .providerUnavailable, detail: "\(answer.0.count) decisions on \(resources.count) resources")
        }
        return answer
    }

    /// The limits of a viewer's household; none for resources without a rating, about which the provider decides
    /// (rest-v1 23).
    /// - Throws: `internal` when the kept session cannot be opened.
    func household(of authentication: AuthNRecord, isRated: Bool) async throws(EntitlementError) -> ParentalControls {
        try await ParentalControls(maxRating: isRated ? self.signIns.maxRating(of: authentication) : nil)
    }

    /// The sentence for a viewer about a network that failed; the `details` of rest-v1 15.1.
    private static func sentence(on denial: Denial) -> String {
        denial == .network(timeout: true)
            ? "The TV provider did not answer in time." : "The TV provider could not be reached."
    }
}
