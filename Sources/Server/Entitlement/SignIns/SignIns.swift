package import Clientless
import Cryptography
import Synchronization

/// The sign-ins of devices: how they come about, for whom they count, and how they end.
package final class SignIns: DomainPart {
    let parts: DomainParts
    let degradations: DegradationRules
    let platform: PlatformExchange?
    /// `nil` if nothing is signed: an operator's command vouches for no box.
    let signer: TokenDocumentSigner?
    let turns = SessionTurns()
    private let opened = OpenedValues<AuthNID, KeptSession>()
    let farewells = Farewells()
    /// The ID under which other nodes know this one.
    let node = randomUUID()
    /// Sessions that changed at their providers while the store kept nothing, by what they were before.
    let heldSessions = Mutex<[ProviderSession: ChangedSession]>([:])

    init(
        _ parts: DomainParts, degradations: DegradationRules, platform: PlatformExchange? = nil,
        signer: TokenDocumentSigner? = nil
    ) {
        self.parts = parts
        self.degradations = degradations
        self.platform = platform
        self.signer = signer
    }

    /// The device context a request speaks for (rest-v1 6.3).
    package func context(_ device: DeviceID, appID: String?, deviceUser: String?) -> DeviceContext {
        DeviceContext(device: self.keys.deviceHash(device), appID: appID, deviceUser: deviceUser)
    }

    /// Signs a device in on the word of `login`, without a code. The sign-in takes the place of the one that its context
    /// held.
    /// - Parameter box: what is known of the box; `nil` if nothing is.
    /// - Throws: `unknownProvider`, `storeUnavailable`.
    package func signIn(
        _ context: DeviceContext, requestor: RequestorID, mvpd: MVPDID, login: ProviderLogin, origin: AuthNOrigin,
        box: KeptBox? = nil, credential: BoxCredential? = nil, until end: Timestamp? = nil, now: Timestamp
    ) async throws(EntitlementError) -> AuthNRecord {
        let record = try self.authentication(
            Self.newAuthNID(), context: context, requestor: requestor, mvpd: mvpd, login: login, origin: origin,
            box: box, credential: credential, code: nil, until: end, now: now)
        try await stored(await self.store.insert(record))
        self.memory.announce(device: context.device)
        return record
    }

    /// The AuthN record of a new sign-in.
    /// - Parameters:
    ///   - end: when it ends at the latest; what is configured for the integration when that is sooner. A trial ends when
    ///     it ends, whatever is configured (rest-v1 20.1).
    ///   - isOwn: whether it counts for `requestor` alone, also where requestors share sign-ins.
    func authentication(
        _ id: AuthNID, context: DeviceContext, requestor: RequestorID, mvpd: MVPDID, login: ProviderLogin,
        origin: AuthNOrigin, box: KeptBox?, credential: BoxCredential?, code: RegistrationCodeText?,
        until end: Timestamp?, isOwn: Bool = false, now: Timestamp
    ) throws(EntitlementError) -> AuthNRecord {
        guard let integration = self.catalogue.integration(requestor, mvpd)
        else { throw EntitlementError(.unknownProvider) }
        try login.check(at: now)
        let latest = [end, login.until].compactMap(\.self).min()
        let expires = try self.end(at: mvpd, of: requestor, origin: origin, until: latest, now: now)
        return AuthNRecord(
            id: id, context: context, requestor: requestor,
            // So is always a trial, and the sign-in of a code with an `appId` (rest-v1 6.3).
            isExclusive: isOwn || integration.authPerAggregator || origin == .temporaryPass || context.appID != nil,
            mvpd: mvpd, userID: self.keys.userID(login.upstreamUserID, of: mvpd), code: code, origin: origin,
            credential: credential, created: now, expires: expires,
            sealedSession: try self.opened.sealed(
                KeptSession(login, updated: now, box: box), of: id, in: .session(of: id, at: mvpd), by: self.keys),
            providerSession: login.sessionName.map { self.keys.providerSession($0, of: mvpd) })
    }

    /// When a sign-in that begins at `now` ends.
    /// - Parameter end: what its provider or its trial says of it.
    /// - Throws: `unknownProvider`.
    func end(
        at mvpd: MVPDID, of requestor: RequestorID, origin: AuthNOrigin, until end: Timestamp?, now: Timestamp
    ) throws(EntitlementError) -> Timestamp {
        guard let integration = self.catalogue.integration(requestor, mvpd)
        else { throw EntitlementError(.unknownProvider) }
        let configured = now + integration.authenticationLifetime
        return end.map { origin == .temporaryPass ? $0 : min($0, configured) } ?? configured
    }

    func keptSession(of authentication: AuthNRecord) throws(EntitlementError) -> KeptSession {
        try self.opened.opened(
            authentication.sealedSession, of: authentication.id, in: .session(of: authentication), by: self.keys)
    }

    /// The household's limit on ratings (rest-v1 19). An account of this server has it as operators last set it.
    /// - Throws: `internal` when the kept session cannot be opened.
    func maxRating(of record: AuthNRecord) async throws(EntitlementError) -> MetadataValue? {
        let kept = try self.keptSession(of: record)
        // A command knows no providers, and looks for an account at each.
        guard record.origin.isOfAccount, self.catalogue.provider(record.mvpd)?.keepsAccounts != false,
            let account = try? await self.store.account(id: kept.upstreamUserID, of: record.mvpd)
        else { return kept.metadata["maxRating"] }
        return self.metadata(of: record, kept, after: account.metadata)["maxRating"]
    }

    /// The metadata to keep once the provider of `record` said `latest` of the viewer. This server's own entries stay;
    /// so does what the platform's issuer says, if the provider does not. The account of a box has no such issuer.
    func metadata(
        of record: AuthNRecord, _ kept: KeptSession, after latest: [String: MetadataValue]
    ) -> [String: MetadataValue] {
        if record.origin == .platform,
            self.catalogue.integration(record.requestor, record.mvpd)?.platform?.takesBoxAccounts == false
        {
            return kept.metadata.merging(latest) { _, new in new }
        }
        return latest.merging(kept.metadata.filter { $0.key == HomeRules.key }) { _, own in own }
    }

    /// Says in the kept session of `record` that the metadata changed at `moment`.
    func markUpdated(_ record: inout AuthNRecord, at moment: Timestamp) throws(EntitlementError) {
        var kept = try self.keptSession(of: record)
        kept.updated = moment
        record.sealedSession = try self.keys.sealed(kept.json, in: .session(of: record))
    }

    /// Changes a kept sign-in, and tells the polls held for its device. When it changed meanwhile, `change` is asked
    /// again: it changes nothing else. A sign-in that is gone stays so, and so does one that `change` leaves as it is.
    func update(
        _ record: AuthNRecord, _ change: @Sendable (inout AuthNRecord) throws(EntitlementError) -> Void
    ) async throws(EntitlementError) {
        var latest: AuthNRecord? = record
        // A swap is lost only to one that won.
        for _ in 0..<16 {
            guard var changed = latest else { return }
            try change(&changed)
            guard changed != latest else { return }
            if try await stored(await self.store.update(changed)) {
                self.memory.announce(device: record.context.device)
                return
            }
            latest = try await stored(await self.store.authentication(record.id))
        }
        throw EntitlementError(.storeUnavailable, detail: "sixteen swaps of one sign-in were all too late")
    }

    static func newAuthNID() -> AuthNID { AuthNID(text: Hex.encode(SecureRandom.bytes(16))) }
}
