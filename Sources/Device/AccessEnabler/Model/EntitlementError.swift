package import HTTPClient

/// Why an operation did not come to its end; see ``AccessEnabler/loginFailure`` and the failures that carry one.
public struct EntitlementError: Error, Sendable, Hashable {
    /// The kind of a failure. The list grows: a `switch` over codes needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// No answer: name, connection, time limit, or a connection that broke.
        public static let unreachable = Code(description: "unreachable")
        /// The server's certificate is not trusted.
        public static let untrusted = Code(description: "untrusted")
        /// 401: the access token, the signature or the clock is not accepted. The library renews and repeats once.
        public static let unauthorized = Code(description: "unauthorized")
        /// The server does not know this installation any more. The library registers again and repeats once.
        public static let unknownClient = Code(description: "unknownClient")
        /// Neither renewing nor registering again helps: the statement or the key is not accepted.
        public static let credentialsRefused = Code(description: "credentialsRefused")
        /// 429.
        public static let throttled = Code(description: "throttled")
        /// 5xx.
        public static let serverFault = Code(description: "serverFault")
        /// 400 and its like: the request itself is refused, such as for an unknown requestor.
        public static let refused = Code(description: "refused")
        /// The answer is not what the protocol says.
        public static let malformedAnswer = Code(description: "malformedAnswer")
        /// The server answers, but the provider gives it no decision.
        public static let providerFault = Code(description: "providerFault")
        /// No viewer is signed in.
        public static let notSignedIn = Code(description: "notSignedIn")
        /// The provider's, or the programmer's, no.
        public static let notAuthorized = Code(description: "notAuthorized")
        /// The presented token is over.
        public static let sessionExpired = Code(description: "sessionExpired")
        /// The presented token is no longer honoured: a logout elsewhere, or an operator.
        public static let sessionRevoked = Code(description: "sessionRevoked")
        /// The presented token is bound to another device.
        public static let deviceMismatch = Code(description: "deviceMismatch")
        /// The TempPass is used up.
        public static let trialOver = Code(description: "trialOver")
        /// The token store cannot be read, written or locked.
        public static let state = Code(description: "state")
        /// The application or the viewer stopped it.
        public static let cancelled = Code(description: "cancelled")
        /// The application cannot be registered: its software statement is missing, invalid or revoked.
        public static let notRegistered = Code(description: "notRegistered")
        /// The server gives no access token to the registered application.
        public static let noAccessToken = Code(description: "noAccessToken")
        /// No configuration is in force.
        public static let notConfigured = Code(description: "notConfigured")
    }

    /// The failure.
    public let code: Code
    /// The HTTP status, if there was an answer.
    public let status: Int?
    /// How long the server asks to wait.
    public let retryAfter: Duration?
    /// The server's or provider's own words, or the cause for an operator; untrusted text.
    public let detail: String?
    /// The code of access-enabler 16 the server named, where it named one.
    package var reported: String?
    /// Why there was no answer, if that is the failure.
    package var transport: HTTPClientError?
    /// With `untrusted`: what is wrong with the certificate, if that is known.
    package var certificateFault: HTTPClientError.CertificateFault? { self.transport?.certificateFault }
    /// With `sessionRevoked`: how the sign-in ended, if the server says so.
    package var ending: AccessEnabler.SignInEnding?

    package init(
        _ code: Code, status: Int? = nil, retryAfter: Duration? = nil, detail: String? = nil, reported: String? = nil
    ) {
        self.code = code
        self.status = status
        self.retryAfter = retryAfter
        self.detail = detail
        self.reported = reported
    }
}

extension EntitlementError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The name of the code alone, which is safe anywhere.
    public var description: String { self.code.description }
    /// The code, the status and the detail.
    public var debugDescription: String { "\(self.code) \(self.status ?? 0): \(self.detail ?? "–")" }
}
