extension OpenIDConnectClient {
    /// Where the browser goes to sign out at the provider; `nil` where the provider has no such place.
    package func logoutAddress(
        _ tokens: ProviderTokens, state: String?, languages: [String] = []
    ) async throws(OpenIDConnectFault) -> String? {
        EndSessionRequest.address(
            try await self.metadata(), self.registration, tokens, state: state, languages: languages)
    }

    /// Reads a logout token that the provider sent. The caller keeps its ID until `acceptableUntil`: it counts once.
    package func backChannelLogout(_ text: String) async throws(OpenIDConnectFault) -> LogoutNotice {
        let (token, claims) = try await self.verify(
            text, algorithms: try self.registration.algorithms(try await self.metadata()), .backChannelLogout)
        do throws(TokenFault) {
            return try LogoutTokenRules(self.idTokenRules).check(claims, type: token.type, now: self.clocks.now())
        } catch {
            throw OpenIDConnectFault(.backChannelLogout, .token(error))
        }
    }

    /// Reads the parameters with which the provider's page came by.
    package func frontChannelLogout(
        _ parameters: [(name: String, value: String)]
    ) throws(OpenIDConnectFault) -> LogoutNotice {
        try FrontChannelLogout.read(parameters, issuer: self.settings.issuer)
    }
}
