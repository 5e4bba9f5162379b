import Clientless
import Entitlement
import HTTPServer

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
    fileprivate static let shape = Shape<OAuthError>(
        .init("error", \.code), .init("error_description", \.description))
}

extension ErrorWording {
    static let oauth = ErrorWording.classic(.authentication)
}

extension HTTPResponse {
    static func oauth<Value>(_ shape: Shape<Value>, _ value: Value, status: HTTPStatus) -> HTTPResponse {
        Answer.content("application/json;charset=UTF-8", .bytes(shape.json(value, .json).bytes), status: status)
            .adding("Pragma", "no-cache")
    }
}

// Answers of these faces, always JSON.
extension APIAnswer {
    static func registration(
        _ status: Int, _ text: String, _ schema: JSONSchema, headers: [Header] = []
    ) -> APIAnswer {
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
