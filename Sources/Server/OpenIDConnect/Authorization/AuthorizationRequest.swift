import TextCoding

/// The request that a browser carries to the provider, or that is pushed there before (RFC 6749 4.1.1, RFC 9126).
package struct AuthorizationRequest: Sendable {
    package let parameters: [(name: String, value: String)]

    /// - Parameter state: the caller's reference to its own login; nothing but a reference.
    package init(_ registration: ProviderAgreement, attempt: AuthorizationAttempt, state: String) {
        let parameters = [
            ("response_type", "code"), ("client_id", registration.clientID),
            ("redirect_uri", attempt.redirectAddress), ("scope", registration.scopes.joined(separator: " ")),
            ("state", state), ("nonce", attempt.nonce), ("code_challenge", attempt.challenge),
            ("code_challenge_method", "S256"),
        ]
        // OpenID Connect Core 3.1.2.1.
        let prompt = attempt.isPassive ? [("prompt", "none")] : []
        self.parameters = (parameters + prompt).map { (name: $0.0, value: $0.1) }
    }

    /// The address that the browser goes to.
    package func address(at metadata: ProviderMetadata) -> String {
        metadata.authorizationEndpoint.appending(
            query: PercentCoding.form(self.parameters.map { ($0.name, $0.value) }))
    }

    /// The address that the browser goes to once the request was pushed (RFC 9126 4).
    package static func address(
        pushed reference: String, _ registration: ProviderAgreement, at metadata: ProviderMetadata
    ) -> String {
        metadata.authorizationEndpoint.appending(
            query: PercentCoding.form([("client_id", registration.clientID), ("request_uri", reference)]))
    }
}
