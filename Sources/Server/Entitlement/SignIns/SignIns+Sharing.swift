import Clientless

// The requestors for which a sign-in counts, and until when (rest-v1 6.2, 6.3, 26). Every check of a sign-in comes
// through here, however its record was found.
extension SignIns {
    /// The standing of one record with `requestor`; a record that counts has the end that it has for this requestor.
    func recordStanding(of record: AuthNRecord, requestor: RequestorID, now: Timestamp) -> DeviceStanding {
        guard let integration = self.catalogue.integration(requestor, record.mvpd) else { return .never }
        var end = record.expires
        if record.requestor != requestor {
            // An application that named itself shares with no other, whatever its record says.
            guard !record.isExclusive, record.context.appID == nil, !integration.authPerAggregator
            else { return .never }
            // The requestor that uses a shared sign-in configures how long it counts (rest-v1 26).
            end = min(end, record.created + integration.authenticationLifetime)
        }
        if record.origin == .degraded {
            // It lives by rules that an operator may end at any moment: of the requestor that obtained it, and of the
            // one that uses it.
            for requestor in Set([record.requestor, requestor]) {
                end = min(end, self.degradations.inForce.skippedLogin(requestor, record.mvpd, at: now)?.ends ?? now)
            }
        }
        var shared = record
        shared.expires = end
        return shared.isCurrent(at: now) ? .signedIn(shared) : .expired(shared)
    }

    /// The sign-in as it counts for `requestor`.
    /// - Throws: `authenticationExpired`; `notAuthenticated` when it is not for this requestor.
    func usable(
        _ record: AuthNRecord, _ requestor: RequestorID, now: Timestamp
    ) throws(EntitlementError) -> AuthNRecord {
        switch self.recordStanding(of: record, requestor: requestor, now: now) {
        case .signedIn(let record): return record
        case .expired: throw EntitlementError(.authenticationExpired)
        case .never: throw EntitlementError(.notAuthenticated)
        }
    }

    /// The sign-in that counts for a device and requestor.
    /// - Throws: `notAuthenticated`, `authenticationExpired`, `storeUnavailable`.
    func signedIn(
        _ context: DeviceContext, _ requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> AuthNRecord {
        switch try await self.deviceStanding(of: context, requestor: requestor, now: now) {
        case .signedIn(let record): return record
        case .expired: throw EntitlementError(.authenticationExpired)
        case .never: throw EntitlementError(.notAuthenticated)
        }
    }

    /// Whether a stored decision still counts: it is unexpired and, if a degradation rule granted it, some rule still
    /// grants it (rest-v1 25).
    func isCurrent(_ decision: AuthZRecord, now: Timestamp) -> Bool {
        guard decision.isCurrent(at: now) else { return false }
        guard decision.origin == .degraded else { return true }
        let effect = self.degradations.inForce.effect(on: decision.resource, decision.requestor, decision.mvpd, at: now)
        if case .grant = effect { return true }
        return false
    }
}
