package import Clientless
import Cryptography

package enum ProviderEnding: Hashable, Sendable {
    /// Those of one session, by the name the provider gave with the login (``ProviderLogin/sessionName``).
    case session(String)
    /// All of a viewer, by the provider's own ID of them.
    case viewer(String)
}

extension Operations {
    private static let providerBite = 100
    /// How long a notice is with the node that works on it. Another try may come later than that.
    private static let noticeTime: Duration = .seconds(1)

    /// Ends the sign-ins that a provider says are over: the viewer signed out there, or lost the account. The boxes learn
    /// of it with their next poll, on every node. Logins that began before can no longer be confirmed. The caller has
    /// checked that the provider says so. Idempotent.
    /// - Parameter isPassing: whether that mark need not be durable, as anyone can cause it.
    /// - Returns: how many ended.
    /// - Throws: `storeUnavailable`; what ended until then stays ended.
    package func end(
        _ ending: ProviderEnding, at mvpd: MVPDID, now: Timestamp, isPassing: Bool = false
    ) async throws(EntitlementError) -> Int {
        // The mark comes first, for logins that are confirmed while sign-ins are looked for.
        let begun = self.uptime()
        try await self.leaveMark(self.mark(of: ending, at: mvpd), at: mvpd, isPassing: isPassing, now: now)
        // Later ones are new sign-ins.
        var selection = AuthNSelection(mvpd: mvpd, before: now + (self.uptime() - begun) + .milliseconds(1))
        switch ending {
        case .session(let name): selection.providerSession = self.keys.providerSession(name, of: mvpd)
        case .viewer(let id): selection.userID = self.keys.userID(id, of: mvpd)
        }
        var count = 0
        try await self.visit(selection, by: Self.providerBite) { (page) throws(EntitlementError) in
            // A rule that skipped the login made a viewer of the device itself; a trial has no provider.
            for record in page where record.origin.isOfAccount {
                if try await self.endByProvider(record, now: now) { count += 1 }
            }
        }
        return count
    }

    /// Ends the sign-ins that a provider's notice is about, once the provider has proved that it is its own. A notice that
    /// counts once is spent when all has ended: the provider may send it again if that failed.
    /// - Throws: `unknownProvider` for one that has agreed on no such notices; `providerUnavailable` with `unproven` for a
    ///   notice that is forged, too old, or came before; `storeUnavailable`.
    package func take(
        _ notice: ProviderNotice, from mvpd: MVPDID, now: Timestamp
    ) async throws(EntitlementError) -> NoticeOutcome {
        guard let provider = self.providers.catalogue.provider(mvpd) else { throw EntitlementError(.unknownProvider) }
        let begun = self.uptime()
        let checked: CheckedNotice?
        do throws(EntitlementError) {
            // Past the counts of questions: what strangers send must neither shut a provider nor open it again.
            checked = try await self.providers.bounded(mvpd, self.providers.time) {
                try await provider.check(notice, now: now)
            }
        } catch {
            if let fault = error.providerFault {
                self.providers.report(.noticeRefused(mvpd, fault, detail: error.detail ?? ""))
            }
            throw error
        }
        guard let checked else { throw EntitlementError(.unknownProvider) }
        guard try await self.takeOnce(checked.once, from: mvpd, until: now + Self.noticeTime, now: now)
        else { throw EntitlementError(ProviderError(.unproven, detail: "the notice came before")) }
        var ended = 0
        for ending in checked.endings {
            // Checking may have fetched the provider's keys, and sign-ins were confirmed meanwhile.
            let later = now + (self.uptime() - begun)
            ended += try await self.end(ending, at: mvpd, now: later, isPassing: checked.once == nil)
        }
        _ = try await self.takeOnce(
            checked.once, from: mvpd, until: checked.once?.until ?? now, now: now + Self.noticeTime)
        return (ended, checked.reply)
    }

    /// - Returns: false when the notice came before, and has not been let go at `now`.
    private func takeOnce(
        _ once: CheckedNotice.Once?, from mvpd: MVPDID, until end: Timestamp, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        guard let once else { return true }
        return try await stored(
            await self.store.takeNonce(once.id, publicKey: "provider \(mvpd)", expires: end, now: now))
    }

    /// The document that this server publishes for a provider.
    /// - Throws: `unknownProvider` for one that needs nothing; `providerUnavailable`.
    package func publication(for mvpd: MVPDID, now: Timestamp) async throws(EntitlementError) -> ProviderPublication {
        guard let provider = self.providers.catalogue.provider(mvpd) else { throw EntitlementError(.unknownProvider) }
        let publication = try await self.providers.bounded(mvpd, self.providers.time) {
            try await provider.publication(now: now)
        }
        guard let publication else { throw EntitlementError(.unknownProvider) }
        return publication
    }

    /// Leaves the mark of an ending for the logins that began before it.
    func leaveMark(
        _ mark: String, at mvpd: MVPDID, isPassing: Bool = false, now: Timestamp
    ) async throws(EntitlementError) {
        let (key, end) = (Self.marks(of: mvpd), now + LoginAttempt.lifetime)
        _ = try await stored(
            await self.store.takeNonce(mark, publicKey: key, expires: end, now: end, isPassing: isPassing))
    }
}

extension DomainPart {
    /// The key of a provider's marks: nonces that are kept for as long as logins live that began before the ending.
    fileprivate static func marks(of mvpd: MVPDID) -> String { "ended at \(mvpd)" }

    fileprivate func mark(of ending: ProviderEnding, at mvpd: MVPDID) -> String {
        switch ending {
        case .session(let name): Hex.encode(self.keys.providerSession(name, of: mvpd))
        case .viewer(let id): self.keys.userID(id, of: mvpd)
        }
    }

    /// Whether the provider ended the session of a login that it accepted, or all of the viewer's were ended, since the
    /// viewer proved at a page of this server who they are; else since the login began.
    /// - Throws: `storeUnavailable`.
    func wasEnded(_ accepted: AcceptedLogin, _ view: LoginView) async throws(EntitlementError) -> Bool {
        let (login, mvpd) = (accepted.login, view.mvpd.id)
        // The viewers of trials and of skipped logins may be anyone: no ending names them.
        guard accepted.origin.isOfAccount else { return false }
        let endings = [.viewer(login.upstreamUserID)] + (login.sessionName.map { [ProviderEnding.session($0)] } ?? [])
        // A mark that was made after that outlives it.
        return try await stored(
            await self.store.hasNonce(
                among: endings.map { self.mark(of: $0, at: mvpd) }, publicKey: Self.marks(of: mvpd),
                after: (accepted.proved ?? view.attempt.created) + LoginAttempt.lifetime))
    }

    /// - Returns: whether the sign-in was still there.
    func endByProvider(_ record: AuthNRecord, now: Timestamp) async throws(EntitlementError) -> Bool {
        let entry = AuditEntry(
            time: now, actor: "provider \(record.mvpd)", action: SignIns.providerLogout,
            subject: Operations.auditName(of: record))
        let end = SignInEnd(at: now, by: entry.actor, .refusedByProvider)
        guard let gone = try await stored(await self.store.deleteAuthentication(record.id, as: end, audit: entry))
        else { return false }
        self.memory.announce(device: gone.context.device)
        if let code = gone.code { self.memory.announce(code: code) }
        self.onEnding(Ending(.signIn(gone.id), at: now))
        return true
    }
}
