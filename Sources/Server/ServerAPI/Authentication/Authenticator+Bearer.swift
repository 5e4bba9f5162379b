import Clientless
import Entitlement

// The bearer scheme (rest-v1 7.6).
extension Authenticator {
    func verify(bearer token: String, for claim: RequestorClaim, now: Timestamp) throws(WireError) -> Outcome {
        let claims = try self.claims(of: token, now: now)
        guard let client = self.domain.credentials.clientInMemory(claims.clientID) else {
            return .undecided(Undecided(question: .client(claims, claim), now: now))
        }
        return .caller(try self.caller(of: client, claims, for: claim, now: now))
    }

    private func claims(of token: String, now: Timestamp) throws(WireError) -> AccessTokenClaims {
        do {
            return try self.accessTokens.checked(token, now: now)
        } catch {
            throw error == .expired ? .bearerExpired : .bearerRefused
        }
    }

    /// The caller behind a genuine token, if its application still may call this API for that requestor.
    func caller(
        of client: ClientRecord, _ claims: AccessTokenClaims, for claim: RequestorClaim, now: Timestamp
    ) throws(WireError) -> Caller {
        guard let application = self.domain.credentials.application(client.softwareID),
            application.ends.map({ now < $0 }) ?? true
        else { throw .applicationRefused }
        guard claims.scopes.contains(.clientV1), application.scopes.contains(Scope.clientV1.rawValue)
        else { throw .clientRefused }
        let allowed = Set(application.requestors)
        let only = allowed.count == 1 ? allowed.first : nil
        return Caller(
            credential: .client(id: client.clientID, application: application),
            requestor: try self.requestor(claim, fallback: only, allowed: allowed, refusal: .clientRefused),
            allowed: allowed, isServer: application.isServerToServer)
    }
}
