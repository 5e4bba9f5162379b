package import Clientless

// What operators do, each with its line in the audit log.
extension Pairing {
    /// Puts a degradation rule in force (rest-v1 25).
    /// - Throws: `storeUnavailable`.
    package func add(_ rule: DegradationRule, actor: String, now: Timestamp) async throws(EntitlementError) {
        let entry = AuditEntry(
            time: now, actor: actor, action: "degradation.add", subject: "\(rule.kind.rawValue) \(rule.requestor)")
        do {
            try await self.store.save([rule], audit: entry)
            try await self.reloadDegradations(now: now)
        } catch {
            throw EntitlementError(error)
        }
    }

    /// Ends the rules of a kind for a pair; of one resource, or all. Sign-ins made under a login rule end with it.
    /// - Returns: the rules that were ended.
    /// - Throws: `storeUnavailable`.
    package func endRules(
        _ kind: DegradationRule.Kind, requestor: RequestorID, mvpd: MVPDID?, resource: Resource?, actor: String,
        now: Timestamp
    ) async throws(EntitlementError) -> [DegradationRule] {
        let ended = self.degradations.rules.filter { rule in
            rule.kind == kind && rule.requestor == requestor && rule.mvpd == mvpd && rule.isActive(at: now)
                && (resource.map { rule.resources.contains($0) } ?? true)
        }.map { $0.ended(at: now) }
        guard !ended.isEmpty else { return [] }
        let entry = AuditEntry(
            time: now, actor: actor, action: "degradation.end", subject: "\(kind.rawValue) \(requestor)")
        do {
            try await self.store.save(ended, audit: entry)
            try await self.reloadDegradations(now: now)
        } catch {
            throw EntitlementError(error)
        }
        return ended
    }

    /// All AuthN records of a device.
    /// - Throws: `storeUnavailable`.
    package func records(of device: DeviceID) async throws(EntitlementError) -> [AuthNRecord] {
        try await self.authentications(of: self.keys.deviceHash(device))
    }
}

extension DegradationRule {
    /// The rule, over at `moment`.
    func ended(at moment: Timestamp) -> DegradationRule {
        DegradationRule(
            id: self.id, kind: self.kind, requestor: self.requestor, mvpd: self.mvpd, resources: self.resources,
            message: self.message, activation: self.activation, ends: moment)
    }
}
