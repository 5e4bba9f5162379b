package struct ProviderAgreement: Sendable {
    package let clientID: String
    package let authentication: ClientAuthentication
    /// `openid` is always among them.
    package let scopes: [String]
    /// The algorithm of userinfo answers; `nil` takes plain JSON as well.
    package var userInfoAlgorithm: SignatureAlgorithm?
    package var readsUserInfo = true
    package var pushesRequests = true
    /// The address that the browser comes back to from a logout; registered at the provider.
    package var logoutRedirectAddress: String?

    package init(clientID: String, authentication: ClientAuthentication, scopes: [String] = ["openid"]) {
        self.clientID = clientID
        self.authentication = authentication
        self.scopes = scopes.contains("openid") ? scopes : ["openid"] + scopes
    }

    /// The algorithms that an ID token or a logout token may have: those that the provider announces.
    /// - Throws: `unsupported` when there is none.
    func algorithms(_ metadata: ProviderMetadata) throws(OpenIDConnectFault) -> Set<SignatureAlgorithm> {
        guard !metadata.idTokenAlgorithms.isEmpty else {
            throw OpenIDConnectFault(.discovery, .unsupported("a signature algorithm of ID tokens that is known here"))
        }
        return metadata.idTokenAlgorithms
    }
}
