import HTTPServer

/// The refusals of rest-v1 7.5 and 7.6.
extension WireError {
    /// A signed call that is malformed, of an unknown key, badly signed, stale or replayed; which, only counters tell.
    static let notAuthorized = WireError(.unauthorized, "Not Authorized")

    /// Nothing that says who is calling. RFC 6750 3.1 wants no error code then.
    static let unauthenticated = WireError(.unauthorized, "Not Authorized", challenge: "Bearer")

    static let bearerMissing = WireError(
        .unauthorized, "Unauthorized", oauthError: "invalid_request", challenge: "Bearer error=\"invalid_request\"")

    static let bearerRefused = WireError(
        .unauthorized, "Unauthorized", oauthError: "access_denied", challenge: "Bearer error=\"invalid_token\"")

    static let bearerContradicted = WireError(.badRequest, "Bad Request", oauthError: "invalid_request")

    /// The client must register again, or calls for what is not its own.
    static let clientRefused = WireError(.forbidden, "Forbidden", oauthError: "invalid_client")
}
