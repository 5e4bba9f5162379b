package import Entitlement
import HTTPServer

extension WireError {
    /// The form of the domain's refusal at an endpoint of `family`: the one place where status, words and code
    /// of every such error are chosen.
    package init(_ error: EntitlementError, at family: EndpointFamily = .authentication) {
        switch error.code {
        case .unknownRequestor: self = .invalid("requestor")
        case .unknownProvider: self = .invalid("mvpd")
        case .codeUnknown, .codeUsed, .codeDeclined, .loginUnknown: self = .codeNotFound
        case .notAuthenticated:
            self = .unauthenticated(.authenticationMissing, .preauthorizationAuthenticationMissing, at: family)
        case .authenticationExpired:
            self = .unauthenticated(.authenticationExpired, .preauthorizationAuthenticationExpired, at: family)
        case .authenticationRevoked:
            self = .unauthenticated(.authenticationInvalidated, .preauthorizationAuthenticationMissing, at: family)
        case .notAuthorized, .trialExhausted:
            self = .denied(error.denial, error.viewerMessage)
        // There is no decision to go by: `tokens/authz` says what became of it, elsewhere it is a refusal (15.2, 16).
        case .authorizationExpired where family == .storedAuthorization:
            self = WireError(.gone, "Gone", code: .authorizationExpired, details: .text(nil))
        case .authorizationMissing where family == .storedAuthorization:
            self = WireError(
                .notFound, "Not Found", code: .authorizationNotFound, xml: "Not found", details: .text(nil))
        case .authorizationMissing, .authorizationExpired:
            self = WireError(.forbidden, "User not authorized", code: .authorizationNotFound, details: .text(nil))
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
        // The other faces alone meet these; whatever it is, it is the operator's business.
        case .foreignToken, .deviceMismatch, .passiveNotPossible, .internal:
            self = WireError(.internalServerError, "Internal Server Error")
        }
    }

    /// There is no sign-in: 412 where that is a precondition, 403 elsewhere (8.3, last lines). With 403 there is no member
    /// `details`: a client shows it where the member exists (15.1).
    private static func unauthenticated(
        _ code: ErrorCode, _ preauthorizationCode: ErrorCode, at family: EndpointFamily
    ) -> WireError {
        WireError(
            family.isPreconditioned ? .preconditionFailed : .forbidden, "User not authenticated",
            code: family == .preauthorization ? preauthorizationCode : code,
            details: family.hasDetails && family.isPreconditioned ? .text(nil) : .absent)
    }

    /// A resource is refused (15.1).
    private static func denied(_ denial: Denial?, _ sentence: String?) -> WireError {
        WireError(
            .forbidden, "User not authorized", code: ErrorCode(denial), details: .text(sentence))
    }
}
