package import Clientless

// The operator's rules against a provider that is out of order, or a channel that must not be shown (rest-v1 25). That
// a provider is not listed at all is no rule: an integration that is switched off is in no list.
extension Pairing {
    /// Puts a degradation rule in force, in this server's memory at once.
    /// - Throws: `unknownRequestor`, `unknownProvider`, `storeUnavailable`.
    package func add(_ rule: DegradationRule, actor: String, now: Timestamp) async throws(EntitlementError) {
        guard let requestor = self.catalogue.requestor(rule.requestor)
        else { throw EntitlementError(.unknownRequestor) }
        guard rule.mvpd.map({ mvpd in requestor.integrations.contains { $0.mvpd == mvpd } }) ?? true
        else { throw EntitlementError(.unknownProvider) }
        try await self.save([rule], action: "degradation.add", rule.kind, rule.requestor, rule.mvpd, actor, now: now)
    }

    /// Ends the rules of a kind, in this server's memory at once. Sign-ins and decisions made under them end as well.
    ///
    /// - Parameters:
    ///   - mvpd: none means the rules of every provider.
    ///   - resource: takes only this one out of the rules that name it; none ends them whole.
    /// - Returns: the rules that were changed, as they are now.
    /// - Throws: `storeUnavailable`.
    package func endRules(
        _ kind: DegradationRule.Kind, requestor: RequestorID, mvpd: MVPDID?, resource: Resource?, actor: String,
        now: Timestamp
    ) async throws(EntitlementError) -> [DegradationRule] {
        let changed = try await self.degradationRules(endingAfter: now).filter { rule in
            rule.kind == kind && rule.requestor == requestor && (mvpd == nil || rule.mvpd == mvpd)
                && (resource.map { rule.resources.contains($0) } ?? true)
        }.map { $0.without(resource, at: now) }
        guard !changed.isEmpty else { return [] }
        try await self.save(changed, action: "degradation.end", kind, requestor, mvpd, actor, now: now)
        return changed
    }

    /// All rules that are in force or will be, by activation, and on demand also those that are over.
    /// - Throws: `storeUnavailable`.
    package func degradationRules(
        includingEnded: Bool, now: Timestamp
    ) async throws(EntitlementError) -> [DegradationRule] {
        try await self.degradationRules(endingAfter: includingEnded ? Timestamp(milliseconds: .min) : now)
    }

    private func degradationRules(endingAfter moment: Timestamp) async throws(EntitlementError) -> [DegradationRule] {
        do {
            return try await self.store.degradationRules(endingAfter: moment)
        } catch {
            throw EntitlementError(error)
        }
    }

    private func save(
        _ rules: [DegradationRule], action: String, _ kind: DegradationRule.Kind, _ requestor: RequestorID,
        _ mvpd: MVPDID?, _ actor: String, now: Timestamp
    ) async throws(EntitlementError) {
        let entry = AuditEntry(
            time: now, actor: actor, action: action,
            subject: "\(kind.rawValue) \(requestor) \(mvpd?.text ?? "all providers")")
        do {
            try await self.store.save(rules, audit: entry)
            try await self.reloadDegradations(now: now)
        } catch {
            throw EntitlementError(error)
        }
    }
}

extension DegradationRule {
    /// The rule without `resource`; over at `moment` when none is given, or nothing of it would be left.
    fileprivate func without(_ resource: Resource?, at moment: Timestamp) -> DegradationRule {
        let rest = self.resources.filter { $0 != resource }
        let isOver = resource == nil || rest.isEmpty
        return DegradationRule(
            id: self.id, kind: self.kind, requestor: self.requestor, mvpd: self.mvpd,
            resources: isOver ? self.resources : rest, message: self.message, activation: self.activation,
            ends: isOver ? moment : self.ends)
    }
}
