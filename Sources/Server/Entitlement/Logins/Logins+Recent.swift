package import Clientless
import Cryptography

/// A viewer who signed in in a browser within the day. The browser is not asked for a provider or a password again; each
/// box is still confirmed.
package struct RecentSignIn: Sendable {
    /// The browser's memory of its login, sealed.
    struct Kept: Sealable {
        /// The sign-in of the box that the viewer confirmed then; when it ends, so does this.
        let signIn: String
        let since: Timestamp
        /// ``OwnAccount/passwordMark`` as it was.
        let passwordMark: [UInt8]?

        var json: JSONValue {
            .members([
                "signIn": .string(self.signIn), "since": self.since.json,
                "passwordMark": self.passwordMark.map { .array($0.map { .integer(Int64($0)) }) },
            ])
        }
    }

    package let mvpd: MVPDID
    let userID: String
    /// `nil` at a provider with pages of its own, which knows its viewers by itself.
    let login: ProviderLogin?
}

extension Logins {
    /// For how long a browser is not asked again.
    package static let recentLifetime: Duration = .seconds(24 * 3600)

    /// The recent sign-in that `browser` brings along.
    /// - Parameter sealed: what ``kept(after:in:former:now:)`` made.
    /// - Returns: `nil` when it is over, of another browser, or the account or its password changed since.
    package func recentSignIn(_ sealed: [UInt8], in browser: Browser, now: Timestamp) async -> RecentSignIn? {
        guard
            let kept = try? self.keys.opened(
                sealed, as: RecentSignIn.Kept.self, in: .browser(self.browserHash(browser))),
            (.zero..<Self.recentLifetime).contains(now - kept.since),
            let record = try? await self.signIns.storedAuthentication(AuthNID(text: kept.signIn)),
            record.isCurrent(at: now)
        else { return nil }
        guard self.catalogue.provider(record.mvpd)?.keepsAccounts == true
        else { return RecentSignIn(mvpd: record.mvpd, userID: record.userID, login: nil) }
        guard let account = await self.ownAccount(of: record), account.passwordMark == kept.passwordMark
        else { return nil }
        var login = account.login
        login.recentSince = kept.since
        return RecentSignIn(mvpd: record.mvpd, userID: record.userID, login: login)
    }

    /// The sealed memory of the login with which `browser` confirmed a box.
    /// - Parameter former: what it kept before. The day counts from there while the viewer is the same.
    /// - Returns: `nil` when there is nothing new to keep: a trial is no account.
    package func kept(after view: LoginView, in browser: Browser, former: [UInt8]?, now: Timestamp) async -> [UInt8]? {
        guard view.attempt.origin == .secondScreen, let record = await self.signIn(of: view, now: now),
            record.origin == .regular
        else { return nil }
        if let former, let known = await self.recentSignIn(former, in: browser, now: now),
            (known.mvpd, known.userID) == (record.mvpd, record.userID)
        {
            return nil
        }
        let mark = await self.ownAccount(of: record)?.passwordMark
        // The box of the former sign-in may have been paired again, which begins no new day.
        let since = (try? self.signIns.keptSession(of: record))?.recentSince ?? now
        let kept = RecentSignIn.Kept(signIn: record.id.text, since: since, passwordMark: mark)
        return try? self.keys.sealed(kept.json, in: .browser(self.browserHash(browser)))
    }

    private func ownAccount(of record: AuthNRecord) async -> OwnAccount? {
        guard self.catalogue.provider(record.mvpd)?.keepsAccounts == true,
            let session = try? self.signIns.keptSession(of: record).session
        else { return nil }
        return await self.providers.look(record.mvpd) { provider throws(ProviderError) in
            try await provider.ownAccount(.session(session))
        }
    }
}

/// The promise that a viewer makes by confirming a box.
package enum LoginPromise: Hashable, Sendable {
    /// To play with the viewer's account until then.
    case account(until: Timestamp)
    /// To play as a trial until then, if it begins now.
    case trial(until: Timestamp)
    /// To play nothing: the trial is over on this device.
    case trialIsOver
}

extension Logins {
    /// The box's rights once the login of `view` is confirmed at `now`.
    /// - Returns: `nil` when there is nothing to confirm.
    /// - Throws: `unknownProvider`, `storeUnavailable`.
    package func promise(of view: LoginView, now: Timestamp) async throws(EntitlementError) -> LoginPromise? {
        guard let accepted = try self.accepted(view) else { return nil }
        if let rules = view.mvpd.trial {
            let person = Trials.person(inAccount: accepted.login.session.account)
            let (trial, isLive) = try await self.trials.login(
                view.record.context, view.requestor.id, view.mvpd.id, rules: rules, person: person, now: now)
            return isLive ? .trial(until: trial.end ?? now + rules.lifetime) : .trialIsOver
        }
        let end = try self.signIns.end(
            at: view.mvpd.id, of: view.requestor.id, origin: accepted.origin, until: accepted.end, now: now)
        return .account(until: end)
    }
}

// Whether the box was told, for the page of a finished login.
extension Logins {
    /// The key that wakes the page of a login when its box is told.
    package func handoverKey(of token: String) -> WaitingRoom.Key { .login(self.attemptID(token)) }

    /// Whether the box of a login that was confirmed in this browser was told, as far as memory knows.
    package func handover(of token: String, browser: Browser) -> Handover {
        self.codes.memory.handovers.handover(of: self.attemptID(token), browser: self.browserHash(browser))
    }
}
