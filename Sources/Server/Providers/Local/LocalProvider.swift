package import Clientless
import Cryptography
package import Entitlement

/// A TV provider whose viewers have accounts in the server's own store.
package struct LocalProvider: Provider {
    /// One word for a wrong name and a wrong password: it must not tell which accounts exist. Boxes are told it, and say it
    /// in the viewer's language, as pages do.
    static let refusal = "wrong_credentials"

    private let mvpd: MVPDID
    private let accounts: any AccountStore
    private let passwords: PasswordQueue

    package init(mvpd: MVPDID, accounts: any AccountStore, passwords: PasswordQueue = .shared) {
        self.mvpd = mvpd
        self.accounts = accounts
        self.passwords = passwords
    }

    package var isRemote: Bool { false }

    package func begin(_ login: ProviderLoginContext, now: Timestamp) async throws(ProviderError) -> ProviderStart {
        (.signInPage, .empty)
    }

    package func complete(
        _ login: ProviderLoginContext, with response: ProviderResponse, state: ProviderState, now: Timestamp
    ) async throws(ProviderError) -> ProviderVerdict {
        guard case .password(let name, let password) = response
        else { throw ProviderError(.unproven, detail: "viewers of this provider sign in here") }
        let account = try await self.account(named: name)
        let hash = account.flatMap { PasswordHash($0.passwordHash) } ?? .standIn
        let isRight: Bool
        do throws(PasswordError) {
            isRight = try await self.passwords.verify(password, against: hash)
        } catch {
            throw ProviderError(detail: error.debugDescription)
        }
        // A caller may hit the stand-in's password, and must not come in with it.
        guard let account, isRight, hash != .standIn else {
            return .refused(ProviderRefusal(.wrongCredentials, Self.refusal))
        }
        return .accepted(Self.login(of: account))
    }

    package func decide(
        _ resources: [Resource], requestor: RequestorID, session: ProviderSession, now: Timestamp
    ) async throws(ProviderError) -> ProviderAnswer<[Decision]> {
        guard let account = try await self.account(of: session) else {
            return ProviderAnswer(resources.map { _ in .deny(reason: nil) })
        }
        let lineUp = LineUp(entries: account.lineUp)
        return ProviderAnswer(resources.map(lineUp.decide), metadata: account.metadata, lineUp: lineUp)
    }

    package func lineUp(of session: ProviderSession) async throws(ProviderError) -> [String]? {
        try await self.account(of: session)?.lineUp
    }

    /// An account that still exists is vouched for: its own store is the back channel (sdk-services 6).
    package func renew(
        _ session: ProviderSession, requestor: RequestorID, now: Timestamp
    ) async throws(ProviderError) -> ProviderAnswer<ProviderVerdict?> {
        guard let account = try await self.account(of: session) else { return ProviderAnswer(.refused(reason: nil)) }
        return ProviderAnswer(.accepted(Self.login(of: account)))
    }

    package func hasAccount(of session: ProviderSession) async throws(ProviderError) -> Bool {
        try await self.account(of: session) != nil
    }

    /// By the account's name; from then on by its ID. A name with a space is refused, as one that begins with
    /// ``idMark`` would be taken for an ID.
    package func recognise(_ login: ProviderLogin) async throws(ProviderError) -> ProviderVerdict {
        guard let account = try await self.account(named: login.session.account) else { return .refused(reason: nil) }
        let own = Self.login(of: account)
        return .accepted(
            ProviderLogin(
                upstreamUserID: own.upstreamUserID, session: own.session,
                metadata: own.metadata.merging(login.metadata) { own, _ in own }))
    }

    package var keepsAccounts: Bool { true }

    package func ownAccount(_ reference: AccountReference) async throws(ProviderError) -> OwnAccount? {
        let account: Account? =
            switch reference {
            case .id(let id): try await self.account(id: id)
            case .name(let name): try await self.account(named: name)
            case .session(let session): try await self.account(of: session)
            }
        return account.map {
            OwnAccount(
                id: $0.id, name: $0.name, login: Self.login(of: $0),
                passwordMark: Array(Digest.sha256($0.passwordHash.utf8).prefix(16)))
        }
    }

    private static func login(of account: Account) -> ProviderLogin {
        ProviderLogin(
            upstreamUserID: account.id, session: ProviderSession(account: self.idMark + account.id),
            metadata: account.metadata)
    }

    /// The beginning of an account's ID in a session; no name has a space.
    private static let idMark = "id "

    /// The account that signed in: by its ID, so that a new account of the same name inherits nothing. A session of an
    /// older program has a name.
    private func account(of session: ProviderSession) async throws(ProviderError) -> Account? {
        guard session.account.hasPrefix(Self.idMark) else { return try await self.account(named: session.account) }
        return try await self.account(id: String(session.account.dropFirst(Self.idMark.count)))
    }

    private func account(id: String) async throws(ProviderError) -> Account? {
        do throws(StoreError) {
            return try await self.accounts.account(id: id, of: self.mvpd)
        } catch {
            throw ProviderError(detail: error.debugDescription)
        }
    }

    private func account(named name: String) async throws(ProviderError) -> Account? {
        guard let name = AccountName.canonical(name) else { return nil }
        do throws(StoreError) {
            return try await self.accounts.account(name, of: self.mvpd)
        } catch {
            throw ProviderError(detail: error.debugDescription)
        }
    }
}
