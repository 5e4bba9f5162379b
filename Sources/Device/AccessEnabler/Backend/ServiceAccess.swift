import Clientless
import Cryptography
import HTTPClient
import TextCoding

/// One server, and the application's registration there (access-enabler 5.2).
actor ServiceAccess {
    let server: ServiceProviderURL
    nonisolated let wire: Wire
    private let credentials: AccessEnabler.Credentials?
    private let vault: TokenVault
    /// In use; the store is read again only when it is refused or over.
    private var token: AccessToken?
    /// The registration that the token in use is of.
    private var kept: StoreImage.Registration?
    /// The token and client that the server refused: while they are still in the store, they do not count.
    private var refused: (token: String?, clientID: String?)
    /// A registration that the store did not take. It is kept before another is made: each costs the sign-ins of the
    /// last.
    private var unkept: StoreImage.Registration?
    /// Counts the tokens: a caller that was refused with an older one need not renew.
    private var serial = 0
    /// Callers that need a token while one is fetched; they get that one.
    private var renewal: [CheckedContinuation<Result<Secret, EntitlementError>, Never>]?

    init(_ server: ServiceProviderURL, wire: Wire, credentials: AccessEnabler.Credentials?, vault: TokenVault) {
        self.server = server
        self.wire = wire
        self.credentials = credentials
        self.vault = vault
    }

    nonisolated var clock: ServerClock { self.wire.clock }

    /// The proof for the server, and its number for ``renew(_:after:timeBefore:)``.
    /// - Throws: `notRegistered` when there is nothing to register with, or the server does not take it;
    ///   `noAccessToken`.
    func proof(for caller: ServerCall) async throws(EntitlementError) -> (proof: ServerCall.Proof, serial: Int) {
        switch self.credentials?.kind {
        case .keyPair(let keyPair): return (.keyPair(keyPair), 0)
        case .softwareStatement(let statement):
            let token = try await self.accessToken(statement, caller)
            return (.accessToken(token), self.serial)
        case nil: throw EntitlementError(.notRegistered, detail: "there is no software statement")
        }
    }

    /// Makes the proof anew after `error`, if that can help (access-enabler D-50, rest-v1 28.1).
    /// - Parameter serial: of the proof that was refused; where another call has renewed it, nothing is left to do.
    /// - Returns: whether the call may be repeated.
    func renew(
        _ serial: Int, after error: EntitlementError, timeBefore time: Timestamp?
    ) async throws(EntitlementError) -> Bool {
        let isCurrent = serial == self.serial && self.token != nil
        switch (error.code, self.credentials?.kind) {
        case (.unauthorized, .softwareStatement): if isCurrent { self.forgetToken() }
        case (.unknownClient, .softwareStatement): if isCurrent { self.forgetToken(andClient: true) }
        // The answer's Date has set the clock right; without a change the same signature would fail again.
        case (.unauthorized, .keyPair): return self.clock.known.start != time
        default: return false
        }
        return true
    }

    private func accessToken(_ statement: Secret, _ caller: ServerCall) async throws(EntitlementError) -> Secret {
        if let token = self.token, token.renewAt > self.clock.now { return token.text }
        if self.renewal != nil {
            return try await withCheckedContinuation { self.renewal?.append($0) }.get()
        }
        self.renewal = []
        let result = await Result { () async throws(EntitlementError) in try await self.fetchToken(statement, caller) }
        let waiting = self.renewal ?? []
        self.renewal = nil
        for continuation in waiting { continuation.resume(returning: result) }
        return try result.get()
    }

    private func fetchToken(_ statement: Secret, _ caller: ServerCall) async throws(EntitlementError) -> Secret {
        let digest = statement.withBytes { Hex.encode(Digest.sha256($0)) }
        let known = try await self.vault.image()[registration: self.server.text, digest].flatMap {
            $0.clientID == self.refused.clientID ? nil : $0
        }
        if let known, let text = known.accessToken, text != self.refused.token, let renewAt = known.renewAt,
            renewAt > self.clock.now.milliseconds
        {
            let token = AccessToken(Secret(text), Timestamp(milliseconds: renewAt))
            self.use(token, kept: known)
            return token.text
        }
        if let known {
            do {
                return try await self.newToken(for: known, digest: digest, caller)
            } catch {
                // Only this word asks for a new registration: it costs the sign-ins of the old one (rest-v1 10.7).
                guard error.code == .unknownClient else { throw error.failingToGetToken }
            }
        }
        let client = try await self.register(statement, digest: digest, caller)
        do {
            return try await self.newToken(for: client, digest: digest, caller)
        } catch {
            throw error.failingToGetToken
        }
    }

    private func register(
        _ statement: Secret, digest: String, _ caller: ServerCall
    ) async throws(EntitlementError) -> StoreImage.Registration {
        let client: StoreImage.Registration
        do {
            if let unkept = self.unkept {
                client = unkept
            } else {
                client = try await self.wire.register(statement, as: caller)
            }
        } catch {
            throw error.failingToRegister
        }
        self.unkept = client
        let server = self.server.text
        try await self.vault.update { $0[registration: server, digest] = client }
        self.unkept = nil
        return client
    }

    /// - Parameter digest: of the statement that `client` was registered with.
    private func newToken(
        for client: StoreImage.Registration, digest: String, _ caller: ServerCall
    ) async throws(EntitlementError) -> Secret {
        let token = try await self.wire.accessToken(for: client, as: caller)
        let text = token.text.withBytes { String(decoding: $0, as: UTF8.self) }
        let server = self.server.text
        let kept: StoreImage.Registration?
        do {
            kept = try await self.vault.update { image -> StoreImage.Registration? in
                // Another process of the application may have registered anew: the token is not that client's.
                guard var kept = image[registration: server, digest], kept.clientID == client.clientID
                else { return nil }
                kept.accessToken = text
                kept.renewAt = token.renewAt.milliseconds
                image[registration: server, digest] = kept
                return kept
            }
        } catch {
            // A disk that takes nothing more does not end playback: the token counts for as long as this process lives.
            kept = client
        }
        self.use(token, kept: kept)
        return token.text
    }

    private func use(_ token: AccessToken, kept: StoreImage.Registration?) {
        self.token = token
        self.kept = kept
        self.serial += 1
    }

    /// At once, and not in the store: two calls may be refused at the same moment, and one of them must not find there
    /// the token that the other is about to replace.
    private func forgetToken(andClient: Bool = false) {
        self.refused.token = self.kept?.accessToken
        if andClient { self.refused.clientID = self.kept?.clientID }
        self.token = nil
    }
}

