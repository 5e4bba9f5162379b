import Clientless
import Entitlement
import HTTPServer

/// An error of the registration endpoints: a code and a sentence, always JSON (rest-v1 10.2, 10.3; RFC 6749, 5.2).
struct OAuthError: Error, Hashable {
    let code: String
    /// The fault, for the developer of the client. ASCII without quotes and backslashes (RFC 6749, 5.2).
    let description: String
    let status: HTTPStatus
    /// How long to wait before the next call, where that is all there is to say: RFC 6749 has no code for it.
    let wait: Duration?

    private init(_ code: String, _ description: String, status: HTTPStatus = .badRequest, wait: Duration? = nil) {
        self.code = code
        self.description = description
        self.status = status
        self.wait = wait
    }

    static let repeatedName = OAuthError.invalidRequest("A parameter stands twice.")
    static func invalidRequest(_ description: String) -> OAuthError { OAuthError("invalid_request", description) }
    /// A parameter that is missing or that nothing can be read from.
    static func parameter(_ name: String) -> OAuthError {
        .invalidRequest("The parameter \(name) is missing, empty or too long.")
    }
    static let invalidClient = OAuthError("invalid_client", "The client is unknown, or client_secret is not its own.")
    /// A code that is not good (RFC 6749, section 5.2).
    static let invalidGrant = OAuthError("invalid_grant", "The set-up code is unknown, used or over.")
    static let unauthorizedClient = OAuthError("unauthorized_client", "The application was not granted this scope.")
    static let unsupportedGrantType = OAuthError("unsupported_grant_type", "grant_type is not client_credentials.")
    static let invalidRedirectURI = OAuthError(
        "invalid_redirect_uri", "redirect_uri is not below a target of the application.")
    static let invalidSoftwareStatement = OAuthError(
        "invalid_software_statement", "software_statement is not signed by this server, or is not valid yet.")
    static let unapprovedSoftwareStatement = OAuthError(
        "unapproved_software_statement", "The application of software_statement is unknown or was revoked.")
    /// The store or the key failed; RFC 6749 4.1.2.1 has the words. It says when to call again, as every 503 does.
    static let temporarilyUnavailable = OAuthError(
        "temporarily_unavailable", "The store does not answer; try again.", status: .serviceUnavailable)
    static func tooManyRequests(wait: Duration) -> OAuthError {
        OAuthError("too_many_requests", "Too many calls.", status: .tooManyRequests, wait: wait)
    }
    static let serverError = OAuthError(
        "server_error", "The server failed; its log says why.", status: .internalServerError)
}

// The words of the faces that refuse as OAuth does.
extension Face where Refusal == OAuthError {
    func refusal(_ error: WireError) -> OAuthError {
        error.status.code < 500 ? .invalidRequest("The request is malformed.") : .serverError
    }

    func refusal(_ error: EntitlementError, at family: EndpointFamily) -> OAuthError {
        switch error.code {
        case .storeUnavailable: .temporarilyUnavailable
        case .tooManyAttempts: .tooManyRequests(wait: error.retryAfter ?? .seconds(1))
        case .codeUnknown: .invalidGrant
        // These faces ask nothing that has these answers.
        case .unknownRequestor, .codeUsed, .codeDeclined, .unknownProvider, .loginUnknown,
            .notAuthenticated, .authenticationExpired, .notAuthorized, .authorizationMissing, .authorizationExpired,
            .tooManyResources, .foreignToken, .deviceMismatch, .authenticationRevoked, .trialExhausted,
            .passiveNotPossible, .platformRefused, .providerUnavailable, .internal:
            .serverError
        }
    }

    func response(to error: OAuthError, in place: ErrorPlace) -> HTTPResponse {
        // As the throttle says it.
        if let wait = error.wait {
            return Answer.error(
                .tooManyRequests(retryAfter: wait), place.format, self.context.style(for: nil, trace: place.trace))
        }
        let response = HTTPResponse.oauth(OAuthError.shape, error, status: error.status)
        return error.status == .serviceUnavailable ? response.adding("Retry-After", "5") : response
    }
}

extension OAuthError {
    fileprivate static let shape = Shape<OAuthError>(.init("error", \.code), .init("error_description", \.description))
}

extension HTTPResponse {
    static func oauth<Value>(_ shape: Shape<Value>, _ value: Value, status: HTTPStatus) -> HTTPResponse {
        Answer.content("application/json;charset=UTF-8", shape.bytes(value, .json), status: status)
            .adding("Pragma", "no-cache")
    }
}

// Answers of these faces, always JSON.
extension APIAnswer {
    static func registration(_ status: Int, _ text: String, _ schema: JSONSchema, headers: [Header] = []) -> APIAnswer {
        let pragma = Header.always("Pragma", .constant(.string("no-cache")), "For older caches.")
        return APIAnswer(status, text, [.json(schema)], headers: [pragma] + headers)
    }

    static func registrationFailure(_ status: Int, _ text: String, _ codes: String...) -> APIAnswer {
        self.registration(status, text, self.registrationError(codes))
    }

    private static func registrationError(_ codes: [String]) -> JSONSchema {
        .object([
            .required("error", .choice(of: codes)),
            .required("error_description", .text().described("The fault, for developers.")),
        ])
    }

    static let registrationFailures = [
        .tooManyRequests, registrationFailure(500, "The server's own fault.", "server_error"),
        registration(
            503, "The store does not answer.", registrationError(["temporarily_unavailable"]), headers: [.retryAfter]),
    ]
}
