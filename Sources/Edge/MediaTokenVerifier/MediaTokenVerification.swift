/// The answer to one token.
public struct MediaTokenVerification: Hashable, Sendable {
    /// The finding. Start the stream for ``VerificationResult/validToken`` and for nothing else.
    public let result: VerificationResult

    /// The content of the token; `nil` unless its signature is genuine, for nothing in any other token can be believed.
    public let token: MediaToken?

    /// Whether the stream may start.
    public var isValid: Bool { self.result == .validToken }
}

/// The result of a verification. The raw values are the names that programmers' back ends know.
public enum VerificationResult: String, Hashable, Sendable, CaseIterable {
    /// Not a media token, or one for another requestor.
    case invalidTokenFormat = "INVALID_TOKEN_FORMAT"
    /// No trusted key made the signature: forged, changed on the way, or signed by a key you do not have yet.
    case invalidSignature = "INVALID_SIGNATURE"
    /// Genuine, but its time is over, or lies more than five minutes ahead.
    case tokenExpired = "TOKEN_EXPIRED"
    /// Genuine and current, but for another resource than the one asked for.
    case invalidResourceID = "INVALID_RESOURCE_ID"
    /// Genuine, current, and for the resource asked for. Only now may the stream start.
    case validToken = "VALID_TOKEN"
    /// No check has run: the value for a variable to begin with. ``MediaTokenVerifier/verify(_:resource:at:)`` never
    /// returns it.
    case errorUnknown = "ERROR_UNKNOWN"
}
