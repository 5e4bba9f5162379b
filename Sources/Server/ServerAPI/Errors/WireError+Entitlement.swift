package import Entitlement
import HTTPServer

extension WireError {
    /// What the domain's refusal is on the wire, where an endpoint's section says nothing else.
    ///
    /// A code this function does not know is nobody's business but the operator's: a bare 500.
    package init(_ error: EntitlementError) {
        switch error.code {
        case .unknownRequestor: self = .invalid("requestor")
        case .unknownProvider: self = .invalid("mvpd")
        case .codeUnknown, .codeUsed, .codeDeclined, .loginUnknown: self = .notFound
        case .notAuthenticated: self = WireError(.forbidden, "User not authenticated", details: .text(nil))
        case .authenticationExpired: self = WireError(.forbidden, "User not authenticated", details: .text(nil))
        case .notAuthorized:
            self = WireError(.forbidden, "User not authorized", details: .text(error.viewerMessage))
        case .authorizationMissing, .authorizationExpired:
            self = WireError(.forbidden, "User not authorized", details: .text(nil))
        case .providerUnavailable:
            self = WireError(
                .forbidden, "User not authorized",
                details: .text(error.viewerMessage ?? "The provider could not be reached."))
        case .tooManyAttempts: self = .tooManyRequests(retryAfter: error.retryAfter ?? .seconds(1))
        case .storeUnavailable: self = WireError(.serviceUnavailable, "Service Unavailable", retryAfter: 5)
        default: self = WireError(.internalServerError, "Internal Server Error")
        }
    }
}
