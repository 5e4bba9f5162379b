package import Clientless
import Cryptography

/// Passkeys of viewers whose accounts are this server's own: signing in with one, and adding one after a sign-in with the
/// password, which stays the way in on every other device.
package struct Passkeys: DomainPart {
    /// How long after a sign-in a passkey may be added. A browser that the viewer left adds none for the next person.
    static let offerTime: Duration = .seconds(5 * 60)

    let logins: Logins
    var parts: DomainParts { self.logins.parts }

    /// The question of the sign-in page to the browser's authenticators. Good once, in this login and its browser.
    /// - Returns: `nil` at a provider whose accounts are elsewhere.
    package func challenge(for view: LoginView) -> [UInt8]? {
        guard self.keepsAccounts(view) else { return nil }
        return PasskeyChallenge(.signIn, of: view.attempt, key: self.keys.challenges).bytes
    }

    /// The credentials of the account that a viewer named, for authenticators that cannot tell by themselves which they
    /// have.
    ///
    /// A name without an account or passkeys gets made-up ones, always the same, and in number and length as those of
    /// authenticators are, so that the list does not tell which accounts there are (WebAuthn level 3, section 14.6.2).
    /// - Throws: `providerUnavailable`, `storeUnavailable`.
    package func credentials(listedFor name: String, in view: LoginView) async throws(EntitlementError) -> [[UInt8]] {
        let mvpd = view.mvpd.id
        let account = try await self.keepsAccounts(view) ? self.account(.name(name), of: mvpd) : nil
        // No account has the empty ID: who is unknown costs the same look.
        let passkeys = try await stored(await self.store.passkeys(of: account?.id ?? "", at: mvpd))
        guard passkeys.isEmpty else { return passkeys.map(\.credential) }
        return self.madeUp(for: "\(mvpd.text)||" + Self.folded(name))
    }

    /// The lengths of credential IDs that wide-spread authenticators make, the frequent ones more than once.
    private static let lengths = [16, 20, 20, 32, 32, 32, 48, 64]

    private func madeUp(for name: String) -> [[UInt8]] {
        func bytes(_ place: Int) -> [UInt8] { self.keys.passkeyHandles.hash(of: "\(place) \(name)") }
        let seed = bytes(0)
        // Most accounts have one passkey, some two or three.
        let number = [1, 1, 1, 1, 1, 2, 2, 3][Int(seed[0] & 7)]
        return (1...number).map { place in
            Array((bytes(2 * place) + bytes(2 * place + 1)).prefix(Self.lengths[Int(seed[place] & 7)]))
        }
    }

    /// Signs a viewer in by what their authenticator signed. The limits on wrong passwords hold, and a passkey has an
    /// account of its own among them: it cannot be guessed, so guessing at the password does not close it.
    /// - Returns: `nil` when the challenge was answered before; a new one may be.
    /// - Throws: `loginUnknown`, `tooManyAttempts`, `codeUsed`, `codeDeclined`, `codeUnknown`, `providerUnavailable`,
    ///   `storeUnavailable`.
    package func signIn(
        _ token: String, browser: Browser, with assertion: PasskeyAssertion, at party: RelyingParty,
        by guesser: Guesser, now: Timestamp
    ) async throws(EntitlementError) -> LoginStep? {
        let view = try await self.logins.login(token, browser: browser, now: now)
        guard case .atProvider = view.attempt.progress
        else { return .went(try await self.logins.repeated(view, now: now)) }
        let guesser = self.logins.guesser(guesser, browser: browser)
        let reservation = try self.logins.admit(
            self.logins.guesser(
                guesser, of: "passkey \(Passkey.name(of: assertion.credential))", for: view, now: now))
        switch try await self.proof(assertion, for: view, at: party, now: now) {
        case .owner(let login):
            reservation.settle(true, at: self.uptime())
            let accepted = AcceptedLogin(login: login, proved: now)
            return .went(try await self.logins.proceed(view, accepted, by: guesser, now: now))
        case .wrong:
            reservation.settle(false, at: self.uptime())
            return .refused(try await self.logins.refuse(view, reason: nil, now: now), reason: nil)
        // The answer was right: the reservation is given back.
        case .late: return nil
        }
    }

    /// Whether a viewer who is done may add a passkey.
    /// - Throws: `providerUnavailable`, `storeUnavailable`.
    package func standing(of view: LoginView, now: Timestamp) async throws(EntitlementError) -> PasskeyStanding {
        guard let account = try await self.signedIn(view, now: now) else { return .notOffered }
        return try await self.standing(of: account, after: view)
    }

    /// Keeps the passkey that a viewer made after signing in with the password.
    /// - Returns: also whether it is kept.
    /// - Throws: `loginUnknown`, `providerUnavailable`, `storeUnavailable`.
    package func register(
        _ token: String, browser: Browser, _ registration: PasskeyRegistration, at party: RelyingParty, now: Timestamp
    ) async throws(EntitlementError) -> (view: LoginView, isKept: Bool) {
        let view = try await self.logins.login(token, browser: browser, now: now)
        guard let account = try await self.signedIn(view, now: now) else { return (view, false) }
        switch try await self.standing(of: account, after: view) {
        // A form that was sent twice.
        case .kept: return (view, true)
        case .notOffered: return (view, false)
        case .offered: break
        }
        let challenge: PasskeyChallenge
        let (credential, data): (AuthenticatorData.Credential, AuthenticatorData)
        do throws(PasskeyFault) {
            let said = try ClientData(registration.clientData, .creation, at: party)
            challenge = try self.challenge(said, .registration, of: view, now: now)
            (credential, data) = try party.credential(of: registration)
        } catch {
            return (view, false)
        }
        guard try await self.take(challenge, now: now) else { return (view, false) }
        let passkey = Passkey(
            credential: credential.id, mvpd: view.mvpd.id, account: account.id, publicKey: credential.publicKey,
            isSyncable: data.flags.contains(.backupEligible), signCount: data.signCount, created: now)
        let entry = Self.entry("passkey.add", passkey, of: account, now: now)
        let isKept = try await stored(await self.store.insert(passkey, limit: Passkey.maximumPerAccount, audit: entry))
        return (view, isKept)
    }
}

