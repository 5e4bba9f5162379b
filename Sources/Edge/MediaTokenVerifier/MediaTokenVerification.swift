/// The answer to one token.
public struct MediaTokenVerification: Hashable, Sendable {
    /// What was found. Start the stream for ``VerificationResult/validToken`` and for nothing else.
    public let result: VerificationResult

    /// What the token says; `nil` unless its signature is genuine, for nothing in any other token can be believed.
    public let token: MediaToken?

    /// Whether the stream may start.
    public var isValid: Bool { self.result == .validToken }
}
