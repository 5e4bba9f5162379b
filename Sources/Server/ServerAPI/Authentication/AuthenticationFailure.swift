import HTTPServer

/// The refusals of rest-v1 7.5 and 7.6.
extension WireError {
    /// A signed call that is malformed, of an unknown key, badly signed or replayed; which, the log tells.
    static let notAuthorized = WireError(.unauthorized, "Not Authorized", code: .invalidHeader)

    /// Genuinely signed, by a device whose clock is wrong.
    static let clientTimeRefused = WireError(.unauthorized, "Not Authorized", code: .invalidClientTime)

    /// The call has no credential. RFC 6750 3.1 wants no error code then.
    static let unauthenticated = WireError(.unauthorized, "Not Authorized", challenge: "Bearer")

    static let bearerMissing = WireError(
        .unauthorized, "Unauthorized", oauthError: "invalid_request", challenge: "Bearer error=\"invalid_request\"")

    static let bearerRefused = Self.bearer(.invalidAccessToken)
    static let bearerExpired = Self.bearer(.accessTokenExpired)
    static let bearerContradicted = WireError(.badRequest, "Bad Request", oauthError: "invalid_request")

    /// The client must register again, or calls for data of another.
    static let clientRefused = WireError(.forbidden, "Forbidden", code: .invalidClientID, oauthError: "invalid_client")

    /// The same, because its application is no longer permitted.
    static let applicationRefused = WireError(
        .forbidden, "Forbidden", code: .unknownApplication, oauthError: "invalid_client")

    private static func bearer(_ code: ErrorCode) -> WireError {
        WireError(
            .unauthorized, "Unauthorized", code: code, oauthError: "access_denied",
            challenge: "Bearer error=\"invalid_token\"")
    }
}