package enum PasskeyStanding: Sendable {
    case offered(PasskeyOffer)
    /// One was added after this sign-in.
    case kept
    /// The viewer came with a passkey, has as many as an account may have, or has no account here.
    case notOffered
}

/// The facts that a browser needs to make a passkey: a challenge, good once, after this login and in its browser; the
/// account's name for authenticators, which says nothing of the viewer and is the same for all its passkeys; its name for
/// the viewer, who may have several; and the credentials that it has, so that no authenticator makes a second one.
package typealias PasskeyOffer = (challenge: [UInt8], handle: [UInt8], accountName: String, known: [[UInt8]])

extension Passkeys {
    private enum Proof: Sendable {
        case owner(ProviderLogin)
        case wrong
        case late
    }

    private func proof(
        _ assertion: PasskeyAssertion, for view: LoginView, at party: RelyingParty, now: Timestamp
    ) async throws(EntitlementError) -> Proof {
        guard let passkey = try await stored(await self.store.passkey(assertion.credential)),
            passkey.mvpd == view.mvpd.id, self.keepsAccounts(view),
            let account = try await self.account(.id(passkey.account), of: passkey.mvpd)
        else { return .wrong }
        let challenge: PasskeyChallenge
        let counted: UInt32
        do throws(PasskeyFault) {
            let data = try ClientData(assertion.clientData, .use, at: party)
            challenge = try self.challenge(data, .signIn, of: view, now: now)
            counted = try party.check(assertion, by: passkey, handle: self.handle(of: account.id, at: passkey.mvpd))
        } catch {
            // The signature is right: an authenticator was copied, or a copy was used.
            if error == .counter {
                let entry = Self.entry("passkey.counted-back", passkey, of: account, now: now)
                try await stored(await self.store.log(entry))
            }
            return .wrong
        }
        guard try await self.take(challenge, now: now),
            try await stored(await self.store.noteUse(of: passkey, counted: counted, now: now))
        else { return .late }
        return .owner(account.login)
    }

