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
    /// The challenge of every refused caller, whatever was wrong with it (sdk-services 1).
    static let bearerChallenge = "Bearer error=\"invalid_token\""

    let status: HTTPStatus
    /// A code of access-enabler 16 if one fits, else the digits of the status.
    let code: String
    let message: String
    /// Never empty: deployed clients look for at least one character.
    let details: String
    /// Whether it refuses a decision. Deployed clients look for the word `notAuthorized`, or take the first element for the
    /// code and retry for ever on any other (sdk-services 4).
    let isDecision: Bool
    /// The value of `WWW-Authenticate`.
    let challenge: String?
    /// Whole seconds for `Retry-After`.
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
    static let foreignDevice = SDKRefusal.error(
        SDKError(.unauthorized, code: "SEC412", "The device ID does not match"))
    static let unknownBox = SDKRefusal.error(SDKError(.notFound, "The viewer has no such box"))
    static let withoutPlatform = SDKRefusal.error(
        SDKError(
            .forbidden, "The answer of the platform was not accepted",
            details: "the provider takes no part in platform sign-in"))
    static let tokenExpired = SDKRefusal.error(SDKError(.gone, code: "N130", "The sign-in is over", details: "expired"))
}
