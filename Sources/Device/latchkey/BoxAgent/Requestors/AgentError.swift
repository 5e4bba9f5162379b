import AccessEnabler

/// Why a call was not served.
struct AgentError: Error, Hashable, Sendable {
    enum Code: String, Hashable, Sendable, CaseIterable {
        case badRequest = "bad_request"
        case permissionUndetermined = "permission_undetermined"
        case permissionDenied = "permission_denied"
        case notFound = "not_found"
        case unknownRequestor = "unknown_requestor"
        case methodNotAllowed = "method_not_allowed"
        case notSignedIn = "not_signed_in"
        case alreadySignedIn = "already_signed_in"
        /// The server has no TV provider that a viewer could sign in with.
        case noProvider = "no_provider"
        case conflict
        case tooLarge = "too_large"
        case notAuthorized = "not_authorized"
        case tooManyRequests = "too_many_requests"
        case unreachable
        /// The server refuses the box's credentials or the requestor, which only an operator can change.
        case credentialsRefused = "credentials_refused"
        /// The box's knowledge cannot be kept: the disk is full, or cannot be written.
        case storage
        case `internal`
    }

    let code: Code
    /// One sentence for people.
    let message: String
    var resource: String?
    var providerMessage: String?
    /// After how many seconds it is worth asking again.
    var retryAfter: Int?

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Why a call cannot be served now, for people: the server is of no use, or what it says cannot be kept.
    /// - Parameter server: the address, as the configuration has it.
    init(_ error: EntitlementError, server: String) {
        self.retryAfter = max(2, Int(clamping: error.retryAfter?.components.seconds ?? 5))
        var code = Code.unreachable
        switch error.code {
        case .noAccessToken where (error.status ?? 500) >= 500: self.message = Self.unreachable(server)
        case .untrusted:
            self.message =
                "The certificate of \(server) is not trusted: it is another server's, it has run out, or this box's clock is "
                + "wrong."
        case .serverFault: self.message = "\(server) has a fault (\(error.status ?? 500))."
        case .providerFault: self.message = "The TV provider gives no decision now."
        case .throttled: self.message = "\(server) asks to be left alone for a while."
        case .malformedAnswer: self.message = "\(server) does not answer as expected."
        case .credentialsRefused, .unauthorized, .unknownClient, .notRegistered, .noAccessToken:
            code = .credentialsRefused
            self.message = "\(server) refuses this box's credentials."
        case .refused:
            code = .credentialsRefused
            self.message = "\(server) does not know the requestor, or refuses it."
        case .state:
            code = .storage
            self.message = error.storeSentence
        default: self.message = Self.unreachable(server)
        }
        self.code = code
    }

    /// The sentence of a server that does not answer at all.
    static func unreachable(_ server: String) -> String { "\(server) cannot be reached." }

    static let notSignedIn = AgentError(.notSignedIn, "Nobody is signed in for this requestor.")
}
