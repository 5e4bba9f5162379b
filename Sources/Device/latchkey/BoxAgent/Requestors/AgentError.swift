/// Why a call was not served.
struct AgentError: Error, Hashable, Sendable {
    /// The kinds of failure of the API.
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
    var retryAfter: Int?

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ trouble: ServerTrouble) {
        self.init(trouble.code, trouble.message)
        self.retryAfter = trouble.retryAfter
    }

    static let notSignedIn = AgentError(.notSignedIn, "Nobody is signed in for this requestor.")
}
