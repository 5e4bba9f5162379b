package import Clientless

// The requestors for which a sign-in counts, and until when (rest-v1 6.2, 6.3, 26). Every check of a sign-in comes
// through here, however its record was found.
extension SignIns {
    /// The standing of one record with `requestor`; a record that counts has the end that it has for this requestor.
    func recordStanding(of record: AuthNRecord, requestor: RequestorID, now: Timestamp) -> DeviceStanding {
        guard let end = self.end(of: record, for: requestor, now: now) else { return .never }
        var shared = record
        shared.expires = end
        return now < end ? .signedIn(shared) : .expired(shared)
    }

    /// The end that a record has for `requestor`; `nil` if it does not count for it.
    func end(of record: AuthNRecord, for requestor: RequestorID, now: Timestamp) -> Timestamp? {
        guard let integration = self.catalogue.integration(requestor, record.mvpd) else { return nil }
        var end = record.expires
        if record.requestor != requestor {
            // An application that named itself shares with no other, whatever its record says.
            guard !record.isExclusive, record.context.appID == nil, !integration.authPerAggregator else { return nil }
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
        return end
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
    package func signedIn(
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
        let rules = self.degradations.inForce(at: decision.mvpd)
        let effect = rules.effect(on: decision.resource, decision.requestor, decision.mvpd, at: now)
        return if case .grant = effect { true } else { false }
    }

    /// Signs the device of `record` in for another requestor of the same provider, without a browser (sdk-services 6).
    ///
    /// - Parameter record: a current sign-in of the device, whichever requestor obtained it.
    /// - Throws: `unknownProvider`, `authenticationExpired`; `passiveNotPossible` when the sign-in is another
    ///   provider's or no provider's at all, or the provider has no back channel, or refuses; `providerUnavailable`,
    ///   `storeUnavailable`. When the provider no longer has the viewer, `record` ends.
    package func passiveSignIn(
        by record: AuthNRecord, requestor: RequestorID, mvpd: MVPDID, credential: BoxCredential? = nil, now: Timestamp
    ) async throws(EntitlementError) -> AuthNRecord {
        guard self.catalogue.integration(requestor, mvpd) != nil else { throw EntitlementError(.unknownProvider) }
        let source = try self.usable(record, record.requestor, now: now)
        // Sign-ins that are shared need nothing here, and a second one would take the first one's place.
        if source.mvpd == mvpd,
            case .signedIn(let shared) = self.recordStanding(of: source, requestor: requestor, now: now)
        {
            return shared
        }
        // A session sealed in a trial or under a degradation rule is no session of a viewer.
        guard source.mvpd == mvpd, source.origin.isOfAccount else { throw EntitlementError(.passiveNotPossible) }
        let kept = try self.keptSession(of: source)
        let verdict = try await self.ask(about: source, now: now) { (provider, session) throws(ProviderError) in
            try await provider.renew(session, requestor: requestor, now: now)
        }
        guard case .accepted(let login) = verdict else {
            if verdict != nil, try await self.isRefused(source) { _ = try await self.endRefused(source, now: now) }
            throw EntitlementError(.passiveNotPossible)
        }
        // The source may have ended while its provider was asked.
        guard try await self.storedAuthentication(source.id)?.isCurrent(at: now) == true
        else { throw EntitlementError(.authenticationExpired) }
        return try await self.signIn(
            source.context, requestor: requestor, mvpd: mvpd, login: Self.login(login, by: kept, of: source),
            origin: source.origin, box: kept.box, credential: credential, now: now)
    }

    /// The login of a sign-in that came of another one: one by a viewer's home shows no home again, and ends with it.
    static func login(_ login: ProviderLogin, by kept: KeptSession, of source: AuthNRecord) -> ProviderLogin {
        guard kept.metadata[HomeRules.key] == .text("true") else { return login }
        var copy = login
        copy.metadata[HomeRules.key] = .text("true")
        copy.until = min(login.until ?? source.expires, source.expires)
        return copy
    }
}
