import Clientless
import Entitlement

// The bearer scheme (rest-v1 7.6).
extension Authenticator {
    func verify(bearer token: String, for claim: RequestorClaim, now: Timestamp) throws(WireError) -> Outcome {
        let claims = try self.claims(of: token, now: now)
        let standing = self.domain.credentials.clientInMemory(claims.clientID, at: now)
        guard standing != .unknown else { return .undecided(Undecided(question: .client(claims, claim), now: now)) }
        return .caller(try self.caller(standing, claims, for: claim))
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
        _ standing: ClientStanding, _ claims: AccessTokenClaims, for claim: RequestorClaim
    ) throws(WireError) -> Caller {
        let client: ActiveClient
        switch standing {
        case .unknown: throw .clientRefused
        case .refused: throw .applicationRefused
        case .active(let active): client = active
        }
        guard client.grants(.clientV1, toToken: claims.scopes) else { throw .clientRefused }
        let application = client.application
        let allowed = Set(application.requestors)
        let only = allowed.count == 1 ? allowed.first : nil
        return Caller(
            credential: .client(id: client.record.clientID, application: application),
            requestor: try self.requestor(claim, fallback: only, allowed: allowed, refusal: .clientRefused),
            allowed: allowed, isServer: application.isServerToServer)
    }
}
