package import Clientless
import Cryptography

// One account for a box: signed in once for one requestor, exchanged for sign-ins of others (access-enabler 10). The box
// asks for a profile with the token of its account, and the other requestor's application signs in with that profile. No
// application ever has the account's token.
extension SignIns {
    /// The request that a box hands to its platform, unread (rest-v1 21.1).
    /// - Returns: `nil` when there is nothing to ask for at this provider.
    package func profileRequest(requestor: RequestorID, mvpd: MVPDID) -> [UInt8]? {
        guard let boarding = self.catalogue.integration(requestor, mvpd)?.platform, boarding.isEnabled,
            boarding.status == .supported
        else { return nil }
        if boarding.takesBoxAccounts { return BoxAccountRequest(requestor: requestor, mvpd: mvpd).bytes }
        return boarding.profileRequest.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Vouches for the viewer of a box's account, to the requestor that `request` names.
    ///
    /// - Parameters:
    ///   - request: the answer of ``profileRequest(requestor:mvpd:)``.
    ///   - record: the sign-in of the account, current, and obtained with a code.
    /// - Returns: the profile, for one sign-in within two minutes.
    /// - Throws: `unknownProvider` when the requestor does not take the accounts of boxes from this provider;
    ///   `platformRefused`; `authenticationExpired`; `authenticationRevoked` when the provider no longer has the viewer;
    ///   `internal`, `storeUnavailable`.
    package func boxAccountProfile(
        for request: [UInt8], by record: AuthNRecord, now: Timestamp
    ) async throws(EntitlementError) -> String {
        guard let audience = BoxAccountRequest(request)
        else { throw EntitlementError(.platformRefused, platformFault: .unreadable) }
        let signer = try self.checkBoxAccounts(audience, now: now)
        let source = try self.usable(record, record.requestor, now: now)
        try Self.checkSource(source, for: audience)
        guard try await !self.isRefused(source) else { throw try await self.endRefused(source, now: now) }
        return try BoxAccountProfile(source: source.id, audience: audience, now: now).text(signer: signer)
    }

    /// Signs a device in with a profile of its account. The sign-in counts for `requestor` alone, so that neither it nor
    /// its end touches the account; it lives as long as is configured for `requestor` (access-enabler 10.5).
    /// - Throws: `unknownProvider`, `platformRefused`, `storeUnavailable`.
    func boxAccountSignIn(
        _ context: DeviceContext, requestor: RequestorID, mvpd: MVPDID, profile text: String,
        credential: BoxCredential?, now: Timestamp
    ) async throws(EntitlementError) -> AuthNRecord {
        let audience = BoxAccountRequest(requestor: requestor, mvpd: mvpd)
        let signer = try self.checkBoxAccounts(audience, now: now)
        guard let profile = BoxAccountProfile(text, signer: signer), profile.audience == audience,
            now < profile.expires
        else { throw EntitlementError(.platformRefused, platformFault: .unproven) }
        guard let source = try await self.storedAuthentication(profile.source),
            source.context.device == context.device, source.isCurrent(at: now)
        else { throw EntitlementError(.platformRefused, platformFault: .sourceOver) }
        try Self.checkSource(source, for: audience)
        let isFresh = try await stored(
            await self.store.takeNonce(
                profile.number, publicKey: "box-account", expires: profile.expires + BoxAccountProfile.lifetime,
                now: now))
        guard isFresh else { throw EntitlementError(.platformRefused, platformFault: .replayed) }
        let kept = try self.keptSession(of: source)
        let login = Self.login(
            ProviderLogin(upstreamUserID: kept.upstreamUserID, session: kept.session, metadata: kept.metadata),
            by: kept, of: source)
        var record = try self.authentication(
            Self.newAuthNID(), context: context, requestor: requestor, mvpd: mvpd, login: login, origin: .platform,
            box: kept.box, credential: credential, code: nil, until: nil, isOwn: true, now: now)
        // When the provider ends a session of the account, this sign-in ends too.
        record.providerSession = source.providerSession
        try await stored(await self.store.insert(record))
        // A session that the provider changed before this sign-in was kept went to the account alone.
        if let latest = try? await self.storedAuthentication(source.id),
            let session = try? self.keptSession(of: latest).session, session != kept.session
        {
            try? await self.swap(kept.session, for: session, nil, in: record.id, now: now)
        }
        self.memory.announce(device: context.device)
        return record
    }

    /// Conditions 4 to 6 of access-enabler 10.5.
    /// - Returns: what profiles are signed with.
    private func checkBoxAccounts(
        _ audience: BoxAccountRequest, now: Timestamp
    ) throws(EntitlementError) -> TokenDocumentSigner {
        guard let boarding = self.catalogue.integration(audience.requestor, audience.mvpd)?.platform,
            boarding.takesPart, boarding.takesBoxAccounts, let signer = self.signer
        else { throw EntitlementError(.unknownProvider, detail: "the accounts of boxes are not taken") }
        guard !self.degradations.inForce.isBypassed(audience.requestor, audience.mvpd, at: now)
        else { throw EntitlementError(.platformRefused, platformFault: .bypassed) }
        return signer
    }

    /// An account is what a viewer signed in: no trial, no bypassed login, and nothing that an account was exchanged for.
    private static func checkSource(_ source: AuthNRecord, for audience: BoxAccountRequest) throws(EntitlementError) {
        guard source.mvpd == audience.mvpd, source.origin == .regular
        else { throw EntitlementError(.platformRefused, platformFault: .sourceOver) }
    }
}

/// The question that a box's account is asked on behalf of a requestor (access-enabler 10.5, step 3). It opens nothing.
struct BoxAccountRequest: Hashable {
    static let maximumLength = 512
    private static let mark = "latchkey box account 1"

