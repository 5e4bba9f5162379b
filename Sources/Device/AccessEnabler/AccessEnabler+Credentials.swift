import Clientless
import Cryptography

extension AccessEnabler {
    /// Calls the server, and once more after a renewal it asks for: a new access token or a corrected clock for 401,
    /// a new registration for a client it does not know (access-enabler D-50, rest-v1 28.1).
    func call<Result: Sendable>(
        _ operation: (Caller) async throws(EntitlementError) -> Result
    ) async throws(EntitlementError) -> Result {
        let (requestor, deviceID) = try await self.identity()
        var proof = try await self.proof()
        let offset = self.backend.clockOffset
        do {
            return try await operation(Caller(proof: proof, requestor: requestor, deviceID: deviceID))
        } catch {
            switch (error.code, proof) {
            case (.unauthorized, .accessToken): try await self.forgetToken()
            case (.unknownClient, .accessToken): try await self.forgetToken(andClient: true)
            // The answer's Date has set the clock right; without a change the same signature would fail again.
            case (.unauthorized, .keyPair) where self.backend.clockOffset != offset: break
            case (.unauthorized, .keyPair), (.unknownClient, .keyPair):
                throw EntitlementError(.credentialsRefused, status: error.status, detail: error.detail)
            default: throw error
            }
        }
        proof = try await self.proof()
        do {
            return try await operation(Caller(proof: proof, requestor: requestor, deviceID: deviceID))
        } catch {
            guard error.code == .unauthorized || error.code == .unknownClient else { throw error }
            throw EntitlementError(.credentialsRefused, status: error.status, detail: error.detail)
        }
    }

    /// The key pair, or a current access token, for which the installation registers if it has not yet.
    private func proof() async throws(EntitlementError) -> Caller.Proof {
        switch self.credentials {
        case .keyPair(let keyPair): return .keyPair(keyPair)
        case .softwareStatement(let statement): return .accessToken(try await self.accessToken(statement))
        }
    }

    private func accessToken(_ statement: Secret) async throws(EntitlementError) -> Secret {
        if let token = self.accessToken, token.renewAt > self.backend.now { return token.text }
        let base = self.configuration.environment.base
        let digest = statement.withBytes { Digest.sha256($0).hexString }
        let known = try await self.store.read()[server: base]
        let client = known.client?.statement == digest ? known.client : nil
        if client != nil, let token = known.token, token.renewAt > self.backend.now.milliseconds {
            let current = AccessToken(text: Secret(token.text), renewAt: Timestamp(milliseconds: token.renewAt))
            self.accessToken = current
            return current.text
        }
        if let client {
            do {
                return try await self.newAccessToken(
                    for: ClientCredentials(id: client.id, secret: Secret(client.secret)))
            } catch {
                // Only this word asks for a new registration: it costs the sign-ins of the old one (rest-v1 10.7).
                guard error.code == .unknownClient else { throw error }
            }
        }
        return try await self.newAccessToken(for: try await self.register(statement, digest: digest))
    }

    private func register(_ statement: Secret, digest: String) async throws(EntitlementError) -> ClientCredentials {
        let base = self.configuration.environment.base
        let client = try await self.backend.registerClient(softwareStatement: statement)
        let kept = ServerState.Client(
            id: client.id, secret: client.secret.withBytes { String(decoding: $0, as: UTF8.self) }, statement: digest)
        try await self.store.update { $0[server: base].client = kept }
        return client
    }

    private func newAccessToken(for client: ClientCredentials) async throws(EntitlementError) -> Secret {
        let base = self.configuration.environment.base
        let token = try await self.backend.accessToken(for: client)
        let kept = ServerState.Token(
            text: token.text.withBytes { String(decoding: $0, as: UTF8.self) }, renewAt: token.renewAt.milliseconds)
        try await self.store.update { $0[server: base].token = kept }
        self.accessToken = token
        return token.text
    }

    private func forgetToken(andClient: Bool = false) async throws(EntitlementError) {
        let base = self.configuration.environment.base
        self.accessToken = nil
        try await self.store.update { state in
            state[server: base].token = nil
            if andClient { state[server: base].client = nil }
        }
    }
}
