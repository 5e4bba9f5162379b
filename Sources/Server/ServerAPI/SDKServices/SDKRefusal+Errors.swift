import Entitlement
import HTTPServer

extension SDKRefusal {
    /// The faults of the caller, in the words of this face.
    init(_ error: WireError) {
        switch error.status {
        case .unauthorized:
            self = .error(SDKError(.unauthorized, error.message, challenge: SDKError.bearerChallenge))
        case .forbidden:
            self = .error(SDKError(.forbidden, code: "SEC403", "The caller may not speak for this requestor"))
        case .badRequest where error == .invalid("requestor"): self = .invalidRequestor
        case .badRequest where error == .missing("requestor"): self.init(.missing("requestor_id"))
        default: self = .error(SDKError(error.status, error.message, retryAfter: error.retryAfter))
        }
    }

    /// The form of the domain's refusal on this wire, where an endpoint's section says nothing else.
    /// - Parameter family: `authorization` for `authorize` alone.
    init(_ error: EntitlementError, at family: EndpointFamily = .authentication) {
        switch error.code {
        case .unknownRequestor: self = .invalidRequestor
        case .unknownProvider: self.init(.invalid("mso_id"))
        case .notAuthenticated: self = .notSignedIn
        case .authenticationExpired: self = .tokenExpired
        case .authenticationRevoked: self = .pendingLogout(error.ending)
        case .foreignToken: self = .foreignToken
        case .deviceMismatch: self = .foreignDevice
        case .authorizationExpired, .authorizationMissing:
            self = .error(SDKError(.gone, "The decision is over", details: "expired"))
        case .notAuthorized, .providerUnavailable: self.init(decision: error, at: family)
        case .trialExhausted:
            self = .error(
                SDKError(
                    .forbidden, code: "N111", "The trial is used up", details: error.viewerMessage))
        case .passiveNotPossible:
            self = .error(SDKError(.conflict, code: "N000", "not possible", details: error.viewerMessage))
        case .platformRefused:
            self = .error(
                SDKError(
                    .forbidden, "The answer of the platform was not accepted",
                    details: error.platformFault?.rawValue))
        case .tooManyResources:
            self = .error(SDKError(.forbidden, code: "P100", "Too many resources", details: error.viewerMessage))
        case .tooManyAttempts: self.init(.tooManyRequests(retryAfter: error.retryAfter ?? .seconds(1)))
        case .storeUnavailable: self.init(WireError(.serviceUnavailable, "Service Unavailable", retryAfter: 5))
        // This face has no codes and no logins; whatever it is, it is the operator's business.
        case .codeUnknown, .codeUsed, .codeDeclined, .loginUnknown, .internal:
            self.init(WireError(.internalServerError, "Internal Server Error"))
        }
    }

    /// A resource that is not permitted. `authorize` says so with status 200, for which deployed clients look into the
    /// body (sdk-services 4). No other operation does: at `shortAuthorize` they hand a body of 200 to the player
    /// (sdk-services 5).
    private init(decision error: EntitlementError, at family: EndpointFamily) {
        let code =
            switch error.denial {
            case .programmer: "Z169"
            case .network: "Z120"
            case .trial: "N111"
            case .provider, .parentalControls: "Z100"
            case nil: error.code == .providerUnavailable ? "Z120" : "Z100"
            }
        let message = code == "Z120" ? "The provider could not be reached" : "User not authorized"
        let isDown = error.code == .providerUnavailable
        let elsewhere: HTTPStatus = isDown ? .serviceUnavailable : .forbidden
        let status: HTTPStatus = family == .authorization ? .ok : elsewhere
        self = .error(
            SDKError(
                status, code: code, message, details: error.viewerMessage, isDecision: true,
                retryAfter: status == .serviceUnavailable ? 5 : nil))
    }
}
