import Clientless
import Cryptography

/// One server, and the application's registration there (access-enabler 5.2).
actor ServiceAccess {
    let server: ServiceProviderURL
    nonisolated let backend: any EntitlementBackend
    private let credentials: Credentials?
    private let vault: TokenVault
    /// In use; the store is read again only when it is refused or over.
    private var token: AccessToken?
    /// Whoever needs a token while one is fetched waits for that one.
    private var renewal: [CheckedContinuation<Result<Secret, EntitlementError>, Never>]?

    init(
        _ server: ServiceProviderURL, backend: any EntitlementBackend, credentials: Credentials?, vault: TokenVault
    ) {
        self.server = server
        self.backend = backend
        self.credentials = credentials
        self.vault = vault
    }

    /// What the server is shown.
    /// - Throws: `credentialsRefused` when there is nothing to register with, or the server does not take it.
    func proof() async throws(EntitlementError) -> Caller.Proof {
        switch self.credentials {
        case .keyPair(let keyPair): return .keyPair(keyPair)
        case .softwareStatement(let statement): return .accessToken(try await self.accessToken(statement))
        case nil: throw EntitlementError(.notRegistered, detail: "there is no software statement")
        }
    }

    /// Makes the proof anew after `error`, where that can help (access-enabler D-50, rest-v1 28.1).
    /// - Returns: whether the call may be repeated.
    func renew(
        after error: EntitlementError, clockOffsetBefore offset: Duration
    ) async throws(EntitlementError) -> Bool {
        switch (error.code, self.credentials) {
        case (.unauthorized, .softwareStatement): try await self.forgetToken()
        case (.unknownClient, .softwareStatement): try await self.forgetToken(andClient: true)
        // The answer's Date has set the clock right; without a change the same signature would fail again.
        case (.unauthorized, .keyPair): return self.backend.clockOffset != offset
        default: return false
        }
        return true
    }

    private func accessToken(_ statement: Secret) async throws(EntitlementError) -> Secret {
        if let token = self.token, token.renewAt > self.backend.now { return token.text }
        if self.renewal != nil {
            return try await withCheckedContinuation { self.renewal?.append($0) }.get()
        }
        self.renewal = []
        let result: Result<Secret, EntitlementError>
        do {
            result = .success(try await self.fetchToken(statement))
        } catch {
            result = .failure(error)
        }
        let waiting = self.renewal ?? []
        self.renewal = nil
        for continuation in waiting { continuation.resume(returning: result) }
        return try result.get()
    }

    private func fetchToken(_ statement: Secret) async throws(EntitlementError) -> Secret {
        let digest = statement.withBytes { Digest.sha256($0).hexString }
        let known = try await self.vault.image().registrations[self.server.text].flatMap {
            $0.statement == digest ? $0 : nil
        }
        if let known, let text = known.accessToken, let renewAt = known.renewAt,
            renewAt > self.backend.now.milliseconds
        {
            let token = AccessToken(text: Secret(text), renewAt: Timestamp(milliseconds: renewAt))
            self.token = token
            return token.text
        }
        if let known {
            do {
                return try await self.newToken(
                    for: ClientCredentials(id: known.clientID, secret: Secret(known.clientSecret)))
            } catch {
                // Only this word asks for a new registration: it costs the sign-ins of the old one (rest-v1 10.7).
                guard error.code == .unknownClient else { throw error.failingToGetToken }
            }
        }
        let client = try await self.register(statement, digest: digest)
        do {
            return try await self.newToken(for: client)
        } catch {
            throw error.failingToGetToken
        }
    }

    private func register(_ statement: Secret, digest: String) async throws(EntitlementError) -> ClientCredentials {
        let client: ClientCredentials
        do {
            client = try await self.backend.registerClient(softwareStatement: statement)
        } catch {
            throw error.failingToRegister
        }
        let kept = StoreImage.Registration(
            clientID: client.id, clientSecret: client.secret.withBytes { String(decoding: $0, as: UTF8.self) },
            statement: digest)
        let server = self.server.text
        try await self.vault.update { $0.registrations[server] = kept }
        return client
    }

    private func newToken(for client: ClientCredentials) async throws(EntitlementError) -> Secret {
        let token = try await self.backend.accessToken(for: client)
        let text = token.text.withBytes { String(decoding: $0, as: UTF8.self) }
        let server = self.server.text
        try await self.vault.update { image in
            image.registrations[server]?.accessToken = text
            image.registrations[server]?.renewAt = token.renewAt.milliseconds
        }
        self.token = token
        return token.text
    }

    private func forgetToken(andClient: Bool = false) async throws(EntitlementError) {
        self.token = nil
        let server = self.server.text
        try await self.vault.update { image in
            if andClient {
                image.registrations[server] = nil
            } else {
                image.registrations[server]?.accessToken = nil
            }
        }
    }
}

extension EntitlementError {
    /// A refused registration is `R400` (access-enabler 5.2); what the network does stays what it is.
    fileprivate var failingToRegister: EntitlementError {
        switch self.code {
        case .credentialsRefused, .unauthorized, .unknownClient, .refused:
            EntitlementError(.notRegistered, status: self.status, detail: self.detail)
        default: self
        }
    }

    /// A token that cannot be had is `R401` (access-enabler 5.2).
    fileprivate var failingToGetToken: EntitlementError {
        switch self.code {
        case .unreachable, .untrusted, .cancelled, .throttled, .state: self
        default: EntitlementError(.noAccessToken, status: self.status, detail: self.detail)
        }
    }
}
