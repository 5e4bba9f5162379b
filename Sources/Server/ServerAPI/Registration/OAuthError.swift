import HTTPServer

/// An error of the registration endpoints: a code and nothing else, always JSON (rest-v1 10.2, 10.3).
struct OAuthError: Error, Hashable {
    let code: String
    let status: HTTPStatus
    /// How long to wait before the next call, where that is all there is to say: RFC 6749 has no code for it.
    let wait: Duration?

    private init(_ code: String, status: HTTPStatus = .badRequest, wait: Duration? = nil) {
        self.code = code
        self.status = status
        self.wait = wait
    }

    static let invalidRequest = OAuthError("invalid_request")
    static let invalidClient = OAuthError("invalid_client")
    /// A code that is not good (RFC 6749, section 5.2).
    static let invalidGrant = OAuthError("invalid_grant")
    static let unauthorizedClient = OAuthError("unauthorized_client")
    static let unsupportedGrantType = OAuthError("unsupported_grant_type")
    static let invalidRedirectURI = OAuthError("invalid_redirect_uri")
    static let invalidSoftwareStatement = OAuthError("invalid_software_statement")
    static let unapprovedSoftwareStatement = OAuthError("unapproved_software_statement")
    /// The store or the key failed; RFC 6749 4.1.2.1 has the words. It says when to call again, as every 503 does.
    static let temporarilyUnavailable = OAuthError("temporarily_unavailable", status: .serviceUnavailable)
    static func tooManyRequests(wait: Duration) -> OAuthError {
        OAuthError("too_many_requests", status: .tooManyRequests, wait: wait)
    }
    static let serverError = OAuthError("server_error", status: .internalServerError)
}
