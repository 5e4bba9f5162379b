package import Clientless
import Synchronization

/// The operator's rules for a provider that is out of order, or for a channel that must not be shown (rest-v1 25).
///
/// A provider that is not to be listed needs no rule: its integration is switched off.
package final class DegradationRules: Sendable {
    private let store: any OperationStore
    private let catalogue: LiveCatalogue
    private let rules = Mutex(LatestRead(Degradations(rules: [])))

    init(store: any OperationStore, catalogue: LiveCatalogue) {
        self.store = store
        self.catalogue = catalogue
    }

    package var inForce: Degradations { self.rules.withLock { $0.value } }

    /// The rules that count at a provider. A grant for all providers leaves a trial alone: there is none to bypass.
    func inForce(at mvpd: MVPDID) -> Degradations {
        let all = self.inForce
        guard !all.rules.isEmpty, self.catalogue.mvpd(mvpd)?.trial != nil else { return all }
        return Degradations(rules: all.rules.filter { $0.mvpd != nil || $0.kind == .authzNone })
    }

    /// Reads the rules again; called when the store's feed says that they changed.
    func reload(now: Timestamp) async throws(StoreError) {
        let number = self.rules.withLock { $0.begin() }
        let rules = Degradations(rules: try await self.store.degradationRules(endingAfter: now))
        self.rules.withLock { _ = $0.keep(rules, readAs: number) }
    }

    /// Puts a degradation rule in force for each of some providers, all or none, in this server's memory at once; one about
    /// the very same ends.
    /// - Parameter mvpds: `nil` means every provider of the requestor.
    package func add(
        _ kind: DegradationRule.Kind, requestor: RequestorID, mvpds: [MVPDID?], resources: [Resource] = [],
        message: String = "", lifetime: Duration = DegradationRule.defaultLifetime, actor: String, now: Timestamp
    ) async throws(DegradationRuleFault) -> [DegradationRule] {
        guard resources.count <= DegradationRule.maximumResources, kind.namesResources || resources.isEmpty
        else { throw .resources }
        guard DegradationRule.lifetimes.contains(lifetime) else { throw .lifetime }
        guard message.utf8.count <= DegradationRule.maximumMessage,
            !message.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .message }
        let rules = mvpds.map { mvpd in
            DegradationRule(
                id: randomUUID(), kind: kind, requestor: requestor, mvpd: mvpd, resources: resources, message: message,
                activation: now, ends: now + lifetime)
        }
        let areKept: Bool
        do throws(EntitlementError) {
            areKept = try await self.put(rules, kind, of: requestor, mvpds, actor: actor, now: now)
        } catch {
            throw .domain(error)
        }
        guard areKept else { throw .tooMany }
        return rules
    }

    /// - Returns: false, and nothing changed, when the requestor has too many in force.
    private func put(
        _ rules: [DegradationRule], _ kind: DegradationRule.Kind, of requestor: RequestorID, _ mvpds: [MVPDID?],
        actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        guard let known = self.catalogue.requestor(requestor) else { throw EntitlementError(.unknownRequestor) }
        guard mvpds.allSatisfy({ mvpd in mvpd == nil || known.integrations.contains { $0.mvpd == mvpd } })
        else { throw EntitlementError(.unknownProvider) }
        return try await self.change { () throws(EntitlementError) in
            let inForce = try await self.rules(includingEnded: false, now: now).filter { $0.requestor == requestor }
            let former = inForce.filter { old in
                old.kind == kind
                    && rules.contains { $0.mvpd == old.mvpd && Set($0.resources) == Set(old.resources) }
            }
            guard inForce.count - former.count + rules.count <= DegradationRule.maximumInForce else { return false }
            let isSaved = try await self.save(
                former.map { $0.without(nil, at: now) } + rules, action: "degradation.add", kind, requestor, mvpds,
                actor, now: now)
            return isSaved ? true : nil
        }
    }

    /// - Parameter swap: changes rules as it read them; `nil` when another operator's change came in between.
    private func change<Result>(
        _ swap: () async throws(EntitlementError) -> Result?
    ) async throws(EntitlementError) -> Result {
        for _ in 0..<16 {
            if let result = try await swap() { return result }
        }
        throw EntitlementError(.storeUnavailable, detail: "sixteen swaps of rules were all too late")
    }

    /// Ends the rules of a kind, in this server's memory at once. Sign-ins and decisions made under them end as well.
    ///
    /// - Parameters:
    ///   - mvpd: `nil` means the rules of every provider.
    ///   - resource: takes only this one out of the rules that name it; `nil` ends them whole.
    /// - Returns: the rules that were changed, as they are now but for their versions.
    package func end(
        _ kind: DegradationRule.Kind, requestor: RequestorID, mvpd: MVPDID?, resource: Resource?, actor: String,
        now: Timestamp
    ) async throws(EntitlementError) -> [DegradationRule] {
        try await self.change { () throws(EntitlementError) in
            let changed = try await self.rules(includingEnded: false, now: now).filter { rule in
                rule.kind == kind && rule.requestor == requestor && (mvpd == nil || rule.mvpd == mvpd)
                    && (resource.map { rule.resources.contains($0) } ?? true)
            }.map { $0.without(resource, at: now) }
            guard !changed.isEmpty else { return [] }
            let isSaved = try await self.save(
                changed, action: "degradation.end", kind, requestor, [mvpd], actor, now: now)
            return isSaved ? changed : nil
        }
    }

    /// All rules that are in force or will be, by activation, and on demand also those that are over.
    package func rules(includingEnded: Bool, now: Timestamp) async throws(EntitlementError) -> [DegradationRule] {
        let moment = includingEnded ? Timestamp(milliseconds: .min) : now
        return try await stored(await self.store.degradationRules(endingAfter: moment))
    }

    private func save(
        _ rules: [DegradationRule], action: String, _ kind: DegradationRule.Kind, _ requestor: RequestorID,
        _ mvpds: [MVPDID?], _ actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        let providers = mvpds.map { $0?.text ?? "all providers" }.joined(separator: ", ")
        let entry = AuditEntry(
            time: now, actor: actor, action: action, subject: "\(kind.rawValue) \(requestor) \(providers)")
        guard try await stored(await self.store.save(rules, audit: entry)) else { return false }
        try await stored(await self.reload(now: now))
        return true
    }
}

extension DegradationRule {
    /// The rule without `resource`; over at `moment` when `resource` is `nil` or no other resource would be left.
    fileprivate func without(_ resource: Resource?, at moment: Timestamp) -> DegradationRule {
        let rest = self.resources.filter { $0 != resource }
        let isOver = resource == nil || rest.isEmpty
        var copy = self
        if isOver { copy.ends = moment } else { copy.resources = rest }
        return copy
    }
}
