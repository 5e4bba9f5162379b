import Clientless

// Authorizations at a TempPass (rest-v1 20).
extension Decisions {
    /// The permits that a trial's sign-in keeps beside one of `resource`: the fewer, the longer the text, which a stranger
    /// chooses.
    private static func permits(beside resource: Resource) -> Int {
        min(16, max(1, 2048 / resource.received.utf8.count))
    }

    /// Counts an authorization against the trial; the sign-in and its decisions end with it (rest-v1 20.1).
    /// - Throws: `notAuthorized` when its time, its resources or its devices are used up, `storeUnavailable`.
    func authorizeTrial(
        _ resource: Resource, _ authentication: AuthNRecord, _ requestor: RequestorID, rules: TrialRules,
        person: TrialIdentity?, now: Timestamp
    ) async throws(EntitlementError) -> AuthZRecord {
        let signedIn = try self.trials.person(of: authentication)
        let identities = Trials.identities(authentication.context, person ?? signedIn)
        // A swap is lost only to another use of the same trial at the same moment.
        for _ in 0..<16 {
            let kept = try await self.trials.trial(identities, requestor, authentication.mvpd)
            var record =
                kept
                ?? TrialRecord(
                    id: randomUUID(), requestor: requestor, mvpd: authentication.mvpd, identities: identities,
                    trial: Trial())
            guard case .permit(let end) = record.use(resource, by: identities, at: now, rules: rules)
            else { throw EntitlementError(.notAuthorized, denial: .trial) }
            let hasNews = record.trial != kept?.trial
            var ending = authentication
            ending.expires = end
            let permit = try self.permit(resource, ending, requestor, origin: .temporaryPass, until: end, now: now)
            // Both or nothing: the time of a device that was signed out meanwhile does not begin.
            let limit = Self.permits(beside: resource)
            switch try await stored(await self.store.replace(record, keeping: permit, limit: limit)) {
            case .outdated: continue
            case .signedOut: throw EntitlementError(.notAuthenticated, detail: "signed out meanwhile")
            case .kept: break
            }
            try await self.align(authentication, to: end, hasNews: hasNews, rules: rules, now: now)
            return permit
        }
        throw EntitlementError(.storeUnavailable, detail: "sixteen swaps of one trial were all too late")
    }

    /// Gives the sign-in the end of its trial, and stores it anew when that differs or its metadata say something new.
    private func align(
        _ authentication: AuthNRecord, to end: Timestamp, hasNews: Bool, rules: TrialRules, now: Timestamp
    ) async throws(EntitlementError) {
        let changesMetadata = hasNews && rules.isPromotional
        guard authentication.expires != end || changesMetadata else { return }
        try await self.signIns.update(authentication) { (record) throws(EntitlementError) in
            record.expires = end
            if changesMetadata { try self.signIns.markUpdated(&record, at: now) }
        }
    }
}
