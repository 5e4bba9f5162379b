package import Clientless

extension SignIns {
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
        guard source.mvpd == mvpd, source.origin.isOfAccount
        else { throw EntitlementError(.passiveNotPossible) }
        let kept = try self.keptSession(of: source)
        let verdict = try await self.ask(about: source, now: now) { (provider, session) throws(ProviderError) in
            try await provider.renew(session, requestor: requestor, now: now)
        }
        guard case .accepted(let login) = verdict else {
            if verdict != nil, try await self.isRefused(source) { _ = try await self.endRefused(source, now: now) }
            throw EntitlementError(.passiveNotPossible)
        }
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
