package import Clientless
package import Entitlement
import Cryptography

/// A provider whose viewers are accounts in the server's own store, for a household or a demo (design 7).
package struct LocalProvider: Provider {
    private let mvpd: MVPDID
    private let accounts: any AccountStore
    private let desk: PasswordDesk

    /// - Parameters:
    ///   - threads: how many passwords are checked at a time.
    ///   - maximumWaiting: how many may wait for their turn.
    package init(_ mvpd: MVPDID, accounts: any AccountStore, threads: Int = 2, maximumWaiting: Int = 256) {
        self.mvpd = mvpd
        self.accounts = accounts
        self.desk = PasswordDesk(threads: threads, maximumWaiting: maximumWaiting)
    }

    package func begin(_ login: ProviderLoginContext) async throws(ProviderError) -> ProviderHandover { .signInPage }

    package func complete(
        _ login: ProviderLoginContext, with response: ProviderResponse, now: Timestamp
    ) async throws(ProviderError) -> ProviderVerdict {
        switch response {
        case .password(let name, let password):
            let account = try await self.account(name)
            // Somebody who tries names must not learn from the time which ones there are.
            let isRight = try await self.desk.matches(password, account?.passwordHash ?? Self.nobodysHash)
            guard let account, isRight else {
                return .refused(reason: "The account name or the password is not right.")
            }
            return .accepted(
                ProviderLogin(upstreamUserID: account.name, session: ProviderSession(account: account.name)))
        }
    }

    package func decide(
        _ resources: [Resource], requestor: RequestorID, session: ProviderSession, now: Timestamp
    ) async throws(ProviderError) -> [Decision] {
        guard let account = try await self.account(session.account) else {
            return resources.map { _ in .deny(reason: "This account is not with the provider any more.") }
        }
        let lineUp = LineUp(account.lineUp)
        return resources.map { resource in
            if lineUp.permits(resource) { return .permit }
            let channel = (try? resource.channelTitle()) ?? "This channel"
            return .deny(reason: "\(channel) is not part of your package.")
        }
    }

    private func account(_ name: String) async throws(ProviderError) -> Account? {
        guard let name = AccountName.canonical(name) else { return nil }
        do {
            return try await self.accounts.account(name, of: self.mvpd)
        } catch {
            throw ProviderError(detail: error.debugDescription)
        }
    }

    /// The hash of a password nobody knows. Where libcrypt cannot make one it cannot check one either, and everybody is
    /// refused alike.
    private static let nobodysHash = (try? PasswordHash.make(Secret(Hex.encode(SecureRandom.bytes(32))))) ?? ""
}
