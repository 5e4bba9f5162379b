/// Why an operation did not come to its end.
package struct EntitlementError: Error, Hashable {
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case unreachable, untrusted, unauthorized, unknownClient, credentialsRefused, throttled, serverFault,
                refused
            case malformedAnswer, notSignedIn, notAuthorized, sessionExpired, sessionRevoked, deviceMismatch,
                trialOver
            case state, cancelled, notConfigured, notRegistered, noAccessToken
        }

        private let value: Value

        /// No answer: name, connection, time limit, or a connection that broke.
        package static let unreachable = Code(value: .unreachable)
        /// The server's certificate is not trusted.
        package static let untrusted = Code(value: .untrusted)
        /// 401: the access token, the signature or the clock is not accepted. The library renews and repeats once.
        package static let unauthorized = Code(value: .unauthorized)
        /// The server does not know this installation any more. The library registers again and repeats once.
        package static let unknownClient = Code(value: .unknownClient)
        /// Neither renewing nor registering again helps: the statement or the key is not accepted.
        package static let credentialsRefused = Code(value: .credentialsRefused)
        /// 429.
        package static let throttled = Code(value: .throttled)
        /// 5xx.
        package static let serverFault = Code(value: .serverFault)
        /// 400 and its like: the request itself is refused, such as for an unknown requestor.
        package static let refused = Code(value: .refused)
        /// The answer is not what the protocol says.
        package static let malformedAnswer = Code(value: .malformedAnswer)
        package static let notSignedIn = Code(value: .notSignedIn)
        /// The provider's, or the programmer's, no.
        package static let notAuthorized = Code(value: .notAuthorized)
        /// The presented token is over.
        package static let sessionExpired = Code(value: .sessionExpired)
        /// The presented token is no longer honoured: a logout elsewhere, or an operator.
        package static let sessionRevoked = Code(value: .sessionRevoked)
        /// The presented token is bound to another device.
        package static let deviceMismatch = Code(value: .deviceMismatch)
        /// The TempPass is used up.
        package static let trialOver = Code(value: .trialOver)
        /// The token store cannot be read, written or locked.
        package static let state = Code(value: .state)
        package static let cancelled = Code(value: .cancelled)
        /// The application cannot be registered: its software statement is missing, invalid or revoked.
        package static let notRegistered = Code(value: .notRegistered)
        /// The server gives no access token to the registered application.
        package static let noAccessToken = Code(value: .noAccessToken)
        /// No configuration is in force.
        package static let notConfigured = Code(value: .notConfigured)

        package var description: String { self.value.rawValue }
    }

    package let code: Code
    /// The HTTP status, where there was an answer.
    package let status: Int?
    /// How long the server asks to wait.
    package let retryAfter: Duration?
    /// The server's or provider's own words, or the cause for an operator; untrusted text.
    package let detail: String?
    /// The code of access-enabler 16 the server named, where it named one.
    package var reported: String?
    /// Whether the same call may get through a moment later.
    package let isTransient: Bool

    package init(
        _ code: Code, status: Int? = nil, retryAfter: Duration? = nil, detail: String? = nil, reported: String? = nil,
        isTransient: Bool = false
    ) {
        self.code = code
        self.status = status
        self.retryAfter = retryAfter
        self.detail = detail
        self.reported = reported
        self.isTransient = isTransient
    }
}

extension EntitlementError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { self.code.description }
    package var debugDescription: String { "\(self.code) \(self.status ?? 0): \(self.detail ?? "–")" }
}
