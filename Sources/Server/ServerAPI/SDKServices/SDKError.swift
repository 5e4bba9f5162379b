import Entitlement
import HTTPServer

/// The refusal of a call of this face (sdk-services 1).
enum SDKRefusal: Error, Hashable, Sendable {
    case error(SDKError)
    /// The presented token was good once and is no more: signed out elsewhere, or revoked. The box drops what it
    /// presented and starts over.
    case pendingLogout(SignInEnding?)
}

/// The `<error>` document of this face.
struct SDKError: Hashable, Sendable {
    let status: HTTPStatus
    /// A code of access-enabler 16 if one fits, else the digits of the status.
    let code: String
    let message: String
    /// Never empty: deployed clients look for at least one character.
    let details: String
    /// Whether it refuses a decision. Deployed clients look for the word `notAuthorized`, or take the first element for the
    /// code and retry for ever on any other (sdk-services 4).
    let isDecision: Bool
    let challenge: String?
    let retryAfter: Int?

    /// - Parameters:
    ///   - code: the digits of the status when no code fits.
    ///   - details: the message again when there is nothing more to say.
    init(
        _ status: HTTPStatus, code: String? = nil, _ message: String, details: String? = nil, isDecision: Bool = false,
        challenge: String? = nil, retryAfter: Int? = nil
    ) {
        self.status = status
        self.code = code ?? String(status.code)
        self.message = message
        self.details = details.map(Self.onOneLine).flatMap { $0.isEmpty ? nil : $0 } ?? message
        self.isDecision = isDecision
        self.challenge = challenge
        self.retryAfter = retryAfter
    }

    /// Clients match `<details>(.+?)</details>`, where a dot is no line end.
    private static func onOneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

extension SDKRefusal {
    static let invalidRequestor = SDKRefusal.error(SDKError(.badRequest, code: "CFG400", "Invalid requestor_id"))
    static let invalidResource = SDKRefusal.error(SDKError(.badRequest, code: "Z130", "Invalid resource_id"))
    static let notSignedIn = SDKRefusal.error(SDKError(.unauthorized, code: "N000", "Not signed in"))
    /// The caller is not told which byte was wrong.
    static let foreignToken = SDKRefusal.error(SDKError(.unauthorized, code: "N130", "Not a token of this service"))
    static let foreignDevice = SDKRefusal.error(SDKError(.unauthorized, code: "SEC412", "The device ID does not match"))
    static let unknownBox = SDKRefusal.error(SDKError(.notFound, "The viewer has no such box"))
    static let withoutPlatform = SDKRefusal.error(
        SDKError(
            .forbidden, "The answer of the platform was not accepted",
            details: "the provider takes no part in platform sign-in"))
    static let tokenExpired = SDKRefusal.error(SDKError(.gone, code: "N130", "The sign-in is over", details: "expired"))
}

extension SDKRefusal {
    /// The faults of the caller, in the words of this face.
    init(_ error: WireError) {
        switch error.status {
        // The challenge of every refused caller, whatever was wrong with it (sdk-services 1).
        case .unauthorized:
            self = .error(SDKError(.unauthorized, error.message, challenge: "Bearer error=\"invalid_token\""))
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