    /// The account of a login that completed its code in this browser a moment ago; `nil` if none did, and where the
    /// sign-in has ended since.
    private func signedIn(_ view: LoginView, now: Timestamp) async throws(EntitlementError) -> OwnAccount? {
        guard view.stage(at: now) == .done, case .completed(let id) = view.record.life.state(at: now),
            self.keepsAccounts(view), let record = try await stored(await self.store.authentication(id)),
            record.mvpd == view.mvpd.id, record.origin == .regular, now - record.created < Self.offerTime
        else { return nil }
        let kept = try self.logins.signIns.keptSession(of: record)
        return kept.recentSince != nil ? nil : try await self.account(.session(kept.session), of: record.mvpd)
    }

    /// A passkey of the account that was used since the login began is what the viewer came with.
    private func standing(
        of account: OwnAccount, after view: LoginView
    ) async throws(EntitlementError) -> PasskeyStanding {
        let (mvpd, began) = (view.mvpd.id, view.attempt.created)
        let passkeys = try await stored(await self.store.passkeys(of: account.id, at: mvpd))
        guard !passkeys.contains(where: { $0.created >= began }) else { return .kept }
        guard passkeys.count < Passkey.maximumPerAccount,
            !passkeys.contains(where: { passkey in passkey.lastUsed.map { $0 >= began } ?? false })
        else { return .notOffered }
        let challenge = PasskeyChallenge(.registration, of: view.attempt, key: self.keys.challenges)
        return .offered(
            (challenge.bytes, self.handle(of: account.id, at: mvpd), account.name, passkeys.map(\.credential)))
    }

    private func challenge(
        _ data: ClientData, _ purpose: PasskeyChallenge.Purpose, of view: LoginView, now: Timestamp
    ) throws(PasskeyFault) -> PasskeyChallenge {
        let key = self.keys.challenges
        guard let challenge = PasskeyChallenge(data.challenge, purpose, of: view.attempt, key: key, now: now)
        else { throw .challenge }
        return challenge
    }

    /// - Returns: false for a challenge that was answered before, on whatever node.
    private func take(_ challenge: PasskeyChallenge, now: Timestamp) async throws(EntitlementError) -> Bool {
        try await stored(
            await self.store.takeNonce(
                Base64.encodeURL(challenge.nonce), publicKey: "passkeys", expires: challenge.ends, now: now))
    }

    private func keepsAccounts(_ view: LoginView) -> Bool {
        self.catalogue.provider(view.mvpd.id)?.keepsAccounts ?? false
    }

    private func account(_ reference: AccountReference, of mvpd: MVPDID) async throws(EntitlementError) -> OwnAccount? {
        try await self.providers.ask(mvpd) { provider throws(ProviderError) in
            try await provider.ownAccount(reference)
        }
    }

    /// A name as providers look it up: ASCII letters in lower case and everything else as it is. Two names that mean one
    /// account have one made-up credential, and two that do not have two, as with accounts that have passkeys.
    private static func folded(_ name: String) -> String {
        let upper = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return String(decoding: name.utf8.map { upper.contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    private func handle(of account: String, at mvpd: MVPDID) -> [UInt8] {
        self.keys.passkeyHandles.hash(of: "\(mvpd.text)|\(account)")
    }

    private static func entry(
        _ action: String, _ passkey: Passkey, of account: OwnAccount, now: Timestamp
    ) -> AuditEntry {
        AuditEntry(
            time: now, actor: "viewer", action: action,
            subject: "user \(passkey.mvpd) \(account.name), passkey \(passkey.name)")
    }
}
