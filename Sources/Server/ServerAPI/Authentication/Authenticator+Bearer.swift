import Clientless
import Entitlement

// The bearer scheme (rest-v1 7.6).
extension Authenticator {
    func verify(bearer token: String, for claim: RequestorClaim, now: Timestamp) -> Outcome {
        guard let claims = self.accessTokens.claims(of: token, now: now) else { return .refused(.bearerRefused) }
        guard let client = self.pairing.credentials.clientInMemory(claims.clientID) else {
            return .undecided(Undecided(question: .client(claims, claim), now: now))
        }
        switch self.caller(of: client, claims, for: claim, now: now) {
        case .success(let caller): return .caller(caller)
        case .failure(let error): return .refused(error)
        }
    }

    /// The caller behind a genuine token, if its application still may call this API for that requestor.
    func caller(
        of client: ClientRecord, _ claims: AccessTokenClaims, for claim: RequestorClaim, now: Timestamp
    ) -> Result<Caller, WireError> {
        guard let application = self.pairing.credentials.application(client.softwareID),
            application.ends.map({ now < $0 }) ?? true, claims.scopes.contains(.clientV1),
            application.scopes.contains(Scope.clientV1.rawValue)
        else { return .failure(.clientRefused) }
        let allowed = Set(application.requestors)
        let only = allowed.count == 1 ? allowed.first : nil
        return self.requestor(claim, fallback: only, allowed: allowed, refusal: .clientRefused).map { requestor in
            Caller(
                credential: .client(id: client.clientID, application: application), requestor: requestor,
                allowed: allowed)
        }
    }
}
