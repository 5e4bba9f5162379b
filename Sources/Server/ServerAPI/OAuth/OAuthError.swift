import HTTPServer

/// An error of the registration endpoints: a code and a sentence, always JSON (rest-v1 10.2, 10.3; RFC 6749, 5.2).
struct OAuthError: Error, Hashable {
    let code: String
    /// The fault, for the developer of the client. ASCII without quotes and backslashes (RFC 6749, 5.2).
    let description: String
    let status: HTTPStatus
    /// How long to wait before the next call, where that is all there is to say: RFC 6749 has no code for it.
    let wait: Duration?

    private init(_ code: String, _ description: String, status: HTTPStatus = .badRequest, wait: Duration? = nil) {
        self.code = code
        self.description = description
        self.status = status
        self.wait = wait
    }

    static let repeatedName = OAuthError.invalidRequest("A parameter stands twice.")
    static func invalidRequest(_ description: String) -> OAuthError { OAuthError("invalid_request", description) }
    /// A parameter that is missing or that nothing can be read from.
    static func parameter(_ name: String) -> OAuthError {
        .invalidRequest("The parameter \(name) is missing, empty or too long.")
    }
    static let invalidClient = OAuthError("invalid_client", "The client is unknown, or client_secret is not its own.")
    /// A code that is not good (RFC 6749, section 5.2).
    static let invalidGrant = OAuthError("invalid_grant", "The set-up code is unknown, used or over.")
    static let unauthorizedClient = OAuthError("unauthorized_client", "The application was not granted this scope.")
    static let unsupportedGrantType = OAuthError(
        "unsupported_grant_type", "grant_type is not client_credentials.")
    static let invalidRedirectURI = OAuthError(
        "invalid_redirect_uri", "redirect_uri is not below a target of the application.")
    static let invalidSoftwareStatement = OAuthError(
        "invalid_software_statement", "software_statement is not signed by this server, or is not valid yet.")
    static let unapprovedSoftwareStatement = OAuthError(
        "unapproved_software_statement", "The application of software_statement is unknown or was revoked.")
    /// The store or the key failed; RFC 6749 4.1.2.1 has the words. It says when to call again, as every 503 does.
    static let temporarilyUnavailable = OAuthError(
        "temporarily_unavailable", "The store does not answer; try again.", status: .serviceUnavailable)
    static func tooManyRequests(wait: Duration) -> OAuthError {
        OAuthError("too_many_requests", "Too many calls.", status: .tooManyRequests, wait: wait)
    }
    static let serverError = OAuthError(
        "server_error", "The server failed; its log says why.", status: .internalServerError)
}
