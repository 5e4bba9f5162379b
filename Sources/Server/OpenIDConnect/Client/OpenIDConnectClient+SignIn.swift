package import Clientless
import Cryptography
import HTTPClient
import TextCoding

extension OpenIDConnectClient {
    /// Begins a sign-in. The request is pushed if the provider takes that (RFC 9126).
    /// - Parameters:
    ///   - state: the caller's reference to its own login.
    ///   - isPassive: whether the provider is to show no page.
    ///   - asksAnew: whether it is to ask also a viewer who is signed in there.
    /// - Returns: the address that the browser goes to, and the attempt, to be kept sealed until it comes back.
    package func begin(
        redirectAddress: String, state: String, isPassive: Bool = false, asksAnew: Bool = false
    ) async throws(OpenIDConnectFault) -> (address: String, attempt: AuthorizationAttempt) {
        let metadata = try await self.metadata()
        // Known before a viewer is sent away.
        _ = try metadata.tokenAlgorithms()
        let attempt = AuthorizationAttempt(
            issuer: metadata.issuer, redirectAddress: redirectAddress, isPassive: isPassive)
        // RFC 6749 4.1.1; OpenID Connect Core 3.1.2.1.
        var parameters = [
            ("response_type", "code"), ("client_id", self.settings.clientID), ("redirect_uri", redirectAddress),
            ("scope", self.settings.scopes.joined(separator: " ")), ("state", state), ("nonce", attempt.nonce),
            ("code_challenge", attempt.challenge), ("code_challenge_method", "S256"),
        ]
        if isPassive || asksAnew { parameters.append(("prompt", isPassive ? "none" : "login")) }
        if let endpoint = metadata.pushedAuthorizationEndpoint,
            self.settings.pushesRequests || metadata.requiresPushedAuthorization
        {
            let reference = try await self.push(parameters, to: endpoint, of: metadata)
            parameters = [("client_id", self.settings.clientID), ("request_uri", reference)]
        }
        return (metadata.authorizationEndpoint.appending(query: PercentCoding.form(parameters)), attempt)
    }

    /// - Returns: the provider's reference to the request.
    private func push(
        _ parameters: [(String, String)], to endpoint: EndpointAddress, of metadata: ProviderMetadata
    ) async throws(OpenIDConnectFault) -> String {
        // The client's ID comes with its authentication, except where that is a header.
        let isTwice = self.settings.authentication.method != .secretBasic
        let answer = try await self.post(
            parameters.filter { !isTwice || $0.0 != "client_id" }, to: endpoint, of: metadata, limit: 16 << 10,
            .pushedAuthorization)
        try answer.requireSuccess(.pushedAuthorization)
        guard let document = ForeignJSON.object(answer.body, limit: 16 << 10)
        else { throw OpenIDConnectFault(.pushedAuthorization, .unreadable) }
        guard let reference = document["request_uri"]?.string, (1...512).contains(reference.utf8.count)
        else { throw OpenIDConnectFault(.pushedAuthorization, .field("request_uri")) }
        return reference
    }

    /// Shows the provider a code that does not exist.
    /// - Returns: whether it refused the code and not the client; false where its answer leaves that open.
    /// - Throws: what it has against the client: its ID, its secret or its key is wrong.
    package func isKnown(redirectAddress: String) async throws(OpenIDConnectFault) -> Bool {
        let metadata = try await self.metadata()
        let random = { Base64.encodeURL(SecureRandom.bytes(32)) }
        let answer = try await self.post(
            [
                ("grant_type", "authorization_code"), ("code", random()), ("redirect_uri", redirectAddress),
                ("code_verifier", random()),
            ], to: metadata.tokenEndpoint, of: metadata, limit: TokenAnswer.maximumSize, .token)
        do throws(OpenIDConnectFault) {
            _ = try TokenAnswer(answer, step: .token)
            return false
        } catch {
            switch error.cause {
            case .refused(.invalidGrant): return true
            case .refused(.invalidClient), .refused(.unauthorizedClient), .status(401): throw error
            default: return false
            }
        }
    }

    /// Ends a sign-in with what the browser brought back.
    /// - Parameter state: what ``begin(redirectAddress:state:isPassive:asksAnew:)`` was given.
    package func complete(
        _ parameters: [(name: String, value: String)], attempt: AuthorizationAttempt, state: String
    ) async throws(OpenIDConnectFault) -> ProviderSignIn {
        let metadata = try await self.metadata()
        let code = try AuthorizationResponse.read(parameters, of: attempt, state: state, metadata: metadata)
        let sent = self.clocks.now()
        let answer = try TokenAnswer(
            try await self.post(
                [
                    ("grant_type", "authorization_code"), ("code", code.text),
                    ("redirect_uri", attempt.redirectAddress), ("code_verifier", attempt.verifier),
                ], to: metadata.tokenEndpoint, of: metadata, limit: TokenAnswer.maximumSize, .token), step: .token)
        guard let text = answer.idToken else { throw OpenIDConnectFault(.token, .field("id_token")) }
        let idToken = try await self.idToken(
            text, answering: (attempt, code.text), accessToken: answer.accessToken, metadata, .token)
        return try await self.signIn(
            answer, idToken: idToken, former: nil, subject: idToken.subject, metadata: metadata, sent: sent)
    }

