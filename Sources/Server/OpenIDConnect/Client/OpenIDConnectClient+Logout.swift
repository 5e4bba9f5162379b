import TextCoding

extension OpenIDConnectClient {
    /// A longer ID token is left out: it would not fit into an address.
    private static let maximumHintSize = 4_096

    /// The address at which the browser signs out at the provider (OpenID Connect RP-Initiated Logout 2); `nil` if the
    /// provider has no such place.
    package func logoutAddress(_ tokens: ProviderTokens) -> String? {
        guard let metadata = self.metadataDocument.known, let endpoint = metadata.endSessionEndpoint,
            tokens.issuer == metadata.issuer
        else { return nil }
        var parameters = [("client_id", self.settings.clientID)]
        if let hint = tokens.idToken, hint.utf8.count <= Self.maximumHintSize {
            parameters.append(("id_token_hint", hint))
        }
        if let address = self.settings.logoutRedirectAddress {
            parameters.append(("post_logout_redirect_uri", address))
        }
        return endpoint.appending(query: PercentCoding.form(parameters))
    }

    /// Gives the refresh token back, so that it opens nothing any more (RFC 7009 2.1).
    /// - Returns: false if there is none, or the provider takes none.
    package func revoke(_ tokens: ProviderTokens) async throws(OpenIDConnectFault) -> Bool {
        let metadata = try await self.metadata()
        guard tokens.issuer == metadata.issuer, let token = tokens.refreshToken,
            let endpoint = metadata.revocationEndpoint
        else { return false }
        try await self.post(
            [("token", token), ("token_type_hint", "refresh_token")], to: endpoint, of: metadata, limit: 16 << 10,
            .revocation
        ).requireSuccess(.revocation)
        return true
    }

    /// Reads a logout token that the provider sent. The caller keeps its ID until `acceptableUntil`: it counts once.
    package func backChannelLogout(_ text: String) async throws(OpenIDConnectFault) -> LogoutNotice {
        let step = OpenIDConnectFault.Step.backChannelLogout
        let (token, claims) = try await self.verify(text, algorithms: try await self.metadata().tokenAlgorithms(), step)
        return try step.checked { () throws(TokenFault) in
            try self.idTokenRules.checkLogout(claims, type: token.type, now: self.clocks.now())
        }
    }

    /// Reads the parameters with which the provider's page loads an address of ours in the viewer's browser (Front-Channel
    /// Logout 3).
    /// - Returns: the notice. It proves nothing: a stranger who knows the session's name ends that session with it.
    /// - Throws: `mixUp` for another provider; `field`.
    package func frontChannelLogout(issuer: String, session: String) throws(OpenIDConnectFault) -> LogoutNotice {
        guard self.settings.issuer.isNamed(by: issuer) else { throw OpenIDConnectFault(.frontChannelLogout, .mixUp) }
        guard (1...IDTokenRules.maximumNameSize).contains(session.utf8.count)
        else { throw OpenIDConnectFault(.frontChannelLogout, .field("sid")) }
        return LogoutNotice(
            issuer: self.settings.issuer, subject: nil, sessionID: session, tokenID: nil, acceptableUntil: nil)
    }
}
