package import Clientless
import Cryptography

// Sign-ins that come about without a registration code: trials, skipped logins, the platform's accounts.
extension Pairing {
    /// Signs a device in on the word of `login`, in place of whatever its context held.
    /// - Throws: `unknownProvider`, `storeUnavailable`.
    package func signIn(
        _ context: DeviceContext, requestor: RequestorID, mvpd: MVPDID, login: ProviderLogin, origin: AuthNOrigin,
        until end: Timestamp? = nil, now: Timestamp
    ) async throws(EntitlementError) -> AuthNRecord {
        let record = try self.authentication(
            Self.newAuthNID(), context: context, requestor: requestor, mvpd: mvpd, login: login, origin: origin,
            code: nil, until: end, now: now)
        do {
            try await self.store.save(record)
        } catch {
            throw EntitlementError(error)
        }
        self.announce(device: context.device)
        return record
    }

    /// The AuthN record of a new sign-in.
    /// - Parameter end: when it ends at the latest; what is configured for the integration when that is sooner. A trial
    ///   ends when it ends, whatever is configured (rest-v1 20.1).
    func authentication(
        _ id: AuthNID, context: DeviceContext, requestor: RequestorID, mvpd: MVPDID, login: ProviderLogin,
        origin: AuthNOrigin, code: RegistrationCodeText?, until end: Timestamp?, now: Timestamp
    ) throws(EntitlementError) -> AuthNRecord {
        guard let integration = self.catalogue.integration(requestor, mvpd)
        else { throw EntitlementError(.unknownProvider) }
        let configured = now + integration.authenticationLifetime
        let latest = end.map { origin == .temporaryPass ? $0 : min($0, configured) }
        return AuthNRecord(
            id: id, context: context, requestor: requestor,
            // A trial is always its requestor's alone (rest-v1 6.3).
            isExclusive: integration.authPerAggregator || origin == .temporaryPass, mvpd: mvpd,
            userID: self.keys.userID(login.upstreamUserID, of: mvpd), code: code, origin: origin, created: now,
            expires: latest ?? configured,
            sealedSession: try self.seal(KeptSession(login, updated: now), for: .session))
    }

    func keptSession(of authentication: AuthNRecord) throws(EntitlementError) -> KeptSession {
        try self.unseal(authentication.sealedSession, as: KeptSession.self, for: .session)
    }

    static func newAuthNID() -> AuthNID { AuthNID(text: Hex.encode(SecureRandom.bytes(16))) }
}
