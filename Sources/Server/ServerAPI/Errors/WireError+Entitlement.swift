package import Entitlement
import HTTPServer

extension WireError {
    /// What the domain's refusal is on the wire of an endpoint of `family`: the one place where status, words and code
    /// of every such error are chosen.
    ///
    /// A code this function does not know is nobody's business but the operator's: a bare 500.
    package init(_ error: EntitlementError, at family: EndpointFamily = .authentication) {
        switch error.code {
        case .unknownRequestor: self = .invalid("requestor")
        case .unknownProvider: self = .invalid("mvpd")
        case .codeUnknown, .codeUsed, .codeDeclined, .loginUnknown: self = .codeNotFound
        case .notAuthenticated, .authenticationExpired, .authenticationRevoked:
            self = Self.unauthenticated(error.code, at: family)
        case .notAuthorized, .trialExhausted:
            self = .denied(error.denial, error.viewerMessage)
        case .authorizationMissing, .authorizationExpired: self = Self.unauthorized(error.code, at: family)
        case .providerUnavailable:
            self = .denied(
                error.denial ?? .network(timeout: false), error.viewerMessage ?? "The TV provider could not be reached."
            )
        case .tooManyResources:
            self = WireError(.forbidden, "Too many resources", code: .tooManyResources, details: .text(nil))
        case .platformRefused:
            self = WireError(.badRequest, "Invalid SAMLResponse", code: .platformRefused)
        case .tooManyAttempts: self = .tooManyRequests(retryAfter: error.retryAfter ?? .seconds(1))
        case .storeUnavailable:
            self = WireError(
                .serviceUnavailable, "Service Unavailable",
                code: family == .registrationCode ? .codeServiceUnavailable : .serviceUnavailable, retryAfter: 5)
        default: self = WireError(.internalServerError, "Internal Server Error")
        }
    }

    /// Nobody is signed in: 412 where that is a precondition, 403 elsewhere (8.3, last lines).
    private static func unauthenticated(_ cause: EntitlementError.Code, at family: EndpointFamily) -> WireError {
        let code: ErrorCode
        switch (family, cause) {
        case (.preauthorization, .authenticationExpired): code = .preauthorizationAuthenticationExpired
        case (.preauthorization, _): code = .preauthorizationAuthenticationMissing
        case (_, .authenticationExpired): code = .authenticationExpired
        case (_, .authenticationRevoked): code = .authenticationInvalidated
        default: code = .authenticationMissing
        }
        return WireError(
            family.isPreconditioned ? .preconditionFailed : .forbidden, "User not authenticated", code: code,
            details: family.hasDetails ? .text(nil) : .absent)
    }

    /// There is no decision to go by: `tokens/authz` says what became of it, elsewhere it is a refusal (15.2, 16).
    private static func unauthorized(_ cause: EntitlementError.Code, at family: EndpointFamily) -> WireError {
        switch (family, cause) {
        case (.storedAuthorization, .authorizationExpired):
            WireError(.gone, "Gone", code: .authorizationExpired, details: .text(nil))
        case (.storedAuthorization, _):
            WireError(.notFound, "Not Found", code: .authorizationNotFound, xml: "Not found", details: .text(nil))
        default:
            WireError(.forbidden, "User not authorized", code: .authorizationNotFound, details: .text(nil))
        }
    }

    /// A resource is refused (15.1).
    private static func denied(_ denial: Denial?, _ sentence: String?) -> WireError {
        WireError(
            .forbidden, "User not authorized", code: ErrorCode(denial), details: .text(sentence))
    }
}
