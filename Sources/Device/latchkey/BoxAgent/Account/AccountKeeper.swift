import AccessEnabler

/// Keeps the account of the box: the sign-in of one requestor, by which the others are signed in without a code
/// (access-enabler 10).
struct AccountKeeper: Sendable {
    let desk: Desk

    /// The account as the library describes one; without a provider when the box is not signed in.
    func information() async throws(AgentError) -> AccessEnabler.AccountInfo {
        guard try await self.desk.signIn() != nil else { return AccessEnabler.AccountInfo() }
        try await self.desk.reach()
        return await self.desk.enabler.ownAccount()
    }

    /// The providers that the account can be signed in with, and what boxes call each.
    func providers() async throws(AgentError) -> [(identifier: String, provider: BoxEvent.Provider)] {
        try await self.desk.reach()
        return await (self.desk.enabler.accountProviders ?? []).map { identifier, mvpd in
            (identifier, BoxEvent.Provider(id: mvpd.id, name: mvpd.displayName))
        }
    }
}

/// The account, for the agent's own requestors. A program that uses one of them has a permission already.
struct DeskAccount: PlatformSSOService {
    let keeper: AccountKeeper

    func access(prompt: Bool) async throws(PlatformSSOFailure) -> AccessEnabler.PlatformAccess { .granted }

    func account(
        _ query: AccessEnabler.AccountQuery, dialog: (any TvProviderDialogHost)?
    ) async throws(PlatformSSOFailure) -> AccessEnabler.AccountInfo {
        do throws(AgentError) {
            var account = try await self.keeper.information()
            if account.providerIdentifier == nil, dialog != nil { throw AgentError.notSignedIn }
            if account.providerIdentifier != nil, let request = query.verificationToken {
                account.profile = try await self.keeper.desk.profile(for: request)
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
