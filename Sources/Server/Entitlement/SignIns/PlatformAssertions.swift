package import Clientless

/// Checks what the provider account of a device's operating system says of its viewer (rest-v1 21). Implemented in
/// Providers.
package protocol PlatformAssertions: Sendable {
    /// Reads a response and checks its signature, times, audience and recipient; whether it was presented before is the
    /// caller's to know.
    /// - Parameter response: decoded XML, of any content and at most ``PlatformExchange/maximumLength`` bytes.
    /// - Throws: when the response is not acceptable, or the boarding names no issuer.
    func verify(
        _ response: [UInt8], for boarding: PlatformBoarding, audience: String, recipient: String, now: Timestamp
    ) async throws(ProviderError) -> PlatformAssertion
}

/// A viewer the platform vouched for.
package struct PlatformAssertion: Hashable, Sendable {
    package let login: ProviderLogin
    /// Unique for its issuer; taken once.
    package let assertionID: String
    package let issuer: String
    /// The last moment at which the assertion would be acceptable; `nil` when it does not say.
    package let expires: Timestamp?
    /// When the sign-in ends at the issuer; `nil` when it does not say.
    package let sessionEnd: Timestamp?

    package init(
        login: ProviderLogin, assertionID: String, issuer: String, expires: Timestamp?, sessionEnd: Timestamp? = nil
    ) {
        self.login = login
        self.assertionID = assertionID
        self.issuer = issuer
        self.expires = expires
        self.sessionEnd = sessionEnd
    }
}

/// How this server takes part in platform SSO: who checks, and to whom assertions have to be made out.
package struct PlatformExchange: Sendable {
    /// The longest response read, in bytes of XML.
    package static let maximumLength = 98_304

    package let assertions: any PlatformAssertions
    /// This server's SAML entity ID.
    package let audience: String
    /// The address assertions are delivered to (rest-v1 13.4).
    package let recipient: String

    package init(assertions: any PlatformAssertions, audience: String, recipient: String) {
        self.assertions = assertions
        self.audience = audience
        self.recipient = recipient
    }
}
