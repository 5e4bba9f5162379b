import Clientless
package import HTTPServer

/// An error as rest-v1 puts it on the wire: a status, a sentence, sometimes details (8.1), and a code for requestors
/// that opted in to one (8.3).
package struct WireError: Error, Hashable, Sendable {
    /// The member `details`.
    package enum Details: Hashable, Sendable {
        /// The AuthN family and code records do not have it.
        case absent
        /// The AuthZ family always has it in JSON, `null` when there is nothing to say.
        case text(String?)
    }

    package let status: HTTPStatus
    package let message: String
    /// The text in XML in place of `message`, where the two differ.
    package let xmlMessage: String?
    package private(set) var details: Details
    let code: ErrorCode
    /// The OAuth error of a failed bearer call, in JSON only (7.6).
    package let oauthError: String?
    /// The value of `WWW-Authenticate`.
    package let challenge: String?
    /// Whole seconds for `Retry-After`.
    package let retryAfter: Int?
    /// For operators; never sent.
    private(set) var fault: SignatureFault?

    /// - Parameter code: `nil` is that of the status.
    package init(
        _ status: HTTPStatus, _ message: String, code: ErrorCode? = nil, xml: String? = nil,
        details: Details = .absent, oauthError: String? = nil, challenge: String? = nil, retryAfter: Int? = nil
    ) {
        self.status = status
        self.message = message
        self.xmlMessage = xml
        self.details = details
        self.code = code ?? ErrorCode(status)
        self.oauthError = oauthError
        self.challenge = challenge
        self.retryAfter = retryAfter
    }

    /// The same error, and for operators which check failed.
    func because(_ fault: SignatureFault) -> WireError {
        var copy = self
        copy.fault = fault
        return copy
    }

    /// A parameter the caller left out, or left empty (8.2).
    package static func missing(_ parameter: String) -> WireError {
        WireError(.badRequest, "Required '\(parameter)' is not present", code: ErrorCode(missing: parameter))
    }

    /// A parameter whose value cannot be used.
    package static func invalid(_ parameter: String) -> WireError {
        WireError(.badRequest, "Invalid \(parameter)", code: ErrorCode(invalid: parameter))
    }

    /// A resource that begins like a document and cannot be read as one (23).
    static let malformedResource = WireError(.badRequest, "Invalid resource", code: .malformedResource)

    package static let notFound = WireError(.notFound, "Not Found")
    /// `authenticate/{code}` and the code record (11.2, 13.5).
    static let codeNotFound = WireError(.notFound, "Not Found", code: .invalidRegistrationCode)
    /// `tokens/authn` spells the same differently in XML (14.3).
    package static let tokenNotFound = WireError(
        .notFound, "Not Found", code: .authenticationMissing, xml: "Not found")
    /// `tokens/usermetadata`: signed in, and nothing to tell (19).
    static let metadataNotFound = WireError(.notFound, "Not Found", code: .metadataNotFound)
    package static let forbidden = WireError(.forbidden, "Forbidden")
    /// `tokens/authn`, `authenticate/{code}`: the token is over.
    package static let gone = WireError(.gone, "Gone", code: .authenticationExpired)

    package static func tooManyRequests(retryAfter: Duration) -> WireError {
        let (seconds, rest) = retryAfter.components
        let whole = Int(clamping: rest > 0 ? seconds + 1 : seconds)
        return WireError(.tooManyRequests, "Too Many Requests", retryAfter: max(1, whole))
    }

    /// The same error as endpoints of `family` word it (8.1). All families word faults of the caller alike (7.5, 7.6).
    func worded(for family: EndpointFamily) -> WireError {
        guard family.hasDetails, self.status == .badRequest, self.oauthError == nil, case .absent = self.details
        else { return self }
        var copy = self
        copy.details = .text(nil)
        return copy
    }

    /// The error document (8.1, 8.3).
    package func document(_ style: ErrorStyle = .classic) -> WireDocument {
        WireDocument("error", Self.shape, (self, style))
    }
}
