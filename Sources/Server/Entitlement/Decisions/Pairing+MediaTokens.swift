package import Clientless

// Short media tokens (rest-v1 16, 22.4). They are never stored, and each call makes a new one.
extension Pairing {
    /// A new media token on the strength of a stored decision; it never authorizes by itself (rest-v1 16).
    /// - Throws: `notAuthenticated`, `authenticationExpired`, `authorizationMissing`, `authorizationExpired`;
    ///   `notAuthorized` while a degradation rule refuses; `storeUnavailable`, `internal` when it cannot be signed.
    package func mediaToken(
        _ resource: Resource, context: DeviceContext, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> IssuedMediaToken {
        let authentication = try await self.signedIn(context, requestor, now: now)
        let decision = try await self.storedAuthorization(resource, of: authentication, requestor, now: now)
        return try self.mediaToken(for: decision, of: authentication, now: now)
    }

    /// The same for a decision that is already at hand.
    /// - Throws: what the call above throws.
    package func mediaToken(
        for authorization: AuthZRecord, of record: AuthNRecord, now: Timestamp
    ) throws(EntitlementError) -> IssuedMediaToken {
        let requestor = authorization.requestor
        let authentication = try self.usable(record, requestor, now: now)
        guard authorization.authentication == authentication.id else { throw EntitlementError(.authorizationMissing) }
        guard self.isCurrent(authorization, now: now) else { throw EntitlementError(.authorizationExpired) }
        // A decision may be older than a rule against its resource.
        let effect = self.degradations.effect(on: authorization.resource, requestor, authentication.mvpd, at: now)
        if case .refuse(let message) = effect { throw Self.refusal(of: .programmer, message) }
        guard let integration = self.catalogue.integration(requestor, authentication.mvpd)
        else { throw EntitlementError(.notAuthenticated) }
        return try self.issue(authorization, authentication, lifetime: integration.mediaTokenLifetime, now: now)
    }

    private func issue(
        _ authorization: AuthZRecord, _ authentication: AuthNRecord, lifetime: Duration, now: Timestamp
    ) throws(EntitlementError) -> IssuedMediaToken {
        let document = MediaTokenDocument(
            sessionGUID: authentication.userID, requestor: authorization.requestor, resource: authorization.resource,
            timeToLive: lifetime, issueTime: now, mvpd: authentication.mvpd)
        let element: String
        do {
            element = try document.element()
        } catch {
            throw EntitlementError(.internal, detail: "a media token cannot name its resource")
        }
        return IssuedMediaToken(
            document: try self.documents.document(signing: element), resource: authorization.resource,
            requestor: authorization.requestor, mvpd: authentication.mvpd, userID: authentication.userID,
            expires: now + lifetime)
    }
}
