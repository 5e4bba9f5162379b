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

    /// Reads the rules again; called when the store's feed says that they changed.
    func reload(now: Timestamp) async throws(StoreError) {
        let number = self.rules.withLock { $0.begin() }
        let rules = Degradations(rules: try await self.store.degradationRules(endingAfter: now))
        self.rules.withLock { _ = $0.keep(rules, readAs: number) }
    }

    /// Puts a degradation rule in force, in this server's memory at once.
    /// - Parameter mvpd: `nil` means every provider of the requestor.
    package func add(
        _ kind: DegradationRule.Kind, requestor: RequestorID, mvpd: MVPDID?, resources: [Resource] = [],
        message: String = "", lifetime: Duration = DegradationRule.defaultLifetime, actor: String, now: Timestamp
    ) async throws(DegradationRuleFault) -> DegradationRule {
        guard resources.count <= DegradationRule.maximumResources, kind.namesResources || resources.isEmpty
        else { throw .resources }
        guard DegradationRule.lifetimes.contains(lifetime) else { throw .lifetime }
        guard message.utf8.count <= DegradationRule.maximumMessage,
            !message.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .message }
        let rule = DegradationRule(
            id: randomUUID(), kind: kind, requestor: requestor, mvpd: mvpd, resources: resources, message: message,
            activation: now, ends: now + lifetime)
        let inForce: Int
        do throws(EntitlementError) {
            inForce = try await self.rules(includingEnded: false, now: now).count { $0.requestor == requestor }
            if inForce < DegradationRule.maximumInForce { try await self.put(rule, actor: actor, now: now) }
        } catch {
            throw .domain(error)
        }
        guard inForce < DegradationRule.maximumInForce else { throw .tooMany }
        return rule
    }

    private func put(_ rule: DegradationRule, actor: String, now: Timestamp) async throws(EntitlementError) {
        guard let requestor = self.catalogue.requestor(rule.requestor)
        else { throw EntitlementError(.unknownRequestor) }
        guard rule.mvpd.map({ mvpd in requestor.integrations.contains { $0.mvpd == mvpd } }) ?? true
        else { throw EntitlementError(.unknownProvider) }
        let isKept = try await self.save(
            [rule], action: "degradation.add", rule.kind, rule.requestor, rule.mvpd, actor, now: now)
        guard isKept else { throw EntitlementError(.internal, detail: "a rule has this ID already") }
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
        // A change is lost only to another operator's that won.
        for _ in 0..<16 {
            let changed = try await self.rules(includingEnded: false, now: now).filter { rule in
                rule.kind == kind && rule.requestor == requestor && (mvpd == nil || rule.mvpd == mvpd)
                    && (resource.map { rule.resources.contains($0) } ?? true)
            }.map { $0.without(resource, at: now) }
            guard !changed.isEmpty else { return [] }
            if try await self.save(changed, action: "degradation.end", kind, requestor, mvpd, actor, now: now) {
                return changed
            }
        }
        throw EntitlementError(.storeUnavailable, detail: "sixteen swaps of rules were all too late")
    }

    /// All rules that are in force or will be, by activation, and on demand also those that are over.
    package func rules(includingEnded: Bool, now: Timestamp) async throws(EntitlementError) -> [DegradationRule] {
        let moment = includingEnded ? Timestamp(milliseconds: .min) : now
        return try await stored(await self.store.degradationRules(endingAfter: moment))
    }

    private func save(
        _ rules: [DegradationRule], action: String, _ kind: DegradationRule.Kind, _ requestor: RequestorID,
        _ mvpd: MVPDID?, _ actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        let entry = AuditEntry(
            time: now, actor: actor, action: action,
            subject: "\(kind.rawValue) \(requestor) \(mvpd?.text ?? "all providers")")
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
