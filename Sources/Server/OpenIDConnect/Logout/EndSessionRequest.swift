import TextCoding

/// Logout that begins here: the browser is sent to the provider (OpenID Connect RP-Initiated Logout 2).
package enum EndSessionRequest {
    /// A longer ID token is left out: it would not fit into an address.
    static let maximumHintSize = 4_096

    /// - Returns: where the browser goes; `nil` if the provider has no such endpoint.
    package static func address(
        _ metadata: ProviderMetadata, _ registration: ProviderAgreement, _ tokens: ProviderTokens
    ) -> String? {
        guard let endpoint = metadata.endSessionEndpoint, tokens.issuer == metadata.issuer else { return nil }
        var parameters = [("client_id", registration.clientID)]
        if let hint = tokens.idToken, hint.utf8.count <= Self.maximumHintSize {
            parameters.append(("id_token_hint", hint))
        }
        if let address = registration.logoutRedirectAddress {
            parameters.append(("post_logout_redirect_uri", address))
        }
        return endpoint.appending(query: PercentCoding.form(parameters))
    }
}
