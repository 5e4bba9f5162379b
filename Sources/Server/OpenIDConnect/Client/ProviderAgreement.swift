/// The agreement of the operator with a provider.
package struct ProviderAgreement: Sendable {
    package let clientID: String
    package let authentication: ClientAuthentication
    /// `openid` is always among them.
    package let scopes: [String]
    /// The audience of the client's assertions. All providers accept their token endpoint; the issuer is safer where
    /// one key serves at several providers.
    package var assertionAudience = AssertionAudience.tokenEndpoint
    /// The algorithms of ID tokens, if the operator knows them; otherwise those of the provider's metadata count.
    package var idTokenAlgorithms: Set<SignatureAlgorithm>?
    /// The algorithm of userinfo answers; `nil` takes plain JSON as well.
    package var userInfoAlgorithm: SignatureAlgorithm?
    /// Audiences beside the client that an ID token may name.
    package var furtherAudiences: Set<String> = []
    /// Whether claims are also asked for at the userinfo endpoint.
    package var readsUserInfo = true
    /// Whether requests are pushed where the provider offers it.
    package var pushesRequests = true
    /// Further parameters of each authorization request, such as `audience` or `domain_hint`.
    package var parameters: [(name: String, value: String)] = []
    /// The address that the browser comes back to from a logout; registered at the provider.
    package var logoutRedirectAddress: String?

    package enum AssertionAudience: String, Sendable, Hashable {
        case tokenEndpoint, issuer

        func text(_ metadata: ProviderMetadata) -> String {
            switch self {
            case .tokenEndpoint: metadata.tokenEndpoint.text
            case .issuer: metadata.issuer.text
            }
        }
    }

    package init(clientID: String, authentication: ClientAuthentication, scopes: [String] = ["openid"]) {
        self.clientID = clientID
        self.authentication = authentication
        self.scopes = scopes.contains("openid") ? scopes : ["openid"] + scopes
    }

    /// The algorithms that an ID token or a logout token may have: those agreed upon that the provider announces.
    /// - Throws: `unsupported` when there is none.
    func algorithms(_ metadata: ProviderMetadata) throws(OpenIDConnectFault) -> Set<SignatureAlgorithm> {
        let agreed = self.idTokenAlgorithms?.intersection(metadata.idTokenAlgorithms) ?? metadata.idTokenAlgorithms
        guard !agreed.isEmpty else {
            throw OpenIDConnectFault(.discovery, .unsupported("a signature algorithm of ID tokens that is known here"))
        }
        return agreed
    }
}
