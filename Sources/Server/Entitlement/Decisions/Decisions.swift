package import Clientless

/// Decisions on resources: who may play what, and the media tokens that say so (rest-v1 15 to 17).
package struct Decisions: DomainPart {
    /// Permits that are kept of one sign-in; resources are texts of the box's choice, so the oldest go.
    static let permitsPerSignIn = 200

    // Each call copies this part: the others are found through these few.
    let codes: Codes
    let trials: Trials
    let signer: TokenDocumentSigner
    let issueTimes = IssueTimes()

    var parts: DomainParts { self.codes.parts }
    var signIns: SignIns { self.codes.signIns }
    var degradations: DegradationRules { self.signIns.degradations }

    /// The permit that memory knows, if nothing but its own time could end it.
    /// - Returns: also the proxy of its provider; `nil` if ``authorize(_:by:requestor:person:now:)`` has to decide.
    package func rememberedPermit(
        _ resource: Resource, context: DeviceContext, requestor: RequestorID, now: Timestamp
    ) -> (permit: AuthZRecord, proxy: MVPDID?)? {
        // Ratings, rules and trials come first.
        guard !resource.isMediaRSS, let (permit, _) = self.remembered(resource, context, requestor, now: now),
            self.degradations.inForce.effect(on: resource, requestor, permit.mvpd, at: now) == nil,
            let mvpd = self.catalogue.mvpd(permit.mvpd), mvpd.trial == nil
        else { return nil }
        return (permit, mvpd.proxy)
    }

    /// Decides whether the box of a sign-in may play `resource`, and keeps a permit.
    ///
    /// The order is that of rest-v1 15.1: the operator's refusals, the household's ratings, the operator's grants, the
    /// rules of a trial, a stored and current decision, and the provider last.
    /// - Parameter person: the person who tries a promotional trial; `nil` means the one the sign-in named (rest-v1
    ///   20.3).
    /// - Throws: `notAuthenticated`, `authenticationExpired`; `notAuthorized` with its ``Denial``, also when the
    ///   provider could not be asked (fail closed); `authenticationRevoked` when the provider no longer has the viewer;
    ///   `storeUnavailable`.
    package func authorize(
        _ resource: Resource, by record: AuthNRecord, requestor: RequestorID, person: TrialIdentity? = nil,
        now: Timestamp
    ) async throws(EntitlementError) -> AuthZRecord {
        let authentication = try self.signIns.usable(record, requestor, now: now)
        do throws(EntitlementError) {
            let permit = try await self.permit(
                resource, by: authentication, requestor: requestor, person: person, now: now)
            // One that was kept before is no news.
            if permit.created == now { self.tell(.permitted, by: authentication, requestor, resource, now: now) }
            return permit
        } catch {
            if error.code == .notAuthorized {
                self.tell(.permitRefused, by: authentication, requestor, resource, denial: error.denial, now: now)
            }
            throw error
        }
    }

    private func permit(
        _ resource: Resource, by authentication: AuthNRecord, requestor: RequestorID, person: TrialIdentity?,
        now: Timestamp
    ) async throws(EntitlementError) -> AuthZRecord {
        let mvpd = authentication.mvpd
        let degradation = self.degradations.inForce(at: mvpd).effect(on: resource, requestor, mvpd, at: now)
        if case .refuse(let message) = degradation { throw Self.refusal(.deny(byRule: message)) }
        guard try await self.household(of: authentication, isRated: resource.isMediaRSS).allow(resource) else {
            // The refusal stands whether or not the store can be read or written.
            if (try? await self.storedDecision(resource, of: authentication, requestor, now: now)) != nil {
                try? await self.forget(resource, of: authentication, requestor)
            }
            throw EntitlementError(.notAuthorized, denial: .parentalControls)
        }
        if case .grant(let end) = degradation {
            // A provider's permit stays: it counts on when the rule is over.
            let stored = try await self.storedDecision(resource, of: authentication, requestor, now: now)
            if let stored, stored.origin == .provider, self.signIns.isCurrent(stored, now: now) { return stored }
            return try await self.keepPermit(
                resource, authentication, requestor, origin: .degraded, until: end, now: now)
        }
        if let rules = self.catalogue.mvpd(mvpd)?.trial {
            return try await self.authorizeTrial(
                resource, authentication, requestor, rules: rules, person: person, now: now)
        }
        let stored = try await self.storedDecision(resource, of: authentication, requestor, now: now)
        if let stored, self.signIns.isCurrent(stored, now: now) { return stored }
        switch try await self.verdicts(on: [resource], by: authentication, requestor, now: now)[0] {
        case let verdict where !verdict.isPermit:
            if !verdict.isUnanswered { try? await self.forget(resource, of: authentication, requestor) }
            throw Self.refusal(verdict)
        case let verdict:
            return try await self.keepPermit(
                resource, authentication, requestor, origin: .provider, until: verdict.until, now: now)
        }
    }
}

