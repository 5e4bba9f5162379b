import AccessEnabler

// A requestor that is signed in by the account of the box, and the one whose sign-in the account is (access-enabler 10).
extension Desk {
    /// How long a failed exchange is not tried again for a caller's sake.
    private static let exchangePause: Duration = .seconds(60)

    /// Signs in by the account of the box, unless a viewer is signed in, or just about to.
    /// - Parameter isNews: whether the account changed, so that an exchange may work now that did not a moment ago.
    func followAccount(isNews: Bool) async {
        guard self.usesAccount, self.contact.isReached, !self.board.isRunning,
            (try? await self.signIn()) == nil, self.mayExchange(isNews, pause: Self.exchangePause)
        else { return }
        do throws(AccessEnabler.ConfigurationFailure) {
            try await self.enabler.configure(requestorID: self.requestor)
        } catch {
            if let cause = error.cause { self.note(cause) }
        }
        await self.tellExchange()
    }

    /// Says that a viewer is signed in who was not.
    func tellExchange() async {
        guard let signIn = try? await self.signIn() else { return }
        self.events.publish(.approved(signIn, isAlready: false), requestor: self.requestor)
    }

    /// Signs out what the account of the box signed in; a viewer who signed in here stays signed in.
    func leaveAccount(_ reason: BoxEvent.Reason) async {
        guard let kept = try? await self.keptSignIn(), kept.origin == .platform else { return }
        // The library tells a server only after it was reached.
        if !self.contact.isReached { try? await self.reach() }
        if await self.enabler.signOut().areTokensCleared { self.noteEnd(reason) }
    }

    /// The account as the library describes one; without a provider when the box is not signed in.
    func accountInformation() async throws(AgentError) -> AccessEnabler.AccountInfo {
        guard let kept = try await self.keptSignIn() else { return AccessEnabler.AccountInfo() }
        // The server's clock alone says whether it is over, and a provider that was switched off may be on again.
        try await self.reach(renewing: !kept.isOffered)
        return await self.enabler.ownAccount()
    }

    /// The server's word to another requestor that this one is signed in.
    func profile(for request: [UInt8]) async throws(AgentError) -> String {
        try await self.needSignIn()
        do throws(EntitlementError) {
            return try await self.enabler.profile(answering: request)
        } catch {
            guard error.code != .refused else {
                throw AgentError(.conflict, "The server does not sign this requestor in by the account of the box.")
            }
            throw await self.error(for: error)
        }
    }
}

/// The account, for the agent's own requestors. A program that uses one of them has a permission already.
struct DeskAccount: PlatformSSOService {
    let desk: Desk

    func access(prompt: Bool) async throws(PlatformSSOFailure) -> AccessEnabler.PlatformAccess { .granted }

    func account(
        _ query: AccessEnabler.AccountQuery, dialog: (any TvProviderDialogHost)?
    ) async throws(PlatformSSOFailure) -> AccessEnabler.AccountInfo {
        do throws(AgentError) {
            var account = try await self.desk.accountInformation()
            let (kept, reason) = (try await self.desk.keptSignIn(), try await self.desk.reason())
            let isUsable = account.providerIdentifier != nil && kept?.isUsable == true
            // One that is kept though it does not count now, or that the server called expired, was not signed out.
            let isOut = kept == nil && reason != .expired
            guard isUsable || dialog == nil && (isOut || account.providerIdentifier != nil)
            else { throw AgentError.notSignedIn }
            if isUsable, let request = query.verificationToken {
                account.profile = try await self.desk.profile(for: request)
            }
            return account
        } catch {
            // The viewer signs in with a code then.
            if error.code == .notSignedIn, dialog != nil { throw .otherProviderChosen }
            throw .service(message: "The account of the box cannot be used.", details: error.message)
        }
    }

    /// The agent itself has its requestors follow the account: ``AccountFollower``.
    var changes: AsyncStream<PlatformSSOChange> { AsyncStream { $0.finish() } }
}
