/// Why an operation did not come to its end.
package struct EntitlementError: Error, Hashable {
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case unreachable, untrusted, unauthorized, unknownClient, credentialsRefused, throttled, serverFault,
                refused
            case malformedAnswer, notSignedIn, notAuthorized, state, cancelled, notConfigured
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
        package static let notAuthorized = Code(value: .notAuthorized)
        /// The state file cannot be read, written or locked.
        package static let state = Code(value: .state)
        package static let cancelled = Code(value: .cancelled)
        /// ``AccessEnabler/configure(requestorID:)`` has not been called.
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

    package init(_ code: Code, status: Int? = nil, retryAfter: Duration? = nil, detail: String? = nil) {
        self.code = code
        self.status = status
        self.retryAfter = retryAfter
        self.detail = detail
    }
}

extension EntitlementError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { self.code.description }
    package var debugDescription: String { "\(self.code) \(self.status ?? 0): \(self.detail ?? "–")" }
}