extension Decisions {
    /// Tells what happened to a box that asked to play something.
    /// - Parameter knowsModel: whether the kind of box is worth opening the kept session for.
    func tell(
        _ kind: BoxStep.Kind, by authentication: AuthNRecord, _ requestor: RequestorID, _ resource: Resource? = nil,
        denial: Denial? = nil, knowsModel: Bool = true, now: Timestamp
    ) {
        // A session that cannot be opened tells no kind of box.
        let model = knowsModel ? (try? self.signIns.keptSession(of: authentication))?.box?.kind : nil
        var event = BoxStep(
            kind: kind, time: now, requestor: requestor, mvpd: authentication.mvpd,
            device: authentication.context.device, model: model ?? BoxModel())
        event.resource = resource
        event.denial = denial
        self.codes.report(.box(event))
    }

    /// The stored decision on `resource`; the provider is not asked (rest-v1 15.2).
    /// - Parameter authentication: as it counts for the requestor.
    /// - Throws: `authorizationMissing`, `authorizationExpired`, `storeUnavailable`.
    package func storedAuthorization(
        _ resource: Resource, of authentication: AuthNRecord, _ requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> AuthZRecord {
        guard let stored = try await self.storedDecision(resource, of: authentication, requestor, now: now)
        else { throw EntitlementError(.authorizationMissing) }
        guard self.signIns.isCurrent(stored, now: now) else { throw EntitlementError(.authorizationExpired) }
        return stored
    }

    /// The decision that belongs to the current sign-in; one of an earlier sign-in does not count (rest-v1 6.2).
    func storedDecision(
        _ resource: Resource, of authentication: AuthNRecord, _ requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> AuthZRecord? {
        if let known = self.rememberedDecision(resource, of: authentication, requestor, now: now) { return known }
        let (memory, device) = (self.signIns.memory, authentication.context.device)
        let ticket = memory.permits.ticket(for: device)
        guard let stored = try await self.storedDecisions([resource], of: authentication.id, requestor).first
        else { return nil }
        // A trial's and a rule's end otherwise than by their time.
        if stored.origin == .provider { memory.remember(stored, since: ticket) }
        return stored.written(resource)
    }

    private func rememberedDecision(
        _ resource: Resource, of authentication: AuthNRecord, _ requestor: RequestorID, now: Timestamp
    ) -> AuthZRecord? {
        // One that is over may have a successor that another node keeps.
        let known = self.signIns.memory.permits(of: authentication.context.device).first {
            $0.isAbout(resource, of: authentication.id, requestor) && $0.isCurrent(at: now)
        }
        return known?.written(resource)
    }

    /// The current decision on a resource, and its sign-in, if memory knows both and may be trusted.
    func remembered(
        _ resource: Resource, _ context: DeviceContext, _ requestor: RequestorID, now: Timestamp
    ) -> (AuthZRecord, AuthNRecord)? {
        guard let authentication = self.signIns.rememberedSignIn(of: context, requestor: requestor, now: now)
        else { return nil }
        return self.rememberedDecision(resource, of: authentication, requestor, now: now).map { ($0, authentication) }
    }

    func storedDecisions(
        _ resources: [Resource], of authentication: AuthNID, _ requestor: RequestorID
    ) async throws(EntitlementError) -> [AuthZRecord] {
        try await stored(
            await self.store.authorizations(of: authentication, requestor: requestor, resources: resources))
    }

    private func forget(
        _ resource: Resource, of authentication: AuthNRecord, _ requestor: RequestorID
    ) async throws(EntitlementError) {
        try await stored(
            await self.store.deleteAuthorization(of: authentication.id, requestor: requestor, resource: resource))
        self.signIns.memory.permits.forget(authentication.context.device)
    }

    func keepPermit(
        _ resource: Resource, _ authentication: AuthNRecord, _ requestor: RequestorID, origin: AuthZOrigin,
        until end: Timestamp?, now: Timestamp
    ) async throws(EntitlementError) -> AuthZRecord {
        let permit = try self.permit(resource, authentication, requestor, origin: origin, until: end, now: now)
        let isKept = try await stored(await self.store.save(permit, limit: Self.permitsPerSignIn))
        self.signIns.memory.permits.forget(permit.device)
        guard isKept else { throw EntitlementError(.notAuthenticated, detail: "signed out meanwhile") }
        return permit
    }

    func permit(
        _ resource: Resource, _ authentication: AuthNRecord, _ requestor: RequestorID, origin: AuthZOrigin,
        until end: Timestamp?, now: Timestamp
    ) throws(EntitlementError) -> AuthZRecord {
        guard let integration = self.catalogue.integration(requestor, authentication.mvpd)
        else { throw EntitlementError(.notAuthenticated) }
        let configured = now + integration.authorizationLifetime
        // A provider's answer only shortens the time; the ends of trials and rules are their own.
        let latest = origin == .provider ? min(end ?? configured, configured) : end ?? configured
        return AuthZRecord(
            authentication: authentication.id, device: authentication.context.device, requestor: requestor,
            resource: resource, mvpd: authentication.mvpd, origin: origin, created: now,
            // A decision never outlives the sign-in it rests on (rest-v1 9).
            expires: min(latest, authentication.expires))
    }

    static func refusal(_ verdict: Verdict) -> EntitlementError {
        guard case .deny(let reason) = verdict.decision else { return EntitlementError(.notAuthorized) }
        return EntitlementError(.notAuthorized, denial: verdict.denial, viewerMessage: reason)
    }
}