    let requestor: RequestorID
    let mvpd: MVPDID

    var bytes: [UInt8] { Array("\(Self.mark)\n\(self.requestor.text)\n\(self.mvpd.text)".utf8) }
}

extension BoxAccountRequest {
    /// - Returns: `nil` if this server did not write it.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumLength, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 3, lines[0] == Self.mark, let requestor = RequestorID(String(lines[1])),
            let mvpd = MVPDID(String(lines[2]))
        else { return nil }
        self.init(requestor: requestor, mvpd: mvpd)
    }
}

/// This server's word that the box's account is signed in with a provider, made out to one requestor: good once, and for
/// a moment (access-enabler 10.5, step 4).
///
/// On the wire: base64url of the claim, a dot, and base64url of a signature over it.
struct BoxAccountProfile: Hashable {
    /// The longest profile read, in bytes: a signature of an 8192-bit key fits.
    static let maximumLength = 4096
    static let lifetime: Duration = .seconds(120)
    /// Keeps a profile from being anything else that the same keys sign.
    private static let purpose = Array("latchkey/box-account/1\n".utf8)

    /// Taken once.
    let number: String
    let source: AuthNID
    let audience: BoxAccountRequest
    let expires: Timestamp

    init(source: AuthNID, audience: BoxAccountRequest, now: Timestamp) {
        self.number = Hex.encode(SecureRandom.bytes(16))
        self.source = source
        self.audience = audience
        self.expires = now + Self.lifetime
    }

    func text(signer: TokenDocumentSigner) throws(EntitlementError) -> String {
        let audience = "\(self.audience.requestor.text)\n\(self.audience.mvpd.text)"
        let claim = Array("\(self.number)\n\(self.source.text)\n\(audience)\n\(self.expires.milliseconds)".utf8)
        return "\(Base64.encodeURL(claim)).\(Base64.encodeURL(try signer.signature(for: Self.purpose + claim)))"
    }

    /// Reads a profile; nothing of it is read before its signature is found good.
    /// - Returns: `nil` if this server did not sign it.
    init?(_ text: String, signer: TokenDocumentSigner) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let claim = Base64.decodeURL(String(parts[0])),
            let signature = Base64.decodeURL(String(parts[1])),
            signer.isValidSignature(signature, for: Self.purpose + claim)
        else { return nil }
        let lines = String(decoding: claim, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 5, let requestor = RequestorID(String(lines[2])), let mvpd = MVPDID(String(lines[3])),
            let expires = Int64(lines[4])
        else { return nil }
        self.number = String(lines[0])
        self.source = AuthNID(text: String(lines[1]))
        self.audience = BoxAccountRequest(requestor: requestor, mvpd: mvpd)
        self.expires = Timestamp(milliseconds: expires)
    }
}