// Registration (rest-v1 10); the caller has no proof yet.
extension Wire {
    /// Registers an installation; what it gets is kept for ever (rest-v1 10.7).
    fileprivate func register(
        _ statement: Secret, as caller: ServerCall
    ) async throws(EntitlementError) -> StoreImage.Registration {
        let text = statement.withBytes { String(decoding: $0, as: UTF8.self) }
        let body = JSONValue.object([.init("software_statement", .string(text))]).text
        let answer = try await self.send(
            .init(method: .post, path: "/o/client/register", json: body, creates: true), as: caller)
        guard (200..<300).contains(answer.status) else { throw registrationError(answer) }
        guard let json = answer.json, let id = json["client_id"]?.string, !id.isEmpty,
            let secret = json["client_secret"]?.string, !secret.isEmpty
        else { throw answer.malformed }
        return StoreImage.Registration(clientID: id, clientSecret: secret)
    }

    fileprivate func accessToken(
        for client: StoreImage.Registration, as caller: ServerCall
    ) async throws(EntitlementError) -> AccessToken {
        let form = [
            ("grant_type", "client_credentials"), ("client_id", client.clientID),
            ("client_secret", client.clientSecret),
        ]
        let answer = try await self.send(.init(method: .post, path: "/o/client/token", form: form), as: caller)
        guard (200..<300).contains(answer.status) else { throw registrationError(answer) }
        guard let json = answer.json, let text = json["access_token"]?.string, !text.isEmpty,
            let seconds = json["expires_in"]?.integer, (1...31_536_000).contains(seconds)
        else { throw answer.malformed }
        // A tenth of its life early, at most five minutes: no box is refused in the middle of a pairing.
        let early = min(300, seconds / 10)
        return (Secret(text), self.clock.now + .seconds(seconds - early))
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
