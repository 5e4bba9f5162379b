extension OpenIDConnectClient {
    /// The address at which the browser signs out at the provider; `nil` if the provider has no such place.
    package func logoutAddress(_ tokens: ProviderTokens) -> String? {
        self.metadataDocument.known.flatMap { EndSessionRequest.address($0, self.registration, tokens) }
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
        let (token, claims) = try await self.verify(
            text, algorithms: try self.registration.algorithms(try await self.metadata()), step)
        return try step.checked { () throws(TokenFault) in
            try LogoutTokenRules(rules: self.idTokenRules).check(claims, type: token.type, now: self.clocks.now())
        }
    }

    /// Reads the parameters with which the provider's page came by.
    package func frontChannelLogout(
        _ parameters: [(name: String, value: String)]
    ) throws(OpenIDConnectFault) -> LogoutNotice {
        try FrontChannelLogout.read(parameters, issuer: self.settings.issuer)
    }
}