    /// Renews a sign-in without the viewer. The tokens of the answer take the place of those given, which count no more:
    /// once they have come, a claim that cannot be read or asked for costs the claims and not the tokens.
    /// - Returns: no claims when they are not all known; those of the ID token before where the answer has none.
    /// - Throws: `refused(.invalidGrant)`, whose trouble is `ended`, when the provider has ended it.
    package func refresh(_ tokens: ProviderTokens) async throws(OpenIDConnectFault) -> ProviderSignIn {
        let metadata = try await self.metadata()
        guard tokens.issuer == metadata.issuer else { throw OpenIDConnectFault(.refresh, .mixUp) }
        guard let refreshToken = tokens.refreshToken else {
            throw OpenIDConnectFault(.refresh, .refused(.invalidGrant))
        }
        let sent = self.clocks.now()
        let answer = try TokenAnswer(
            try await self.post(
                [("grant_type", "refresh_token"), ("refresh_token", refreshToken)], to: metadata.tokenEndpoint,
                of: metadata, limit: TokenAnswer.maximumSize, .refresh), step: .refresh)
        var idToken: IDToken?
        if let text = answer.idToken {
            do throws(OpenIDConnectFault) {
                idToken = try await self.idToken(
                    text, accessToken: answer.accessToken, renewing: tokens, metadata, .refresh)
            } catch {
                // An untrusted token is another viewer's, or forged. Otherwise the keys are not there, or not yet.
                guard error.trouble != .untrusted else { throw error }
            }
        }
        return try await self.signIn(
            answer, idToken: idToken, former: tokens, subject: tokens.subject, metadata: metadata, sent: sent)
    }

    private func idToken(
        _ text: String, answering answered: (attempt: AuthorizationAttempt, code: String)? = nil,
        accessToken: String, renewing former: ProviderTokens? = nil, _ metadata: ProviderMetadata,
        _ step: OpenIDConnectFault.Step
    ) async throws(OpenIDConnectFault) -> IDToken {
        let (token, claims) = try await self.verify(text, algorithms: try metadata.tokenAlgorithms(), step)
        return try step.checked { () throws(TokenFault) in
            try self.idTokenRules.check(
                claims, algorithm: token.algorithm, answering: answered, accessToken: accessToken, renewing: former,
                now: self.clocks.now())
        }
    }

    private func signIn(
        _ answer: TokenAnswer, idToken: IDToken?, former: ProviderTokens?, subject: String,
        metadata: ProviderMetadata, sent: Timestamp
    ) async throws(OpenIDConnectFault) -> ProviderSignIn {
        let isRead = answer.idToken == nil || idToken != nil
        let tokens = ProviderTokens(
            issuer: metadata.issuer, subject: subject, sessionID: idToken?.sessionID ?? former?.sessionID,
            accessExpires: answer.lifetime.map { sent + .seconds($0) }, accessToken: answer.accessToken,
            refreshToken: answer.refreshToken ?? former?.refreshToken,
            idToken: (isRead ? answer.idToken : nil) ?? former?.idToken)
        var further: JSONValue?
        do throws(OpenIDConnectFault) {
            if isRead, self.settings.readsUserInfo, metadata.userInfoEndpoint != nil {
                further = try await self.userInfo(tokens)
            }
        } catch {
            guard former != nil else { throw error }
            return ProviderSignIn(tokens: tokens, idToken: idToken, claims: .object([]))
        }
        var claims = JSONValue.object([])
        if let idToken {
            claims = UserInfo.joined(idToken.claims, further, inside: true)
        } else if isRead {
            // A renewal needs no ID token (OpenID Connect Core 12.2): what the last one said still counts.
            claims = UserInfo.joined(further, former?.idToken.flatMap(SignedToken.claims(kept:)), inside: false)
        }
        return ProviderSignIn(tokens: tokens, idToken: idToken, claims: claims)
    }

    /// The userinfo of a viewer, who must be the same.
    package func userInfo(_ tokens: ProviderTokens) async throws(OpenIDConnectFault) -> JSONValue {
        let (metadata, step) = (try await self.metadata(), OpenIDConnectFault.Step.userInfo)
        guard tokens.issuer == metadata.issuer else { throw OpenIDConnectFault(.userInfo, .mixUp) }
        guard let endpoint = metadata.userInfoEndpoint
        else { throw OpenIDConnectFault(.userInfo, .unsupported("userinfo_endpoint")) }
        let answer = try await self.send(
            HTTPClient.Request(
                .get, endpoint.text,
                headers: [
                    "Authorization": "Bearer \(tokens.accessToken)", "Accept": "application/json, application/jwt",
                ], limit: UserInfo.maximumSize, time: self.settings.time), .userInfo)
        try answer.requireSuccess(.userInfo)
        let claims: JSONValue
        if UserInfo.isToken(answer) {
            claims = try await self.verify(
                String(decoding: answer.body, as: UTF8.self), algorithms: metadata.userInfoAlgorithms, .userInfo
            ).claims
            try step.checked { () throws(TokenFault) in try UserInfo.check(signed: claims, self.idTokenRules) }
        } else {
            guard let document = ForeignJSON.object(answer.body, limit: UserInfo.maximumSize)
            else { throw OpenIDConnectFault(.userInfo, .unreadable) }
            claims = document
        }
        try step.checked { () throws(TokenFault) in try UserInfo.check(claims, subject: tokens.subject) }
        return claims
    }
}
