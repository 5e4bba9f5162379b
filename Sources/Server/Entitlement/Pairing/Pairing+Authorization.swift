package import Clientless

extension Pairing {
    /// Decides whether the device may play `resource`, and keeps a permit (rest-v1 15.1).
    ///
    /// A stored, current decision is given again without asking the provider; the operator's degradation rules and the
    /// rules of a trial come first.
    /// - Parameter person: who tries, for a promotional trial; what the sign-in said when none (rest-v1 20.3).
    /// - Throws: `notAuthenticated`, `notAuthorized` with the provider's sentence, `providerUnavailable` (fail closed),
    ///   `storeUnavailable`.
    package func authorize(
        _ resource: Resource, context: DeviceContext, requestor: RequestorID, person: TrialIdentity? = nil,
        now: Timestamp
    ) async throws(EntitlementError) -> AuthZRecord {
        let authentication = try await self.signedIn(context, requestor, now: now)
        switch self.degradations.effect(on: resource, requestor, authentication.mvpd, at: now) {
        case .refuse(let message):
            throw EntitlementError(.notAuthorized, viewerMessage: message)
        case .grant(let end):
            return try await self.keepPermit(
                resource, authentication, requestor, origin: .degraded, until: end, now: now)
        case nil:
            break
        }
        if let rules = self.catalogue.mvpd(authentication.mvpd)?.trial {
            return try await self.authorizeTrial(
                resource, authentication, requestor, rules: rules, person: person, now: now)
        }
        let stored = try await self.stored(resource, of: authentication, requestor)
        // A permit given under a degradation rule ends with the rule, also when the rule was ended early.
        if let stored, stored.isCurrent(at: now), stored.origin == .provider { return stored }
        switch try await self.decisions(on: [resource], by: authentication, requestor, now: now)[0] {
        case .deny(let reason):
            do {
                try await self.store.deleteAuthorization(
                    of: authentication.context.device, requestor: requestor, resource: resource)
            } catch {
                throw EntitlementError(error)
            }
            throw EntitlementError(.notAuthorized, viewerMessage: reason)
        case .permit:
            return try await self.keepPermit(
                resource, authentication, requestor, origin: .provider, until: nil, now: now)
        }
    }

    /// The stored decision on `resource`, without asking anyone (rest-v1 15.2).
    /// - Throws: `notAuthenticated` (also when the sign-in expired), `authorizationMissing`, `authorizationExpired`,
    ///   `storeUnavailable`.
    package func storedAuthorization(
        _ resource: Resource, context: DeviceContext, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> AuthZRecord {
        let authentication = try await self.signedIn(context, requestor, now: now)
        guard let stored = try await self.stored(resource, of: authentication, requestor)
        else { throw EntitlementError(.authorizationMissing) }
        guard stored.isCurrent(at: now) else { throw EntitlementError(.authorizationExpired) }
        return stored
    }

    /// A new media token on the strength of a stored decision; it never authorizes by itself (rest-v1 16).
    /// - Throws: `notAuthenticated`, `notAuthorized`, `storeUnavailable`, `internal` when it cannot be signed.
    package func mediaToken(
        _ resource: Resource, context: DeviceContext, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> IssuedMediaToken {
        let authentication = try await self.signedIn(context, requestor, now: now)
        guard let stored = try await self.stored(resource, of: authentication, requestor), stored.isCurrent(at: now),
            let integration = self.catalogue.integration(requestor, authentication.mvpd)
        else { throw EntitlementError(.notAuthorized) }
        return try self.mediaTokens.issue(
            resource, requestor: requestor, authentication: authentication,
            lifetime: integration.mediaTokenLifetime, now: now)
    }

    /// Signs the device out, for every requestor that shared the sign-in; open codes stay (rest-v1 18). Idempotent.
    package func logout(_ context: DeviceContext) async throws(EntitlementError) {
        do {
            let gone = try await self.store.deleteAuthentications(context, audit: nil)
            if gone.isEmpty { return }
        } catch {
            throw EntitlementError(error)
        }
        self.announce(device: context.device)
    }
}

extension Pairing {
    func signedIn(
        _ context: DeviceContext, _ requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> AuthNRecord {
        switch try await self.standing(of: context, requestor: requestor, now: now) {
        case .signedIn(let record): return record
        case .expired: throw EntitlementError(.notAuthenticated, detail: "expired")
        case .never: throw EntitlementError(.notAuthenticated)
        }
    }

    /// The decision that belongs to the current sign-in; one of an earlier sign-in does not count (rest-v1 6.2).
    private func stored(
        _ resource: Resource, of authentication: AuthNRecord, _ requestor: RequestorID
    ) async throws(EntitlementError) -> AuthZRecord? {
        do {
            return try await self.store.authorizations(
                of: authentication.context.device, requestor: requestor, resources: [resource]
            ).first { $0.authentication == authentication.id }
        } catch {
            throw EntitlementError(error)
        }
    }

    /// The provider's decisions, in the order of `resources`.
    func decisions(
        on resources: [Resource], by authentication: AuthNRecord, _ requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> [Decision] {
        let session = try self.keptSession(of: authentication).session
        let decisions = try await self.ask(authentication.mvpd) { provider throws(ProviderError) in
            try await provider.decide(resources, requestor: requestor, session: session, now: now)
        }
        guard decisions.count == resources.count else {
            throw EntitlementError(
                .providerUnavailable, detail: "\(decisions.count) decisions on \(resources.count) resources")
        }
        return decisions
    }

    func keepPermit(
        _ resource: Resource, _ authentication: AuthNRecord, _ requestor: RequestorID, origin: AuthZOrigin,
        until end: Timestamp?, now: Timestamp
    ) async throws(EntitlementError) -> AuthZRecord {
        guard let integration = self.catalogue.integration(requestor, authentication.mvpd)
        else { throw EntitlementError(.notAuthenticated) }
        let permit = AuthZRecord(
            authentication: authentication.id, device: authentication.context.device, requestor: requestor,
            resource: resource, mvpd: authentication.mvpd, origin: origin, created: now,
            // A decision never outlives the sign-in it rests on (rest-v1 9).
            expires: min(end ?? now + integration.authorizationLifetime, authentication.expires))
        let isKept: Bool
        do {
            isKept = try await self.store.save(permit)
        } catch {
            throw EntitlementError(error)
        }
        guard isKept else { throw EntitlementError(.notAuthenticated, detail: "signed out meanwhile") }
        return permit
    }
}
