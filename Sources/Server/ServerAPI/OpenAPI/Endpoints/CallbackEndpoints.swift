import HTTPServer

// Where providers send browsers back to (rest-v1 13.4).
extension APIDescription {
    private static let relayState = APIField.required(
        "RelayState", .text(1...128), "The login, as the provider was told it.")

    private static let answers: [APIAnswer] = [
        APIAnswer(
            302, "Back to where the login began, unchanged, however it went.", headers: [.location, .cookie]),
        .pageOrError(400, "A parameter is missing, or the login is unknown, over, or another browser's."),
        .pageOrError(500, "The server's own fault; its log names the request."),
        .pageOrError(503, "The store does not answer.", headers: [.retryAfter]),
    ]

    static let callbackEndpoints: [APIEndpoint] = [
        APIEndpoint(
            [.init(.post, "/sp/saml/SAMLAssertionConsumer", "acceptAssertion")], .signIn, .everybody,
            "Take a SAML provider's answer to a login", section: "rest-v1 13.4",
            fields: [.required("SAMLResponse", .text(1...131_072), "Base64 of the response."), relayState],
            answers: answers),
        APIEndpoint(
            [.init(.get, "/adobe-services/oauth2", "acceptGrant")], .signIn, .everybody,
            "Take an OAuth provider's answer to a login", section: "rest-v1 13.4",
            fields: [
                .optional("code", .text(0...4096), "The grant."),
                .optional("error", .text(0...256), "Why there is no grant."),
                .required("state", .text(1...128), "The login, as the provider was told it."),
            ], answers: answers),
        APIEndpoint(
            [.init(.get, "/sp/saml/LogoutServiceHTTPRedirectResponse", "endProviderLogout")], .signIn, .everybody,
            "Take a SAML provider's answer to a logout", section: "rest-v1 13.4",
            fields: [.required("SAMLResponse", .text(1...131_072), "Base64 of the response."), relayState],
            answers: answers),
    ]
}
