package import Clientless

// Short media tokens (rest-v1 16, 22.4). They are never stored, and each call makes a new one.
extension Decisions {
    /// A new media token on the strength of a decision that memory knows.
    /// - Returns: `nil` if it knows none.
    package func mediaTokenFromMemory(
        _ resource: Resource, context: DeviceContext, requestor: RequestorID, now: Timestamp
    ) throws(EntitlementError) -> IssuedMediaToken? {
        guard let (permit, authentication) = self.remembered(resource, context, requestor, now: now) else { return nil }
        return try self.mediaToken(for: permit, by: authentication, now: now)
    }

    /// A new media token on the strength of a stored decision; it never authorizes by itself (rest-v1 16).
    /// - Throws: `notAuthenticated`, `authenticationExpired`, `authorizationMissing`, `authorizationExpired`;
    ///   `notAuthorized` while a degradation rule refuses; `internal` when it cannot be signed.
    package func mediaToken(
        for authorization: AuthZRecord, of record: AuthNRecord, now: Timestamp
    ) throws(EntitlementError) -> IssuedMediaToken {
        let authentication = try self.signIns.usable(record, authorization.requestor, now: now)
        return try self.mediaToken(for: authorization, by: authentication, now: now)
    }

    /// - Parameter authentication: as it counts for the requestor of the decision.
    private func mediaToken(
        for authorization: AuthZRecord, by authentication: AuthNRecord, now: Timestamp
    ) throws(EntitlementError) -> IssuedMediaToken {
        let requestor = authorization.requestor
        guard authorization.authentication == authentication.id else { throw EntitlementError(.authorizationMissing) }
        guard self.signIns.isCurrent(authorization, now: now) else { throw EntitlementError(.authorizationExpired) }
        // A decision may be older than a rule against its resource.
        let effect = self.degradations.inForce.effect(
            on: authorization.resource, requestor, authentication.mvpd, at: now)
        if case .refuse(let message) = effect { throw Self.refusal(.deny(byRule: message)) }
        guard let integration = self.catalogue.integration(requestor, authentication.mvpd)
        else { throw EntitlementError(.notAuthenticated) }
        let token = try self.issue(authorization, authentication, lifetime: integration.mediaTokenLifetime, now: now)
        // Each playback asks for one: its kind of box is not looked up.
        self.tell(.mediaToken, by: authentication, requestor, knowsModel: false, now: now)
        return token
    }

    private func issue(
        _ authorization: AuthZRecord, _ authentication: AuthNRecord, lifetime: Duration, now: Timestamp
    ) throws(EntitlementError) -> IssuedMediaToken {
        let issued = self.issueTimes.next(for: authentication.userID, now: now)
        // The document says its issue time in whole seconds. Its time to live makes up for the rest, so that it ends
        // when the box is told it does, and differs from the document of any other millisecond.
        let second = Timestamp(milliseconds: issued.milliseconds / 1000 * 1000)
        let document = MediaTokenDocument(
            sessionGUID: authentication.userID, requestor: authorization.requestor, resource: authorization.resource,
            timeToLive: lifetime + (issued - second), issueTime: second, mvpd: authentication.mvpd,
            proxyMVPD: self.catalogue.current.proxy(of: authentication.mvpd))
        let element = try internally("a media token cannot name its resource") { try document.element() }
        return IssuedMediaToken(
            document: try self.signer.document(signing: element), resource: authorization.resource,
            requestor: authorization.requestor, mvpd: authentication.mvpd, userID: authentication.userID,
            expires: issued + lifetime)
    }
}

package struct IssuedMediaToken: Sendable {
    /// Of a ``MediaTokenDocument`` (rest-v1 22.4).
    package let document: SignedTokenDocument
    package let resource: Resource
    package let requestor: RequestorID
    package let mvpd: MVPDID
    package let userID: String
    package let expires: Timestamp
}

// The document opens a stream; it must not reach a log by interpolation.
extension IssuedMediaToken: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "<media token>" }
    package var debugDescription: String { "<media token>" }
}
